/// The names of the events that every app has, as a manifest's `on` writes them.
public enum LifecycleEventName {
  /// The launch itself: the manifest's `commands`.
  public static let didFinishLaunching = "didFinishLaunching"
  /// The first screen is on the window.
  public static let didShowFirstScreen = "didShowFirstScreen"
  /// The device is registered for remote notifications.
  public static let didRegisterForRemoteNotifications = "didRegisterForRemoteNotifications"
  /// The device could not be registered for remote notifications.
  public static let didFailToRegisterForRemoteNotifications = "didFailToRegisterForRemoteNotifications"

  /// Every name.
  public static let all = [
    didFinishLaunching, "willEnterForeground", "didBecomeActive", "willResignActive", "didEnterBackground",
    "willTerminate", didShowFirstScreen, didRegisterForRemoteNotifications,
    didFailToRegisterForRemoteNotifications, "didReceiveRemoteNotification", "willPresentNotification",
    "didReceiveNotificationResponse", "openURL", "continueActivity", "performQuickAction",
    "significantTimeChange", "didReceiveMemoryWarning", "sceneWillConnect", "sceneDidDisconnect",
    "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive", "sceneDidEnterBackground",
  ]
}
