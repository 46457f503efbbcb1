public import AppBoot
import AppBootSystem

extension LifecycleEvent {
  /// Makes an event of its name and of what came with it as text.
  ///
  /// - `didRegisterForRemoteNotifications`: the token's hexadecimal digits, as they are or as a JSON string.
  /// - `didFailToRegisterForRemoteNotifications`, `didShowFirstScreen`: a text, as it is or as a JSON string.
  /// - `didReceiveRemoteNotification`, `willPresentNotification`: any JSON object; `{}` without one.
  /// - `didReceiveNotificationResponse`: `{ "action": …, "notification": { … } }`, both optional.
  /// - `openURL`: `url`. `continueActivity`: `{ "type": … }`, a universal link without it, and `url`.
  /// - `performQuickAction`: `{ "type": … }`.
  /// - `didFinishLaunching`, `sceneWillConnect`: `url` and any JSON value; `{ "reason": … }` says why.
  /// - An app's own: any text.
  ///
  /// All others take neither. The reverse is ``payload`` and ``url``.
  ///
  /// - Parameter declared: The app's own events.
  /// - Throws: ``LifecycleEventError``.
  public init(
    name: String, payload: String? = nil, url: String? = nil, scene: SceneID? = nil,
    declared: [DeclaredEvent] = []
  ) throws(LifecycleEventError) {
    self = try LifecycleEventReader(name: name, payload: payload, url: url, scene: scene).read(declared)
  }

  /// What came with the event, as text; `nil` where nothing did, or only a URL.
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

  /// The URL that came with the event.
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
  /// The payload from which the same options are read again.
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

/// Small JSON texts.
enum JSONText {
  static func object(_ members: KeyValuePairs<String, String>) -> String {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in members { json.member(name, value) }
    }
    return json.text
  }
}
