/// A namespace for the names of the standard events, as they are written in a manifest's `on`.
package enum LifecycleEventName {
  /// The app is about to finish its launch, and has not restored its state yet.
  package static let willFinishLaunching = "willFinishLaunching"
  /// The app was launched. Its handlers are the manifest's `commands`.
  package static let didFinishLaunching = "didFinishLaunching"
  /// The app is about to come to the foreground.
  package static let willEnterForeground = "willEnterForeground"
  /// The app is in the foreground and receives input.
  package static let didBecomeActive = "didBecomeActive"
  /// The app is about to stop receiving input.
  package static let willResignActive = "willResignActive"
  /// The app is in the background.
  package static let didEnterBackground = "didEnterBackground"
  /// The app is about to exit.
  package static let willTerminate = "willTerminate"
  /// The app should reload its configuration (`SIGHUP`).
  package static let didReceiveReload = "didReceiveReload"
  /// The first screen is on the window.
  package static let didShowFirstScreen = "didShowFirstScreen"
  /// The device is registered for remote notifications.
  package static let didRegisterForRemoteNotifications = "didRegisterForRemoteNotifications"
  /// The registration for remote notifications failed.
  package static let didFailToRegisterForRemoteNotifications = "didFailToRegisterForRemoteNotifications"
  /// A notification that requests a background fetch arrived.
  package static let didReceiveRemoteNotification = "didReceiveRemoteNotification"
  /// A notification arrived while the app is in the foreground.
  package static let willPresentNotification = "willPresentNotification"
  /// The user responded to a notification.
  package static let didReceiveNotificationResponse = "didReceiveNotificationResponse"
  /// The app should open a URL.
  package static let openURL = "openURL"
  /// The app should continue an activity: a universal link or Handoff.
  package static let continueActivity = "continueActivity"
  /// The user chose a quick action.
  package static let performQuickAction = "performQuickAction"
  /// A new day began, or the time zone or the clock changed.
  package static let significantTimeChange = "significantTimeChange"
  /// The system is low on memory.
  package static let didReceiveMemoryWarning = "didReceiveMemoryWarning"
  /// The device is about to be locked, and protected files with it.
  package static let protectedDataWillBecomeUnavailable = "protectedDataWillBecomeUnavailable"
  /// The device was unlocked, and protected files with it.
  package static let protectedDataDidBecomeAvailable = "protectedDataDidBecomeAvailable"
  /// Transfers of a background URL session have ended.
  package static let handleEventsForBackgroundURLSession = "handleEventsForBackgroundURLSession"
  /// The system runs a background task of the app.
  package static let performBackgroundTask = "performBackgroundTask"
  /// The user accepted an invitation to records in CloudKit.
  package static let userDidAcceptCloudKitShare = "userDidAcceptCloudKitShare"
  /// The app should show its settings for notifications.
  package static let openNotificationSettings = "openNotificationSettings"
  /// The user removed scenes that were not connected.
  package static let didDiscardSceneSessions = "didDiscardSceneSessions"
  /// A scene is about to appear.
  package static let sceneWillConnect = "sceneWillConnect"
  /// A scene disconnected.
  package static let sceneDidDisconnect = "sceneDidDisconnect"
  /// A scene is about to come to the foreground.
  package static let sceneWillEnterForeground = "sceneWillEnterForeground"
  /// A scene receives input.
  package static let sceneDidBecomeActive = "sceneDidBecomeActive"
  /// A scene is about to stop receiving input.
  package static let sceneWillResignActive = "sceneWillResignActive"
  /// A scene is in the background.
  package static let sceneDidEnterBackground = "sceneDidEnterBackground"

  /// All names of standard events.
  package static let all = [
    willFinishLaunching, didFinishLaunching, willEnterForeground, didBecomeActive, willResignActive,
    didEnterBackground,
    willTerminate, didReceiveReload, didShowFirstScreen, didRegisterForRemoteNotifications,
    didFailToRegisterForRemoteNotifications, didReceiveRemoteNotification, willPresentNotification,
    didReceiveNotificationResponse, openURL, continueActivity, performQuickAction, significantTimeChange,
    didReceiveMemoryWarning, protectedDataWillBecomeUnavailable, protectedDataDidBecomeAvailable,
    handleEventsForBackgroundURLSession, performBackgroundTask, userDidAcceptCloudKitShare,
    openNotificationSettings, didDiscardSceneSessions, sceneWillConnect, sceneDidDisconnect,
    sceneWillEnterForeground,
    sceneDidBecomeActive, sceneWillResignActive, sceneDidEnterBackground,
  ]
}
