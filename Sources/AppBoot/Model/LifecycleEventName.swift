/// The names of the events that every app has, as a manifest's `on` writes them.
public enum LifecycleEventName {
  /// The launch itself: the manifest's `commands`.
  public static let didFinishLaunching = "didFinishLaunching"
  /// The app is about to come to the foreground.
  public static let willEnterForeground = "willEnterForeground"
  /// The app is in the foreground and takes input.
  public static let didBecomeActive = "didBecomeActive"
  /// The app is about to take no more input.
  public static let willResignActive = "willResignActive"
  /// The app is in the background.
  public static let didEnterBackground = "didEnterBackground"
  /// The app is about to end.
  public static let willTerminate = "willTerminate"
  /// The app was asked to read its configuration again (`SIGHUP`).
  public static let didReceiveReload = "didReceiveReload"
  /// The first screen is on the window.
  public static let didShowFirstScreen = "didShowFirstScreen"
  /// The device is registered for remote notifications.
  public static let didRegisterForRemoteNotifications = "didRegisterForRemoteNotifications"
  /// The device could not be registered for remote notifications.
  public static let didFailToRegisterForRemoteNotifications = "didFailToRegisterForRemoteNotifications"
  /// A notification came that asks for work in the background.
  public static let didReceiveRemoteNotification = "didReceiveRemoteNotification"
  /// A notification came while the app is in the foreground.
  public static let willPresentNotification = "willPresentNotification"
  /// The user answered a notification.
  public static let didReceiveNotificationResponse = "didReceiveNotificationResponse"
  /// The app was asked to open a URL.
  public static let openURL = "openURL"
  /// The app was asked to continue an activity: a universal link, Handoff.
  public static let continueActivity = "continueActivity"
  /// The user chose a quick action.
  public static let performQuickAction = "performQuickAction"
  /// The day, the time zone or the clock changed.
  public static let significantTimeChange = "significantTimeChange"
  /// The system is short of memory.
  public static let didReceiveMemoryWarning = "didReceiveMemoryWarning"
  /// A scene is about to appear.
  public static let sceneWillConnect = "sceneWillConnect"
  /// A scene has gone.
  public static let sceneDidDisconnect = "sceneDidDisconnect"
  /// A scene is about to come to the foreground.
  public static let sceneWillEnterForeground = "sceneWillEnterForeground"
  /// A scene takes input.
  public static let sceneDidBecomeActive = "sceneDidBecomeActive"
  /// A scene is about to take no more input.
  public static let sceneWillResignActive = "sceneWillResignActive"
  /// A scene is in the background.
  public static let sceneDidEnterBackground = "sceneDidEnterBackground"

  /// Every name.
  public static let all = [
    didFinishLaunching, willEnterForeground, didBecomeActive, willResignActive, didEnterBackground,
    willTerminate, didReceiveReload, didShowFirstScreen, didRegisterForRemoteNotifications,
    didFailToRegisterForRemoteNotifications, didReceiveRemoteNotification, willPresentNotification,
    didReceiveNotificationResponse, openURL, continueActivity, performQuickAction, significantTimeChange,
    didReceiveMemoryWarning, sceneWillConnect, sceneDidDisconnect, sceneWillEnterForeground,
    sceneDidBecomeActive, sceneWillResignActive, sceneDidEnterBackground,
  ]
}
