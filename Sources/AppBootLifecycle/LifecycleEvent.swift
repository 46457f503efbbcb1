public import AppBoot

/// Something that happens to an app, from its launch to its end.
///
/// Some events may be meant for the process or for one scene; those carry the scene, or `nil`.
public enum LifecycleEvent: Sendable, Hashable {
  /// The launch itself.
  case didFinishLaunching(LaunchOptions)
  /// The app is about to come to the foreground.
  case willEnterForeground
  /// The app is in the foreground and takes input.
  case didBecomeActive
  /// The app is about to take no more input.
  case willResignActive
  /// The app is in the background.
  case didEnterBackground
  /// The app is about to end.
  case willTerminate
  /// The app was asked to read its configuration again (`SIGHUP`).
  case didReceiveReload
  /// The first screen of the process is on its window; with the screen's name.
  case didShowFirstScreen(screen: String?)
  /// The device is registered for remote notifications.
  case didRegisterForRemoteNotifications(token: [UInt8])
  /// The device could not be registered for remote notifications; with the error's words.
  case didFailToRegisterForRemoteNotifications(error: String)
  /// A notification came that asks for work in the background; the payload is a JSON object.
  case didReceiveRemoteNotification(payload: String)
  /// A notification came while the app is in the foreground; the payload is a JSON object.
  case willPresentNotification(payload: String)
  /// The user answered a notification.
  case didReceiveNotificationResponse(NotificationResponse, scene: SceneID? = nil)
  /// The app was asked to open a URL.
  case openURL(String, scene: SceneID? = nil)
  /// The app was asked to continue an activity: a universal link, Handoff.
  case continueActivity(UserActivity, scene: SceneID? = nil)
  /// The user chose a quick action; with its type.
  case performQuickAction(String, scene: SceneID? = nil)
  /// The day, the time zone or the clock changed.
  case significantTimeChange
  /// The system is short of memory.
  case didReceiveMemoryWarning
  /// A scene is about to appear; with why and with what.
  case sceneWillConnect(SceneID, LaunchOptions)
  /// A scene has gone.
  case sceneDidDisconnect(SceneID)
  /// A scene is about to come to the foreground.
  case sceneWillEnterForeground(SceneID)
  /// A scene takes input.
  case sceneDidBecomeActive(SceneID)
  /// A scene is about to take no more input.
  case sceneWillResignActive(SceneID)
  /// A scene is in the background.
  case sceneDidEnterBackground(SceneID)
  /// An event of the app's own, declared in its registry.
  case custom(name: String, payload: String? = nil, scene: SceneID? = nil)

  /// The event's name, as a manifest's `on` writes it.
  public var name: String {
    switch self {
    case .didFinishLaunching: LifecycleEventName.didFinishLaunching
    case .willEnterForeground: LifecycleEventName.willEnterForeground
    case .didBecomeActive: LifecycleEventName.didBecomeActive
    case .willResignActive: LifecycleEventName.willResignActive
    case .didEnterBackground: LifecycleEventName.didEnterBackground
    case .willTerminate: LifecycleEventName.willTerminate
    case .didReceiveReload: LifecycleEventName.didReceiveReload
    case .didShowFirstScreen: LifecycleEventName.didShowFirstScreen
    case .didRegisterForRemoteNotifications: LifecycleEventName.didRegisterForRemoteNotifications
    case .didFailToRegisterForRemoteNotifications: LifecycleEventName.didFailToRegisterForRemoteNotifications
    case .didReceiveRemoteNotification: LifecycleEventName.didReceiveRemoteNotification
    case .willPresentNotification: LifecycleEventName.willPresentNotification
    case .didReceiveNotificationResponse: LifecycleEventName.didReceiveNotificationResponse
    case .openURL: LifecycleEventName.openURL
    case .continueActivity: LifecycleEventName.continueActivity
    case .performQuickAction: LifecycleEventName.performQuickAction
    case .significantTimeChange: LifecycleEventName.significantTimeChange
    case .didReceiveMemoryWarning: LifecycleEventName.didReceiveMemoryWarning
    case .sceneWillConnect: LifecycleEventName.sceneWillConnect
    case .sceneDidDisconnect: LifecycleEventName.sceneDidDisconnect
    case .sceneWillEnterForeground: LifecycleEventName.sceneWillEnterForeground
    case .sceneDidBecomeActive: LifecycleEventName.sceneDidBecomeActive
    case .sceneWillResignActive: LifecycleEventName.sceneWillResignActive
    case .sceneDidEnterBackground: LifecycleEventName.sceneDidEnterBackground
    case .custom(let name, _, _): name
    }
  }

  /// To whom the event belongs.
  public var scope: LifecycleScope {
    switch self {
    case .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
      .willTerminate, .didReceiveReload, .didShowFirstScreen, .didRegisterForRemoteNotifications,
      .didFailToRegisterForRemoteNotifications, .didReceiveRemoteNotification, .willPresentNotification,
      .significantTimeChange, .didReceiveMemoryWarning:
      .process
    case .didReceiveNotificationResponse(_, let scene), .openURL(_, let scene),
      .continueActivity(_, let scene),
      .performQuickAction(_, let scene), .custom(_, _, let scene):
      scene.map(LifecycleScope.scene) ?? .process
    case .sceneWillConnect(let scene, _), .sceneDidDisconnect(let scene),
      .sceneWillEnterForeground(let scene),
      .sceneDidBecomeActive(let scene), .sceneWillResignActive(let scene),
      .sceneDidEnterBackground(let scene):
      .scene(scene)
    }
  }
}

/// What the user did with a notification.
public struct NotificationResponse: Sendable, Hashable {
  /// The action that was chosen; `nil` where the notification itself was tapped.
  public var action: String?
  /// The notification's payload, a JSON object.
  public var payload: String

  /// Describes a response.
  public init(action: String? = nil, payload: String = "{}") {
    self.action = action
    self.payload = payload
  }
}

/// What a user was doing elsewhere and goes on with here.
public struct UserActivity: Sendable, Hashable {
  /// The type of a universal link: what Foundation calls `NSUserActivityTypeBrowsingWeb`.
  public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// The activity's type.
  public var type: String
  /// The web page that the activity is about.
  public var url: String?

  /// Describes an activity; without a type, a universal link.
  public init(type: String = UserActivity.browsingWeb, url: String? = nil) {
    self.type = type
    self.url = url
  }
}
