public import AppBoot
package import AppBootLifecycle
import AppBootSystem

/// A command that obtains this device's token for remote notifications, and registers it with a provider.
///
/// The token comes from the push service that the registry provides. On iOS, tvOS and visionOS `AppBootAppDelegate`
/// provides Apple's. Without a push service, the step fails on iOS, tvOS, watchOS and visionOS. On other systems the
/// command creates a token once, and reuses it in later launches.
public struct RegisterRemoteNotifications: AsyncCommand {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "RegisterRemoteNotifications"

  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Obtains this device's token, and registers it with a provider.",
    discussion: """
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
      """,
    example: """
      { "command": "RegisterRemoteNotifications", "timeout": "2s", "onFailure": "continue" }
      """,
    replacesVariables: false)

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
      try context.emit(.didRegisterForRemoteNotifications, payload: token.hexadecimal)
    }
  }

  private func fail(_ error: any Error, in context: LaunchContext) -> any Error {
    let text = context.secrets.masking(String(describing: error))
    do throws(EmitError) {
      try context.emit(.didFailToRegisterForRemoteNotifications, payload: text)
    } catch {
      return error
    }
    return error
  }
}

/// A category of notifications in a manifest.
package struct NotificationCategory: ParameterGroup {
  /// The identifier, as the notification's payload names it.
  @Parameter("The category's identifier, as the notification's payload names it.")
  package var id: String

  /// The actions, in the order in which they are shown.
  @Parameter("The actions that the user can choose, in the order in which they are shown.")
  package var actions: [NotificationAction] = []

  /// Creates a category without actions.
  package init() {}

  var registration: PushRegistration.Category {
    PushRegistration.Category(id: id, actions: actions.map(\.registration))
  }
}

/// An action of a category of notifications in a manifest.
package struct NotificationAction: ParameterGroup {
  /// The identifier, which the response to the notification has.
  @Parameter("The action's identifier, which the response to the notification has.")
  package var id: String

  /// The title of the action's button.
  @Parameter("The title of the action's button.")
  package var title: String

  /// True if the action opens the app.
  @Parameter("true: the action opens the app.")
  package var opensApp = false

  /// True if the action is shown as one that deletes something.
  @Parameter("true: the action is shown as one that deletes something.")
  package var destructive = false

  /// The title of the button that sends the user's text; `nil` if the action takes no text.
  @Parameter("The title of the button that sends the text which the user types.")
  package var textButton: String?

  /// Creates an action.
  package init() {}

  fileprivate var registration: PushRegistration.Action {
    PushRegistration.Action(
      id: id, title: title, opensApp: opensApp, isDestructive: destructive, textButton: textButton)
  }
}

/// A random identifier of this device: 32 bytes, stored as 64 hexadecimal digits. All launches use the same one.
struct DeviceToken: Sendable, Hashable {
  /// The name of the token's file in the launch's state.
  static let stateName = "device-token"
  static let byteCount = 32

  /// The 64 hexadecimal digits.
  let hexadecimal: String
  /// True if this launch created the token.
  let isNew: Bool

  /// Returns the stored token, or creates and stores a new one. Concurrent launches get the same token.
  static func obtain(from state: any StateStore) throws -> DeviceToken {
    if let bytes = try state.read(stateName) { return try DeviceToken(stored: bytes, in: state) }
    var created: String?
    var stored: [UInt8] = []
    // A launch beside another saves only updates.
    try state.update(stateName) { bytes in
      created = nil
      if let bytes {
        stored = bytes
      } else {
        let digits = SecureRandom.hexadecimal(bytes: byteCount)
        created = digits
        stored = Array("\(digits)\n".utf8)
      }
      return stored
    }
    if let created { return DeviceToken(hexadecimal: created, isNew: true) }
    return try DeviceToken(stored: stored, in: state)
  }

  private init(hexadecimal: String, isNew: Bool) {
    (self.hexadecimal, self.isNew) = (hexadecimal, isNew)
  }

  private init(stored bytes: [UInt8], in state: any StateStore) throws {
    // ASCII white space: an editor may add some at the end.
    let text = String(decoding: bytes.filter { !(9...13).contains($0) && $0 != 32 }, as: UTF8.self)
    guard Hexadecimal.bytes(of: text)?.count == Self.byteCount else {
      throw RemoteNotificationsError.damagedToken(place: FileSystem.join(state.place, Self.stateName))
    }
    self.init(hexadecimal: text.lowercased(), isNew: false)
  }

  /// The first 8 digits and an ellipsis, for output.
  var abbreviated: String { String(hexadecimal.prefix(8)) + "…" }
}

/// An error that prevents the registration for remote notifications. Errors of the request itself have other types.
enum RemoteNotificationsError: Error, Sendable, Hashable {
  /// The stored token is damaged.
  case damagedToken(place: String)
  /// The platform gives the token, but no push service is provided.
  case noPushService
  /// The provider answered with a status other than 2xx. `response` is the first line of the response's body.
  case rejected(origin: String, status: Int, response: String)
}

extension RemoteNotificationsError: CustomStringConvertible {
  /// The error message: the problem and its fix.
  var description: String {
    switch self {
    case .damagedToken(let place):
      "\(place) is damaged: it must hold 64 hexadecimal digits; remove it, and the next launch makes a new token"
    case .noPushService:
      "no push service is provided, and only Apple gives tokens here: use AppBootAppDelegate, or call "
        + "registry.provide(service, for: .pushService)"
    case .rejected(let origin, let status, let response):
      "\(origin) answered with status \(status)" + (response.isEmpty ? "" : ": \(response)")
    }
  }
}

/// The http or https URL of a provider, which is the server that registers device tokens.
package struct ProviderURL: Sendable, Hashable {
  /// The URL as written in the manifest.
  package let text: String
  let parts: URLParts

  /// Parses a URL; returns `nil` if it has another scheme, no host, or a character that URLs do not allow.
  package init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    guard isPlain, let parts = URLParts(text), ["http", "https"].contains(parts.scheme), !parts.host.isEmpty
    else { return nil }
    self.text = text
    self.parts = parts
  }

  /// The scheme and the host, for messages. The user, the path and the query may contain a secret.
  package var origin: String { "\(parts.scheme)://\(parts.host)" }
}

extension ProviderURL: ParameterValue {
  /// The URL as text.
  package static var parameterType: ParameterType<ProviderURL> {
    let schema = ParameterSchema.pattern(
      #"^[Hh][Tt][Tt][Pp][Ss]?://[!#-\[\]-~]+$"#,
      describedAs: "an http or https URL such as \"https://push.example.com/devices\"")
    return ParameterType(schema, placeholder: ProviderURL()) { json, reader in
      guard let text = reader.text(json) else { return nil }
      return ProviderURL(text)
        ?? reader.reject(
          "a provider is an http or https URL, as in \"https://push.example.com/devices\"", json)
    }
  }

  private init() { (text, parts) = ("", URLParts()) }
}
