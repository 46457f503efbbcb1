#if canImport(UIKit) && !os(watchOS)
import AppBootBase
import AppBootLifecycle
import UIKit

/// An assertion that keeps the app running in the background, until it is ended or the system's time is over.
@MainActor
final class BackgroundAssertion {
  private var task = UIBackgroundTaskIdentifier.invalid

  /// Begins an assertion. The name is for debuggers.
  init(_ name: String) {
    task = UIApplication.shared.beginBackgroundTask(withName: name) { [weak self] in self?.stop() }
  }

  /// Ends the assertion. Any thread can call it, more than once.
  nonisolated func end() {
    MainQueue.run { self.stop() }
  }

  private func stop() {
    guard task != .invalid else { return }
    UIApplication.shared.endBackgroundTask(task)
    task = .invalid
  }
}

extension LifecycleEvent {
  /// True for events whose work the system would interrupt by suspending the app.
  var holdsAssertion: Bool {
    switch self {
    case .didEnterBackground, .sceneDidEnterBackground, .didReceiveRemoteNotification,
      .handleEventsForBackgroundURLSession, .performBackgroundTask:
      true
    default: false
    }
  }
}
#endif
