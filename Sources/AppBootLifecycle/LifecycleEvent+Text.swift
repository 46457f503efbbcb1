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
  /// - `didReceiveNotificationResponse`: `{ "action": …, "notification": { … } }`; both members are optional.
  /// - `openURL`: a URL.
  /// - `continueActivity`: `{ "type": … }` and a URL; without a payload, a universal link.
  /// - `performQuickAction`: `{ "type": … }`.
  /// - `didFinishLaunching`, `sceneWillConnect`: a URL and any JSON value; `{ "reason": … }` sets the reason.
  /// - Custom events: any text.
  ///
  /// Other events have neither a payload nor a URL. The properties ``payload`` and ``url`` of the event are texts of
  /// the same form.
  ///
  /// - Parameter declared: The custom events that the app declares.
  /// - Throws: ``LifecycleEventError``.
  package init(
    name: String, payload: String? = nil, url: String? = nil, scene: SceneID? = nil,
    declared: [DeclaredEvent] = []
  ) throws(LifecycleEventError) {
    self = try LifecycleEventReader(name: name, payload: payload, url: url, scene: scene).read(declared)
  }

  /// The payload of the event as text; `nil` if the event has no payload, or only a URL.
  public var payload: String? {
    switch self {
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground, .willTerminate,
      .didReceiveReload, .openURL, .significantTimeChange, .didReceiveMemoryWarning, .sceneDidDisconnect,
      .sceneWillEnterForeground, .sceneDidBecomeActive, .sceneWillResignActive, .sceneDidEnterBackground:
      nil
    case .didFinishLaunching(let options), .sceneWillConnect(_, let options): options.eventPayload
    case .didShowFirstScreen(let screen): screen
    case .didRegisterForRemoteNotifications(let token): Hexadecimal.text(of: token)
    case .didFailToRegisterForRemoteNotifications(let error): error
    case .didReceiveRemoteNotification(let payload), .willPresentNotification(let payload): payload
    case .didReceiveNotificationResponse(let response, _): response.eventPayload
    case .continueActivity(let activity, _): JSONText.object(["type": activity.type])
    case .performQuickAction(let type, _): JSONText.object(["type": type])
    case .custom(_, let payload, _): payload
    }
  }

  /// The URL of the event; `nil` if the event has no URL.
  public var url: String? {
    switch self {
    case .openURL(let url, _): url
    case .continueActivity(let activity, _): activity.url
    case .didFinishLaunching(let options), .sceneWillConnect(_, let options): options.url
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground, .willTerminate,
      .didReceiveReload, .didShowFirstScreen, .didRegisterForRemoteNotifications,
      .didFailToRegisterForRemoteNotifications, .didReceiveRemoteNotification, .willPresentNotification,
      .didReceiveNotificationResponse, .performQuickAction, .significantTimeChange, .didReceiveMemoryWarning,
      .sceneDidDisconnect, .sceneWillEnterForeground, .sceneDidBecomeActive, .sceneWillResignActive,
      .sceneDidEnterBackground, .custom:
      nil
    }
  }
}

extension LaunchOptions {
  /// The payload, or else a payload with the reason; `nil` if the reason follows from the URL.
  fileprivate var eventPayload: String? {
    if let payload { return payload }
    return self == LaunchOptions(url: url) ? nil : JSONText.object(["reason": reason.rawValue])
  }
}

extension NotificationResponse {
  fileprivate var eventPayload: String {
    var json = JSONWriter()
    json.object { json in
      if let action { json.member("action", action) }
      json.key("notification")
      json.raw(payload.utf8)
    }
    return json.text
  }
}

/// A namespace for functions that write small JSON texts.
enum JSONText {
  static func object(_ members: KeyValuePairs<String, String>) -> String {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in members { json.member(name, value) }
    }
    return json.text
  }
}
