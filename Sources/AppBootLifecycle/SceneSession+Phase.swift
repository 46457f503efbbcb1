extension SceneSession {
  /// A phase in the life of a scene.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The scene is connected and about to appear.
    case connecting
    /// The scene is in the foreground, but receives no input.
    case inactive
    /// The scene is in the foreground, and receives input.
    case active
    /// The scene is in the background.
    case background
    /// The scene is no longer connected.
    case disconnected

    /// Returns the phase that follows this phase when an event of the scene arrives.
    package func after(_ event: LifecycleEvent) -> Phase {
      switch event {
      case .sceneWillConnect: .connecting
      case .sceneDidDisconnect: .disconnected
      case .sceneWillEnterForeground, .sceneWillResignActive: .inactive
      case .sceneDidBecomeActive: .active
      case .sceneDidEnterBackground: .background
      case .willFinishLaunching, .protectedDataWillBecomeUnavailable, .protectedDataDidBecomeAvailable,
        .handleEventsForBackgroundURLSession, .performBackgroundTask, .userDidAcceptCloudKitShare,
        .openNotificationSettings, .didDiscardSceneSessions, .didFinishLaunching, .willEnterForeground,
        .didBecomeActive, .willResignActive,
        .didEnterBackground,
        .willTerminate, .didReceiveReload, .didShowFirstScreen, .didRegisterForRemoteNotifications,
        .didFailToRegisterForRemoteNotifications, .didReceiveRemoteNotification, .willPresentNotification,
        .didReceiveNotificationResponse, .openURL, .continueActivity, .performQuickAction,
        .significantTimeChange, .didReceiveMemoryWarning, .custom:
        self
      }
    }
  }
}
