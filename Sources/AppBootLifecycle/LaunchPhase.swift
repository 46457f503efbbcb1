/// A phase in the life of the process.
///
///     notLaunched → launching → inactive ⇄ active
///                               inactive ⇄ background       any → terminating
///
/// Platforms sometimes omit an event. An event therefore leads to its phase from any other phase. The exceptions are
/// `launching`, which only follows `notLaunched`, and `terminating`, which is final.
public enum LaunchPhase: String, Sendable, Hashable, CaseIterable {
  /// The app has not been launched yet.
  case notLaunched
  /// The manifest's `commands` are running.
  case launching
  /// The app is in the foreground, but receives no input.
  case inactive
  /// The app is in the foreground, and receives input.
  case active
  /// The app is in the background.
  case background
  /// The app is about to exit.
  case terminating

  /// Returns the phase that follows this phase when an event arrives.
  package func after(_ event: LifecycleEvent) -> LaunchPhase {
    guard self != .terminating else { return self }
    switch event {
    case .didFinishLaunching: return self == .notLaunched ? .launching : self
    case .willEnterForeground, .willResignActive: return .inactive
    case .didBecomeActive: return .active
    case .didEnterBackground: return .background
    case .willTerminate: return .terminating
    default: return self
    }
  }
}
