public import AppBoot

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
