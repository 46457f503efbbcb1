public import AppBoot

/// An event in the life of an app, from its launch to its end.
///
/// Some events belong either to the process or to one scene. Their value `scene` is `nil` for the process.
public enum LifecycleEvent: Sendable, Hashable {
  /// The app is about to finish its launch, and has not restored its state yet.
  case willFinishLaunching(LaunchOptions)
  /// The app was launched.
  case didFinishLaunching(LaunchOptions)
  /// The app is about to come to the foreground.
  case willEnterForeground
  /// The app is in the foreground and receives input.
  case didBecomeActive
  /// The app is about to stop receiving input.
  case willResignActive
  /// The app is in the background.
  case didEnterBackground
  /// The app is about to exit.
  case willTerminate
  /// The app should reload its configuration (`SIGHUP`).
  case didReceiveReload
  /// The process shows its first screen. The value is the screen's name; `nil` if it is unknown.
  case didShowFirstScreen(screen: String?)
  /// The device is registered for remote notifications.
  case didRegisterForRemoteNotifications(token: [UInt8])
  /// The registration for remote notifications failed. The value is the error message.
  case didFailToRegisterForRemoteNotifications(error: String)
  /// A notification that requests a background fetch arrived. The payload is a JSON object.
  case didReceiveRemoteNotification(payload: String)
  /// A notification arrived while the app is in the foreground. The payload is a JSON object.
  case willPresentNotification(payload: String)
  /// The user responded to a notification.
  case didReceiveNotificationResponse(NotificationResponse, scene: SceneID? = nil)
  /// The app should open a URL.
  case openURL(String, options: OpenURLOptions = OpenURLOptions(), scene: SceneID? = nil)
  /// The app should continue an activity: a universal link or Handoff.
  case continueActivity(UserActivity, scene: SceneID? = nil)
  /// The user chose a quick action. The value is the action's type, and `userInfo` a JSON object.
  case performQuickAction(String, userInfo: String? = nil, scene: SceneID? = nil)
  /// A new day began, or the time zone or the clock changed.
  case significantTimeChange
  /// The system is low on memory.
  case didReceiveMemoryWarning
  /// The device is about to be locked. The app can then no longer read its protected files.
  case protectedDataWillBecomeUnavailable
  /// The device was unlocked. The app can read its protected files.
  case protectedDataDidBecomeAvailable
  /// Transfers of a background URL session have ended. The value is the session's identifier.
  case handleEventsForBackgroundURLSession(String)
  /// The system runs a background task of the app. The value is the task's identifier.
  case performBackgroundTask(String)
  /// The user accepted an invitation to records in CloudKit.
  case userDidAcceptCloudKitShare(CloudKitShare, scene: SceneID? = nil)
  /// The app should show its settings for notifications. The payload is that of a notification, a JSON object.
  case openNotificationSettings(payload: String? = nil)
  /// The user removed scenes that were not connected, for example in the app switcher.
  case didDiscardSceneSessions([SceneID])
  /// A scene is about to appear. The launch options are the reason and the request of its connection.
  case sceneWillConnect(SceneID, LaunchOptions)
  /// A scene disconnected.
  case sceneDidDisconnect(SceneID)
  /// A scene is about to come to the foreground.
  case sceneWillEnterForeground(SceneID)
  /// A scene receives input.
  case sceneDidBecomeActive(SceneID)
  /// A scene is about to stop receiving input.
  case sceneWillResignActive(SceneID)
  /// A scene is in the background.
  case sceneDidEnterBackground(SceneID)
  /// A custom event that the app's registry declares.
  case custom(name: String, payload: String? = nil, scene: SceneID? = nil)

  /// The name of the event, as it is written in a manifest's `on`.
  public var name: String {
    switch self {
    case .willFinishLaunching: EventName.willFinishLaunching.name
    case .didFinishLaunching: EventName.didFinishLaunching.name
    case .willEnterForeground: EventName.willEnterForeground.name
    case .didBecomeActive: EventName.didBecomeActive.name
    case .willResignActive: EventName.willResignActive.name
    case .didEnterBackground: EventName.didEnterBackground.name
    case .willTerminate: EventName.willTerminate.name
    case .didReceiveReload: EventName.didReceiveReload.name
    case .didShowFirstScreen: EventName.didShowFirstScreen.name
    case .didRegisterForRemoteNotifications: EventName.didRegisterForRemoteNotifications.name
    case .didFailToRegisterForRemoteNotifications: EventName.didFailToRegisterForRemoteNotifications.name
    case .didReceiveRemoteNotification: EventName.didReceiveRemoteNotification.name
    case .willPresentNotification: EventName.willPresentNotification.name
    case .didReceiveNotificationResponse: EventName.didReceiveNotificationResponse.name
    case .openURL: EventName.openURL.name
    case .continueActivity: EventName.continueActivity.name
    case .performQuickAction: EventName.performQuickAction.name
    case .significantTimeChange: EventName.significantTimeChange.name
    case .didReceiveMemoryWarning: EventName.didReceiveMemoryWarning.name
    case .protectedDataWillBecomeUnavailable: EventName.protectedDataWillBecomeUnavailable.name
    case .protectedDataDidBecomeAvailable: EventName.protectedDataDidBecomeAvailable.name
    case .handleEventsForBackgroundURLSession: EventName.handleEventsForBackgroundURLSession.name
    case .performBackgroundTask: EventName.performBackgroundTask.name
    case .userDidAcceptCloudKitShare: EventName.userDidAcceptCloudKitShare.name
    case .openNotificationSettings: EventName.openNotificationSettings.name
    case .didDiscardSceneSessions: EventName.didDiscardSceneSessions.name
    case .sceneWillConnect: EventName.sceneWillConnect.name
    case .sceneDidDisconnect: EventName.sceneDidDisconnect.name
    case .sceneWillEnterForeground: EventName.sceneWillEnterForeground.name
    case .sceneDidBecomeActive: EventName.sceneDidBecomeActive.name
    case .sceneWillResignActive: EventName.sceneWillResignActive.name
    case .sceneDidEnterBackground: EventName.sceneDidEnterBackground.name
    case .custom(let name, _, _): name
    }
  }

  /// The scene that the event belongs to; `nil` for an event of the process.
  public var scene: SceneID? { scope.scene }

  /// The process or the scene that the event belongs to.
  package var scope: LifecycleScope {
    switch self {
    case .willFinishLaunching, .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground, .willTerminate, .didReceiveReload, .didShowFirstScreen,
      .didRegisterForRemoteNotifications, .didFailToRegisterForRemoteNotifications,
      .didReceiveRemoteNotification, .willPresentNotification, .significantTimeChange,
      .didReceiveMemoryWarning, .protectedDataWillBecomeUnavailable, .protectedDataDidBecomeAvailable,
      .handleEventsForBackgroundURLSession, .performBackgroundTask, .openNotificationSettings,
      .didDiscardSceneSessions:
      .process
    case .didReceiveNotificationResponse(_, let scene), .openURL(_, _, let scene),
      .continueActivity(_, let scene), .performQuickAction(_, _, let scene),
      .userDidAcceptCloudKitShare(_, let scene), .custom(_, _, let scene):
      scene.map(LifecycleScope.scene) ?? .process
    case .sceneWillConnect(let scene, _), .sceneDidDisconnect(let scene),
      .sceneWillEnterForeground(let scene),
      .sceneDidBecomeActive(let scene), .sceneWillResignActive(let scene),
      .sceneDidEnterBackground(let scene):
      .scene(scene)
    }
  }
}
