/// The phase of the process.
///
///     notLaunched → launching → inactive ⇄ active
///                               inactive ⇄ background       any → terminating
///
/// Platforms sometimes omit an event. Each event therefore leads to its phase from any other phase, except from
/// `terminating`, which is final.
public enum LaunchPhase: String, Sendable, Hashable, CaseIterable {
  /// Before the first event.
  case notLaunched
  /// While the manifest's `commands` run.
  case launching
  /// In the foreground, without input.
  case inactive
  /// In the foreground, with input.
  case active
  /// In the background.
  case background
  /// About to exit.
  case terminating

  /// Returns the phase after an event.
  package func after(_ event: LifecycleEvent) -> LaunchPhase {
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
