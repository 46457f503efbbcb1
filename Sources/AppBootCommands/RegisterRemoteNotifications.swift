public import AppBoot
import AppBootSystem

/// A command that creates this device's token for remote notifications, and registers it with a provider.
///
/// A token that was created by an earlier launch is used again. Without a provider, the token is only created and
/// stored.
public struct RegisterRemoteNotifications: AsyncCommand {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "RegisterRemoteNotifications"

  /// The command's one-line description, for the catalogue and help.
  public static let abstract = "Obtains this device's token, and registers it with a provider."

  /// The command's rules and effects, for the catalogue and help.
  public static let discussion = """
    The token is 32 bytes from the system's random source. It is created once and stored in the state \
    as "device-token", 64 hexadecimal digits (in a state directory: a file that only its owner can read).

    With a "provider" it is sent there: POST, {"token", "platform", "reason"} as JSON, by the program curl, \
    with the machine's proxies and certificates. No argument list contains any of it. The step fails on any \
    status but 2xx, redirects included, without a response within "timeout", and on one over 64 KiB.

    Secrets come from the environment: { "Authorization": "Bearer {env.PUSH_KEY}" }.

    It emits didRegisterForRemoteNotifications with the token, or \
    didFailToRegisterForRemoteNotifications with the error.
    """

  /// The URL at which the token is registered; `nil` to register it nowhere.
  @Parameter(
    "The http or https URL that registers the token. Without it the token is only created and stored.")
  package var provider: ProviderURL?

  /// The header fields of the request.
  @Parameter(
    "Header fields of the request, by name; values may hold {env.NAME}.",
    schema: .dictionary(HTTPHeader.valueSchema, names: HTTPHeader.nameSchema))
  package var headers: [String: String] = [:]

  /// The maximum time that the connection and the response may take together.
  @Parameter("The longest that the provider may take, connection and response together.", schema: .timeout)
  package var timeout = Duration.seconds(10)

  /// Creates the command without a provider.
  public init() {}

  /// Rejects header fields that HTTP does not allow, and a timeout of zero.
  public func validate(_ validation: inout ParameterValidation) {
    validation.checkHeaders(headers, at: "headers")
    if timeout <= .zero { validation.reject("must be greater than zero", at: "timeout") }
  }

  /// Reads or creates the token. Sends it to the provider, if one is given.
  ///
  /// - Throws: `RemoteNotificationsError`, `PlaceholderError` or `TemplateError`; the error of the state store.
  public func execute(in context: LaunchContext) async throws {
    try await OperationLoop.run(try start(in: context))
  }
}

extension RegisterRemoteNotifications: PolledCommand {
  package static var usesSecretVariables: Bool { true }

  /// True if `curl` sends the token to a provider.
  package var startsProcesses: Bool { provider != nil }

  /// The names of the variables in the request's header fields.
  package var secretVariables: [String] { TextParameter.variables(in: headers.values) }

  package func start(in context: LaunchContext) throws -> any PolledOperation {
    do {
      let token = try DeviceToken.obtain(from: context.state)
      context.addSecret(token.hexadecimal)
      guard let provider else { return FinishedOperation(succeed(token, nil, in: context)) }
      let request = try request(token, to: provider, in: context)
      return try register(token, with: request, at: provider.origin, in: context)
    } catch {
      throw fail(error, in: context)
    }
  }

  private func request(
    _ token: DeviceToken, to provider: ProviderURL, in context: LaunchContext
  ) throws -> CurlRequest {
    let type = (name: "Content-Type", value: "application/json")
    var body = JSONWriter()
    body.object { json in
      json.member("token", token.hexadecimal)
      json.member("platform", Host.platform)
      json.member("reason", context.launch.reason.rawValue)
    }
    return CurlRequest(
      method: "POST", url: provider.text, headers: [type] + (try HTTPHeader.fields(headers, in: context)),
      body: .text(body.text), timeout: timeout)
  }

  private func register(
    _ token: DeviceToken, with request: CurlRequest, at origin: String, in context: LaunchContext
  ) throws -> any PolledOperation {
    try request.start(for: origin, in: context) { result in
      switch result {
      case .failure(let error): return .failure(fail(error, in: context))
      case .success(let response) where (200...299).contains(response.status):
        return succeed(token, "registered with \(origin)", in: context)
      case .success(let response):
        let error = RemoteNotificationsError.rejected(
          origin: origin, status: response.status, response: response.firstLine(hiding: context.secrets))
        return .failure(fail(error, in: context))
      }
    }
  }

  private func succeed(
    _ token: DeviceToken, _ warning: String?, in context: LaunchContext
  ) -> Result<Void, any Error> {
    let details = [token.isNew ? "new" : nil, warning].compactMap(\.self)
    context.note("token \(token.abbreviated)" + details.map { ", \($0)" }.joined())
    return Result {
      try context.emit(LifecycleEventName.didRegisterForRemoteNotifications, payload: token.hexadecimal)
    }
  }

  private func fail(_ error: any Error, in context: LaunchContext) -> any Error {
    let text = context.secrets.masking(String(describing: error))
    do throws(EmitError) {
      try context.emit(LifecycleEventName.didFailToRegisterForRemoteNotifications, payload: text)
    } catch {
      return error
    }
    return error
  }
}

/// An operation that ended when it was created.
private final class FinishedOperation: PolledOperation {
  private let result: Result<Void, any Error>

  init(_ result: Result<Void, any Error>) { self.result = result }

  var descriptors: [Int32] { [] }
  func advance() -> Result<Void, any Error>? { result }
  func release() {}
  func stop(isForced: Bool) {}
}
