package import AppBootLifecycle
public import AppBoot
import AppBootSystem

/// A command that obtains this device's token for remote notifications, and registers it with a provider.
///
/// The token comes from the push service that the registry provides. On iOS, tvOS and visionOS `AppBootAppDelegate`
/// provides Apple's. Without a push service, the step fails on iOS, tvOS, watchOS and visionOS. On other systems the
/// command creates a token once, and reuses it in later launches.
public struct RegisterRemoteNotifications: AsyncCommand {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "RegisterRemoteNotifications"

  /// The command's one-line description, for the catalogue and help.
  public static let abstract = "Obtains this device's token, and registers it with a provider."

  /// The command's rules and effects, for the catalogue and help.
  public static let discussion = """
    With a push service, which AppBootAppDelegate provides on iOS, tvOS and visionOS, the token comes from Apple. \
    The command asks for it and does not wait. It asks the user for the "permissions", and registers the \
    "categories". The token comes later, as the event didRegisterForRemoteNotifications, and is then sent to the \
    "provider" without curl.

    On macOS and Linux without a push service, the token is 32 bytes from the system's random source. It is \
    created once and stored in the state as "device-token", 64 hexadecimal digits (in a state directory: a file \
    that only its owner can read).

    With a "provider" it is sent there: POST, {"token", "platform", "reason"} as JSON, by the program curl, \
    with the machine's proxies and certificates. No argument list contains any of it. The step fails on any \
    status but 2xx, redirects included, without a response within "timeout", and on one over 64 KiB.

    Secrets come from the environment: { "Authorization": "Bearer {env.PUSH_KEY}" }.

    It emits didRegisterForRemoteNotifications with the token, or \
    didFailToRegisterForRemoteNotifications with the error.
    """

  /// An entry that shows the command, for the catalogue and help.
  public static let example = """
    { "command": "RegisterRemoteNotifications", "timeout": "2s", "onFailure": "continue" }
    """

  /// False: the URL and the headers have their own placeholders.
  public static let replacesVariables = false

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

  /// The permissions that a push service asks the user for.
  @Parameter(
    "The permissions to ask for: alert, badge, sound or provisional. Ignored without a push service.")
  package var permissions: [PushRegistration.Permission] = []

  /// The categories of notifications that a push service registers.
  @Parameter("The categories of notifications, with their actions. Ignored without a push service.")
  package var categories: [NotificationCategory] = []

  /// Creates the command without a provider.
  public init() {}

  /// Rejects header fields that HTTP does not allow, and a timeout of zero.
  public func validate(_ validation: inout ParameterValidation) {
    validation.checkRequestHeaders(headers, at: "headers")
    if timeout <= .zero { validation.reject("must be greater than zero", at: "timeout") }
  }

  /// Reads or creates the token. Sends it to the provider, if one is given.
  ///
  /// - Throws: `RemoteNotificationsError`, `PlaceholderError` or `TemplateError`; the error of the state store.
  public func execute(in context: LaunchContext) async throws {
    try await OperationLoop.run(try start(in: context))
  }
}

extension RegisterRemoteNotifications: OperationCommand {
  /// True if `curl` sends the token to a provider.
  package var startsProcesses: Bool { provider != nil }

  /// The names of the variables in the request's header fields.
  package var secretVariables: [String] { TextParameter.variables(in: headers.values) }

  package func start(in context: LaunchContext) throws -> any PolledOperation {
    do {
      if let service = context.value(for: .pushService) {
        try service.register(registration(in: context))
        context.note("asked the push service")
        return FinishedOperation(.success(()))
      }
      if Self.needsPushService { throw RemoteNotificationsError.noPushService }
      let token = try DeviceToken.obtain(from: context.state)
      context.addSecret(token.hexadecimal)
      guard let provider else { return FinishedOperation(succeed(token, nil, in: context)) }
      let request = try request(token, to: provider, in: context)
      return try register(token, with: request, at: provider.origin, in: context)
    } catch {
      throw fail(error, in: context)
    }
  }

  /// True on systems on which only Apple gives tokens.
  private static var needsPushService: Bool {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    true
    #else
    false
    #endif
  }

  private func registration(in context: LaunchContext) throws -> PushRegistration {
    PushRegistration(
      permissions: Set(permissions), categories: categories.map(\.registration),
      provider: try provider.map { try self.provider($0, in: context) })
  }

  private func provider(
    _ provider: ProviderURL, in context: LaunchContext
  ) throws -> PushRegistration.Provider {
    let fields = try HTTPHeader.fields(headers, in: context).map { ($0.name, $0.value) }
    return PushRegistration.Provider(
      url: provider.text, headers: Dictionary(fields) { first, _ in first }, timeout: timeout,
      reason: context.launch.reason)
  }

  private func request(
    _ token: DeviceToken, to url: ProviderURL, in context: LaunchContext
  ) throws -> CurlRequest {
    let provider = try self.provider(url, in: context)
    let type = (name: "Content-Type", value: "application/json")
    let fields = provider.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    return CurlRequest(
      method: "POST", url: url.text, headers: [type] + fields,
      body: .text(provider.body(token: token.hexadecimal)), timeout: timeout)
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
      try context.emit(EventName.didRegisterForRemoteNotifications.name, payload: token.hexadecimal)
    }
  }

  private func fail(_ error: any Error, in context: LaunchContext) -> any Error {
    let text = context.secrets.masking(String(describing: error))
    do throws(EmitError) {
      try context.emit(EventName.didFailToRegisterForRemoteNotifications.name, payload: text)
    } catch {
      return error
    }
    return error
  }
}
