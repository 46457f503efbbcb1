extension SceneSession {
  /// The phase of a scene.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// About to appear, while the `sceneWillConnect` handlers run.
    case connecting
    /// In the foreground, without input.
    case inactive
    /// In the foreground, with input.
    case active
    /// In the background.
    case background
    /// No longer connected.
    case disconnected

    /// Returns the phase after an event of the scene.
    package func after(_ event: LifecycleEvent) -> Phase {
      switch event {
      case .sceneWillConnect: .connecting
      case .sceneDidDisconnect: .disconnected
      case .sceneWillEnterForeground, .sceneWillResignActive: .inactive
      case .sceneDidBecomeActive: .active
      case .sceneDidEnterBackground: .background
      case .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
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
