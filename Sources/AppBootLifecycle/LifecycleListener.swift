public import AppBoot

/// A listener that receives lifecycle events. Implement only the methods for the events that you need.
///
/// Prefer closures over named events (``LifecycleMediator/on(_:_:replaysLaunch:fileID:line:perform:)``): a misspelled
/// method of a listener compiles, and is never called.
///
/// The default method for each event does nothing. If a method throws, the error is reported, and the other listeners
/// still receive the event. Methods are called on the thread that sends the event. A listener of the main actor is a
/// ``MainActorListener``.
///
/// A class can also be a ``LifecycleResponder``. It then answers events as a responder, and receives the events without
/// an answer as a listener (``LifecycleHost/Configuration/add(_:)``).
public protocol LifecycleListener: AnyObject, LifecyclePart {
  /// The app is about to finish its launch, and has not restored its state yet.
  func willFinishLaunching(_ options: LaunchOptions) throws
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
  /// The system asks the app to open a URL. The default calls ``openURL(_:scene:)``.
  func openURL(_ url: String, options: OpenURLOptions, scene: SceneID?) throws
  /// The system asks the app to open a URL.
  func openURL(_ url: String, scene: SceneID?) throws
  /// The system asks the app to continue an activity.
  func continueActivity(_ activity: UserActivity, scene: SceneID?) throws
  /// The user chose a quick action. The default calls ``performQuickAction(_:scene:)``. `userInfo` is a JSON object.
  func performQuickAction(_ type: String, userInfo: String?, scene: SceneID?) throws
  /// The user chose a quick action.
  func performQuickAction(_ type: String, scene: SceneID?) throws
  /// A new day began, or the time zone or the clock changed.
  func significantTimeChange() throws
  /// The system is low on memory.
  func didReceiveMemoryWarning() throws
  /// The device is about to be locked. The app can then no longer read its protected files.
  func protectedDataWillBecomeUnavailable() throws
  /// The device was unlocked. The app can read its protected files.
  func protectedDataDidBecomeAvailable() throws
  /// Transfers of a background URL session have ended.
  func handleEventsForBackgroundURLSession(_ identifier: String) throws
  /// The system runs a background task of the app.
  func performBackgroundTask(_ identifier: String) throws
  /// The user accepted an invitation to records in CloudKit.
  func userDidAcceptCloudKitShare(_ share: CloudKitShare, scene: SceneID?) throws
  /// The app should show its settings for notifications.
  func openNotificationSettings(payload: String?) throws
  /// The user removed scenes that were not connected.
  func didDiscardSceneSessions(_ scenes: [SceneID]) throws
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
