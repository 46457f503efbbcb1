public import AppBoot
import AppBootBase

/// The push service of a platform, which gives this device its token for remote notifications.
///
/// The command `RegisterRemoteNotifications` uses the one that the registry provides:
/// `registry.provide(service, for: .pushService)`. `AppBootAppDelegate` provides Apple's.
public protocol PushService: Sendable {
  /// Starts a registration, and returns without waiting.
  ///
  /// The service then sends `didRegisterForRemoteNotifications` or `didFailToRegisterForRemoteNotifications`.
  ///
  /// - Throws: An error if the registration cannot be started.
  func register(_ registration: PushRegistration) throws
}

extension ContextKey where Value == any PushService {
  /// The push service that `RegisterRemoteNotifications` uses.
  public static var pushService: Self { Self("pushService") }
}

/// A registration for remote notifications: what the user is asked for, and who gets the token.
public struct PushRegistration: Sendable, Hashable {
  /// A permission that the app asks the user for.
  public enum Permission: String, Hashable, CaseIterable, ParameterValue {
    /// Shows notifications.
    case alert
    /// Changes the number on the app's icon.
    case badge
    /// Plays sounds.
    case sound
    /// Delivers notifications quietly, without asking the user first.
    case provisional
  }

  /// A category of notifications, with the actions that the user can choose.
  public struct Category: Sendable, Hashable {
    /// The identifier, as the notification's payload names it.
    public var id: String
    /// The actions, in the order in which they are shown.
    public var actions: [Action]

    /// Creates a category.
    public init(id: String, actions: [Action]) {
      self.id = id
      self.actions = actions
    }
  }

  /// An action that the user can choose for a notification.
  public struct Action: Sendable, Hashable {
    /// The identifier, which the response to the notification has.
    public var id: String
    /// The title of the action's button.
    public var title: String
    /// True if the action opens the app.
    public var opensApp: Bool
    /// True if the action is shown as one that deletes something.
    public var isDestructive: Bool
    /// The title of the button that sends the user's text; `nil` if the action takes no text.
    public var textButton: String?

    /// Creates an action.
    public init(
      id: String, title: String, opensApp: Bool = false, isDestructive: Bool = false,
      textButton: String? = nil
    ) {
      self.id = id
      self.title = title
      self.opensApp = opensApp
      self.isDestructive = isDestructive
      self.textButton = textButton
    }
  }

  /// A server that gets the token: `POST` with the members `token`, `platform` and `reason`.
  public struct Provider: Sendable, Hashable {
    /// The URL of the request.
    public var url: String
    /// The header fields of the request. Their values can be secrets.
    public var headers: [String: String]
    /// The maximum time that the connection and the response may take together.
    public var timeout: Duration
    /// The reason of the launch.
    public var reason: LaunchReason

    /// Creates a provider.
    public init(url: String, headers: [String: String], timeout: Duration, reason: LaunchReason) {
      self.url = url
      self.headers = headers
      self.timeout = timeout
      self.reason = reason
    }

    /// Returns the body of the request, as JSON.
    ///
    /// - Parameter token: The token as hexadecimal digits.
    package func body(token: String) -> String {
      var body = JSONWriter()
      body.object { json in
        json.member("token", token)
        json.member("platform", Host.platform)
        json.member("reason", reason.rawValue)
      }
      return body.text
    }
  }

  /// The permissions to ask the user for. If there are none, the user is not asked.
  public var permissions: Set<Permission>
  /// The categories of notifications.
  public var categories: [Category]
  /// The server that gets the token; `nil` to send it nowhere.
  public var provider: Provider?

  /// Creates a registration.
  public init(permissions: Set<Permission> = [], categories: [Category] = [], provider: Provider? = nil) {
    self.permissions = permissions
    self.categories = categories
    self.provider = provider
  }
}
