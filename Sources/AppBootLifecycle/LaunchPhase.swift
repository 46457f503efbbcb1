/// Where the process stands.
///
///     notLaunched → launching → inactive ⇄ active
///                               inactive ⇄ background       any → terminating
///
/// Platforms leave steps out now and then, so that every event leads to its phase from everywhere; only
/// `terminating` is never left.
public enum LaunchPhase: String, Sendable, Hashable, CaseIterable {
  /// Nothing has happened.
  case notLaunched
  /// The manifest's `commands` run.
  case launching
  /// In the foreground, without input.
  case inactive
  /// In the foreground, with input.
  case active
  /// In the background.
  case background
  /// About to end.
  case terminating

  /// The phase after an event.
  public func after(_ event: LifecycleEvent) -> LaunchPhase {
    guard self != .terminating else { return self }
    switch event {
    case .didFinishLaunching: return self == .notLaunched ? .launching : self
    case .willEnterForeground, .willResignActive: return .inactive
    case .didBecomeActive: return .active
    case .didEnterBackground: return .background
    case .willTerminate: return .terminating
    case .didReceiveReload, .didShowFirstScreen, .didRegisterForRemoteNotifications,
      .didFailToRegisterForRemoteNotifications, .didReceiveRemoteNotification, .willPresentNotification,
      .didReceiveNotificationResponse, .openURL, .continueActivity, .performQuickAction,
      .significantTimeChange, .didReceiveMemoryWarning, .sceneWillConnect, .sceneDidDisconnect,
      .sceneWillEnterForeground, .sceneDidBecomeActive, .sceneWillResignActive, .sceneDidEnterBackground,
      .custom:
      return self
    }
  }
}

/// Where a scene stands.
public enum ScenePhase: String, Sendable, Hashable, CaseIterable {
  /// It is about to appear: its list runs, its first screen is picked.
  case connecting
  /// In the foreground, without input.
  case inactive
  /// In the foreground, with input.
  case active
  /// In the background.
  case background
  /// It has gone.
  case disconnected

  /// The phase after an event of the scene.
  public func after(_ event: LifecycleEvent) -> ScenePhase {
    switch event {
    case .sceneWillConnect: .connecting
    case .sceneDidDisconnect: .disconnected
    case .sceneWillEnterForeground, .sceneWillResignActive: .inactive
    case .sceneDidBecomeActive: .active
    case .sceneDidEnterBackground: .background
    case .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
      .willTerminate, .didReceiveReload, .didShowFirstScreen, .didRegisterForRemoteNotifications,
      .didFailToRegisterForRemoteNotifications, .didReceiveRemoteNotification, .willPresentNotification,
      .didReceiveNotificationResponse, .openURL, .continueActivity, .performQuickAction,
      .significantTimeChange, .didReceiveMemoryWarning, .custom:
      self
    }
  }
}
