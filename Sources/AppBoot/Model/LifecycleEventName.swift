/// The names of the events that every app has, as a manifest's `on` writes them.
package enum LifecycleEventName {
  /// The launch itself: the manifest's `commands`.
  package static let didFinishLaunching = "didFinishLaunching"
  /// The app is about to come to the foreground.
  package static let willEnterForeground = "willEnterForeground"
  /// The app is in the foreground and takes input.
  package static let didBecomeActive = "didBecomeActive"
  /// The app is about to take no more input.
  package static let willResignActive = "willResignActive"
  /// The app is in the background.
  package static let didEnterBackground = "didEnterBackground"
  /// The app is about to end.
  package static let willTerminate = "willTerminate"
  /// The app was asked to read its configuration again (`SIGHUP`).
  package static let didReceiveReload = "didReceiveReload"
  /// The first screen is on the window.
  package static let didShowFirstScreen = "didShowFirstScreen"
  /// The device is registered for remote notifications.
  package static let didRegisterForRemoteNotifications = "didRegisterForRemoteNotifications"
  /// The device could not be registered for remote notifications.
  package static let didFailToRegisterForRemoteNotifications = "didFailToRegisterForRemoteNotifications"
  /// A notification came that asks for work in the background.
  package static let didReceiveRemoteNotification = "didReceiveRemoteNotification"
  /// A notification came while the app is in the foreground.
  package static let willPresentNotification = "willPresentNotification"
  /// The user answered a notification.
  package static let didReceiveNotificationResponse = "didReceiveNotificationResponse"
  /// The app was asked to open a URL.
  package static let openURL = "openURL"
  /// The app was asked to continue an activity: a universal link, Handoff.
  package static let continueActivity = "continueActivity"
  /// The user chose a quick action.
  package static let performQuickAction = "performQuickAction"
  /// The day, the time zone or the clock changed.
  package static let significantTimeChange = "significantTimeChange"
  /// The system is short of memory.
  package static let didReceiveMemoryWarning = "didReceiveMemoryWarning"
  /// A scene is about to appear.
  package static let sceneWillConnect = "sceneWillConnect"
  /// A scene has gone.
  package static let sceneDidDisconnect = "sceneDidDisconnect"
  /// A scene is about to come to the foreground.
  package static let sceneWillEnterForeground = "sceneWillEnterForeground"
  /// A scene takes input.
  package static let sceneDidBecomeActive = "sceneDidBecomeActive"
  /// A scene is about to take no more input.
  package static let sceneWillResignActive = "sceneWillResignActive"
  /// A scene is in the background.
  package static let sceneDidEnterBackground = "sceneDidEnterBackground"

  /// Every name.
  package static let all = [
    didFinishLaunching, willEnterForeground, didBecomeActive, willResignActive, didEnterBackground,
    willTerminate, didReceiveReload, didShowFirstScreen, didRegisterForRemoteNotifications,
    didFailToRegisterForRemoteNotifications, didReceiveRemoteNotification, willPresentNotification,
    didReceiveNotificationResponse, openURL, continueActivity, performQuickAction, significantTimeChange,
    didReceiveMemoryWarning, sceneWillConnect, sceneDidDisconnect, sceneWillEnterForeground,
    sceneDidBecomeActive, sceneWillResignActive, sceneDidEnterBackground,
  ]
}
