public import AppBoot

/// Hears of events; it implements only the methods for those that it cares about.
///
/// Every method does nothing by default. What one throws is reported, and the other listeners still hear.
/// Methods are called on the thread that tells the event.
public protocol LifecycleListener: AnyObject, Sendable {
  /// The listener's name in reports; by default its type's.
  var name: String { get }

  /// Hears of every event; by default it calls the method for the event.
  ///
  /// Whoever implements this one is told nothing by the other methods.
  func hear(_ event: LifecycleEvent) throws

  /// The app was launched.
  func didFinishLaunching(_ options: LaunchOptions) throws
  /// The app is about to come to the foreground.
  func willEnterForeground() throws
  /// The app is in the foreground and takes input.
  func didBecomeActive() throws
  /// The app is about to take no more input.
  func willResignActive() throws
  /// The app is in the background.
  func didEnterBackground() throws
  /// The app is about to end.
  func willTerminate() throws
  /// The app was asked to read its configuration again.
  func didReceiveReload() throws
  /// The first screen of the process is on its window.
  func didShowFirstScreen(_ screen: String?) throws
  /// The device is registered for remote notifications.
  func didRegisterForRemoteNotifications(token: [UInt8]) throws
  /// The device could not be registered for remote notifications.
  func didFailToRegisterForRemoteNotifications(error: String) throws
  /// A notification came that asks for work in the background.
  func didReceiveRemoteNotification(payload: String) throws
  /// A notification came while the app is in the foreground.
  func willPresentNotification(payload: String) throws
  /// The user answered a notification.
  func didReceiveNotificationResponse(_ response: NotificationResponse, scene: SceneID?) throws
  /// The app was asked to open a URL.
  func openURL(_ url: String, scene: SceneID?) throws
  /// The app was asked to continue an activity.
  func continueActivity(_ activity: UserActivity, scene: SceneID?) throws
  /// The user chose a quick action.
  func performQuickAction(_ type: String, scene: SceneID?) throws
  /// The day, the time zone or the clock changed.
  func significantTimeChange() throws
  /// The system is short of memory.
  func didReceiveMemoryWarning() throws
  /// A scene is about to appear.
  func sceneWillConnect(_ scene: SceneID, _ options: LaunchOptions) throws
  /// A scene has gone.
  func sceneDidDisconnect(_ scene: SceneID) throws
  /// A scene is about to come to the foreground.
  func sceneWillEnterForeground(_ scene: SceneID) throws
  /// A scene takes input.
  func sceneDidBecomeActive(_ scene: SceneID) throws
  /// A scene is about to take no more input.
  func sceneWillResignActive(_ scene: SceneID) throws
  /// A scene is in the background.
  func sceneDidEnterBackground(_ scene: SceneID) throws
  /// An event of the app's own.
  func custom(_ name: String, payload: String?, scene: SceneID?) throws
}
