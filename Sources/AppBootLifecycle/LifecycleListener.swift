public import AppBoot

/// A listener that receives lifecycle events. Implement only the methods for the events that you need.
///
/// The default method for each event does nothing. If a method throws, the error is reported, and the other listeners
/// still receive the event. Methods are called on the thread that sends the event. A listener of the main actor is a
/// ``MainActorListener``.
///
/// A class can also be a ``LifecycleResponder``. It then answers events as a responder, and receives the events without
/// an answer as a listener (``LifecycleHost/Configuration/add(_:)``).
public protocol LifecycleListener: AnyObject, LifecyclePart {
  /// The app was launched.
  func didFinishLaunching(_ options: LaunchOptions) throws
  /// The app is about to come to the foreground.
  func willEnterForeground() throws
  /// The app is in the foreground and receives input.
  func didBecomeActive() throws
  /// The app is about to stop receiving input.
  func willResignActive() throws
  /// The app is in the background.
  func didEnterBackground() throws
  /// The app is about to exit.
  func willTerminate() throws
  /// The app should reload its configuration.
  func didReceiveReload() throws
  /// The process shows its first screen. `screen` is the screen's name; `nil` if it is unknown.
  func didShowFirstScreen(_ screen: String?) throws
  /// A notification that requests a background fetch arrived.
  func didReceiveRemoteNotification(payload: String) throws
  /// A notification arrived while the app is in the foreground.
  func willPresentNotification(payload: String) throws
  /// The user responded to a notification.
  func didReceiveNotificationResponse(_ response: NotificationResponse, scene: SceneID?) throws
  /// The system asks the app to open a URL.
  func openURL(_ url: String, scene: SceneID?) throws
  /// The system asks the app to continue an activity.
  func continueActivity(_ activity: UserActivity, scene: SceneID?) throws
  /// The user chose a quick action.
  func performQuickAction(_ type: String, scene: SceneID?) throws
  /// A new day began, or the time zone or the clock changed.
  func significantTimeChange() throws
  /// The system is low on memory.
  func didReceiveMemoryWarning() throws
  /// A scene is about to appear.
  func sceneWillConnect(_ scene: SceneID, _ options: LaunchOptions) throws
  /// A scene disconnected.
  func sceneDidDisconnect(_ scene: SceneID) throws
  /// A scene is about to come to the foreground.
  func sceneWillEnterForeground(_ scene: SceneID) throws
  /// A scene receives input.
  func sceneDidBecomeActive(_ scene: SceneID) throws
  /// A scene is about to stop receiving input.
  func sceneWillResignActive(_ scene: SceneID) throws
  /// A scene is in the background.
  func sceneDidEnterBackground(_ scene: SceneID) throws
  /// A custom event occurred.
  func custom(_ name: String, payload: String?, scene: SceneID?) throws
}
