package import AppBoot
import AppBootSystem

extension LifecycleEvent {
  /// Creates an event from its name and the texts of its payload and URL.
  ///
  /// The events take these texts:
  ///
  /// - `didRegisterForRemoteNotifications`: the hexadecimal digits of the token, as plain text or as a JSON string.
  /// - `didFailToRegisterForRemoteNotifications`, `didShowFirstScreen`: plain text or a JSON string.
  /// - `didReceiveRemoteNotification`, `willPresentNotification`: a JSON object; `{}` by default.
  /// - `didReceiveNotificationResponse`: `{ "action", "text", "identifier", "category", "thread", "notification" }`;
  ///   all members are optional.
  /// - `openURL`: a URL, and `{ "sourceApplication", "opensInPlace", "annotation" }`; all members are optional.
  /// - `continueActivity`: `{ "type", "title", "userInfo": { … } }` and a URL; without a payload, a universal link.
  ///   Only the type is required.
  /// - `performQuickAction`: `{ "type", "userInfo": { … } }`; only the type is required.
  /// - `handleEventsForBackgroundURLSession`, `performBackgroundTask`: an identifier, as plain text or a JSON string.
  /// - `userDidAcceptCloudKitShare`: a URL, and `{ "container" }`, which is optional.
  /// - `openNotificationSettings`: a JSON object, or nothing.
  /// - `didDiscardSceneSessions`: `{ "scenes": [ … ] }`.
  /// - `serviceReady`, `serviceFailed`, `serviceRestarted`, `serviceStopped`: `{ "id", "reason", "exitCode",
  ///   "restarts" }`; only the id is required.
  /// - `willFinishLaunching`, `didFinishLaunching`, `sceneWillConnect`: a URL and any JSON value; `{ "reason": … }`
  ///   sets the reason.
  /// - Custom events: any text.
  ///
  /// A member that is not listed is an error. Other events have neither a payload nor a URL. The properties ``payload``
  /// and ``url`` of the event are texts of the same form.
  ///
  /// - Parameter declared: The custom events that the app declares.
  /// - Throws: ``LifecycleEventError``.
  package init(
    name: String, payload: String? = nil, url: String? = nil, scene: SceneID? = nil,
    declared: [EventName] = []
  ) throws(LifecycleEventError) {
    self = try LifecycleEventReader(name: name, payload: payload, url: url, scene: scene).read(declared)
  }

  /// The payload of the event as text; `nil` if the event has no payload, or only a URL.
  public var payload: String? {
    switch self {
    case .willFinishLaunching(let options), .didFinishLaunching(let options): options.eventPayload
    case .sceneWillConnect(let connection): connection.options.eventPayload
    case .didShowFirstScreen(let screen): screen
    case .didRegisterForRemoteNotifications(let token): Hexadecimal.text(of: token)
    case .didFailToRegisterForRemoteNotifications(let error): error
    case .didReceiveRemoteNotification(let payload), .willPresentNotification(let payload): payload
    case .didReceiveNotificationResponse(let response): response.eventPayload
    case .openURL(let request): request.eventPayload
    case .continueActivity(let activity): activity.eventPayload
    case .performQuickAction(let action): action.eventPayload
    case .handleEventsForBackgroundURLSession(let identifier), .performBackgroundTask(let identifier):
      identifier
    case .userDidAcceptCloudKitShare(let share):
      share.container.map { JSONText.object([("container", $0)]) }
    case .openNotificationSettings(let payload): payload
    case .didDiscardSceneSessions(let scenes):
      "{\"scenes\":[\(scenes.map { $0.name.asJSON }.joined(separator: ","))]}"
    case .custom(let event): event.payload
    default: service?.eventPayload
    }
  }

  /// The URL of the event; `nil` if the event has no URL.
  public var url: String? {
    switch self {
    case .openURL(let request): request.url
    case .userDidAcceptCloudKitShare(let share): share.url
    case .continueActivity(let activity): activity.url
    case .willFinishLaunching(let options), .didFinishLaunching(let options): options.url
    case .sceneWillConnect(let connection): connection.options.url
    default: nil
    }
  }
}

extension LaunchOptions {
  /// The payload, or else a payload with the reason; `nil` if the reason follows from the URL.
  fileprivate var eventPayload: String? {
    if let payload { return payload }
    return self == LaunchOptions(url: url) ? nil : JSONText.object([("reason", reason.rawValue)])
  }
}

extension ServiceChange {
  fileprivate var eventPayload: String {
    JSONText.object(
      [("id", id), ("reason", reason)],
      json: [("exitCode", exitCode.map { String($0) }), ("restarts", String(restarts))])
  }

  /// The environment variables of the event's handlers. One without a value is empty, so that none is inherited.
  var variables: [String: String] {
    [
      "APPBOOT_SERVICE": id, "APPBOOT_SERVICE_REASON": reason ?? "",
      "APPBOOT_SERVICE_EXIT_CODE": exitCode.map { String($0) } ?? "",
    ]
  }
}

extension NotificationResponse {
  fileprivate var eventPayload: String {
    JSONText.object(
      [
        ("action", action), ("text", text), ("identifier", identifier), ("category", category),
        ("thread", thread),
      ], json: [("notification", payload)])
  }
}

extension OpenURLRequest {
  /// The other properties of the request as a JSON object; `nil` if they have their defaults.
  var eventPayload: String? {
    guard sourceApplication != nil || opensInPlace || annotation != nil else { return nil }
    return JSONText.object(
      [("sourceApplication", sourceApplication)],
      json: [("opensInPlace", opensInPlace ? "true" : nil), ("annotation", annotation)])
  }
}

extension UserActivity {
  /// The type, the title and the user info as a JSON object.
  var eventPayload: String {
    JSONText.object([("type", type), ("title", title)], json: [("userInfo", userInfo)])
  }
}

extension QuickAction {
  /// The type and the user info as a JSON object.
  var eventPayload: String { JSONText.object([("type", type)], json: [("userInfo", userInfo)]) }
}

/// A namespace for functions that write small JSON texts.
enum JSONText {
  /// Returns a JSON object with those members that are not `nil`: first texts, then values that are JSON.
  static func object(_ texts: [(String, String?)], json values: [(String, String?)] = []) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      for case (let name, let text?) in texts { writer.member(name, text) }
      for case (let name, let json?) in values {
        writer.key(name)
        writer.raw(json.utf8)
      }
    }
    return writer.text
  }
}
