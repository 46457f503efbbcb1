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

extension LifecycleListener {
  /// Calls the method of this listener for the event.
  public func receive(_ event: LifecycleEvent) throws { try callListenerMethod(for: event) }

  func callListenerMethod(for event: LifecycleEvent) throws {
    switch event {
    case .willFinishLaunching(let options): try willFinishLaunching(options)
    case .didFinishLaunching(let options): try didFinishLaunching(options)
    case .willEnterForeground: try willEnterForeground()
    case .didBecomeActive: try didBecomeActive()
    case .willResignActive: try willResignActive()
    case .didEnterBackground: try didEnterBackground()
    case .willTerminate: try willTerminate()
    case .didReceiveReload: try didReceiveReload()
    case .didShowFirstScreen(let screen): try didShowFirstScreen(screen)
    case .didRegisterForRemoteNotifications(let token): try didRegisterForRemoteNotifications(token: token)
    case .didFailToRegisterForRemoteNotifications(let error):
      try didFailToRegisterForRemoteNotifications(error: error)
    case .didReceiveRemoteNotification(let payload): try didReceiveRemoteNotification(payload: payload)
    case .willPresentNotification(let payload): try willPresentNotification(payload: payload)
    case .didReceiveNotificationResponse(let response, let scene):
      try didReceiveNotificationResponse(response, scene: scene)
    case .openURL(let url, let options, let scene): try openURL(url, options: options, scene: scene)
    case .continueActivity(let activity, let scene): try continueActivity(activity, scene: scene)
    case .performQuickAction(let type, let userInfo, let scene):
      try performQuickAction(type, userInfo: userInfo, scene: scene)
    case .significantTimeChange: try significantTimeChange()
    case .didReceiveMemoryWarning: try didReceiveMemoryWarning()
    case .protectedDataWillBecomeUnavailable: try protectedDataWillBecomeUnavailable()
    case .protectedDataDidBecomeAvailable: try protectedDataDidBecomeAvailable()
    case .handleEventsForBackgroundURLSession(let identifier):
      try handleEventsForBackgroundURLSession(identifier)
    case .performBackgroundTask(let identifier): try performBackgroundTask(identifier)
    case .userDidAcceptCloudKitShare(let share, let scene):
      try userDidAcceptCloudKitShare(share, scene: scene)
    case .openNotificationSettings(let payload): try openNotificationSettings(payload: payload)
    case .didDiscardSceneSessions(let scenes): try didDiscardSceneSessions(scenes)
    case .sceneWillConnect(let scene, let options): try sceneWillConnect(scene, options)
    case .sceneDidDisconnect(let scene): try sceneDidDisconnect(scene)
    case .sceneWillEnterForeground(let scene): try sceneWillEnterForeground(scene)
    case .sceneDidBecomeActive(let scene): try sceneDidBecomeActive(scene)
    case .sceneWillResignActive(let scene): try sceneWillResignActive(scene)
    case .sceneDidEnterBackground(let scene): try sceneDidEnterBackground(scene)
    case .custom(let name, let payload, let scene): try custom(name, payload: payload, scene: scene)
    }
  }

  /// Does nothing.
  public func willFinishLaunching(_ options: LaunchOptions) throws {}
  /// Does nothing.
  public func didFinishLaunching(_ options: LaunchOptions) throws {}
  /// Does nothing.
  public func willEnterForeground() throws {}
  /// Does nothing.
  public func didBecomeActive() throws {}
  /// Does nothing.
  public func willResignActive() throws {}
  /// Does nothing.
  public func didEnterBackground() throws {}
  /// Does nothing.
  public func willTerminate() throws {}
  /// Does nothing.
  public func didReceiveReload() throws {}
  /// Does nothing.
  public func didShowFirstScreen(_ screen: String?) throws {}
  /// Does nothing.
  public func didReceiveRemoteNotification(payload: String) throws {}
  /// Does nothing.
  public func willPresentNotification(payload: String) throws {}
  /// Does nothing.
  public func didReceiveNotificationResponse(_ response: NotificationResponse, scene: SceneID?) throws {}
  /// Calls the method without options.
  public func openURL(_ url: String, options: OpenURLOptions, scene: SceneID?) throws {
    try openURL(url, scene: scene)
  }
  /// Does nothing.
  public func openURL(_ url: String, scene: SceneID?) throws {}
  /// Does nothing.
  public func continueActivity(_ activity: UserActivity, scene: SceneID?) throws {}
  /// Calls the method without user info.
  public func performQuickAction(_ type: String, userInfo: String?, scene: SceneID?) throws {
    try performQuickAction(type, scene: scene)
  }
  /// Does nothing.
  public func performQuickAction(_ type: String, scene: SceneID?) throws {}
  /// Does nothing.
  public func significantTimeChange() throws {}
  /// Does nothing.
  public func didReceiveMemoryWarning() throws {}
  /// Does nothing.
  public func protectedDataWillBecomeUnavailable() throws {}
  /// Does nothing.
  public func protectedDataDidBecomeAvailable() throws {}
  /// Does nothing.
  public func handleEventsForBackgroundURLSession(_ identifier: String) throws {}
  /// Does nothing.
  public func performBackgroundTask(_ identifier: String) throws {}
  /// Does nothing.
  public func userDidAcceptCloudKitShare(_ share: CloudKitShare, scene: SceneID?) throws {}
  /// Does nothing.
  public func openNotificationSettings(payload: String?) throws {}
  /// Does nothing.
  public func didDiscardSceneSessions(_ scenes: [SceneID]) throws {}
  /// Does nothing.
  public func sceneWillConnect(_ scene: SceneID, _ options: LaunchOptions) throws {}
  /// Does nothing.
  public func sceneDidDisconnect(_ scene: SceneID) throws {}
  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: SceneID) throws {}
  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: SceneID) throws {}
  /// Does nothing.
  public func sceneWillResignActive(_ scene: SceneID) throws {}
  /// Does nothing.
  public func sceneDidEnterBackground(_ scene: SceneID) throws {}
  /// Does nothing.
  public func custom(_ name: String, payload: String?, scene: SceneID?) throws {}
}
