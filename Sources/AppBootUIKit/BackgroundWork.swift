#if canImport(UIKit) && !os(watchOS)
import AppBootBase
import AppBootLifecycle
import AppBootSystem
import UIKit
#if canImport(BackgroundTasks)
import BackgroundTasks
#endif

/// An assertion that keeps the app running in the background, until it is ended or the background time is over.
@MainActor
final class BackgroundAssertion {
  private var task = UIBackgroundTaskIdentifier.invalid

  /// Begins an assertion. The name is for debuggers. `expire` is called if the background time runs out first.
  init(_ name: String, _ expire: @escaping @Sendable () -> Void) {
    task = UIApplication.shared.beginBackgroundTask(withName: name) { [weak self] in
      expire()
      self?.stop()
    }
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

#if canImport(BackgroundTasks)
extension AppBootAppDelegate {
  /// Registers ``backgroundTasks`` with the system, which must happen before the launch has finished.
  func registerBackgroundTasks() {
    for identifier in backgroundTasks {
      let launch: @Sendable (BGTask) -> Void = { [weak self] task in
        let task = UncheckedSendable(task)
        MainQueue.run { self?.perform(task.value) }
      }
      if !BGTaskScheduler.shared.register(
        forTaskWithIdentifier: identifier, using: .main, launchHandler: launch)
      {
        NSLog(
          "AppBoot: the background task %@ is not registered: %@", identifier,
          "list it once in BGTaskSchedulerPermittedIdentifiers of Info.plist")
      }
    }
  }

  /// Sends `performBackgroundTask`, and completes the task once: with the outcome, or when its time is over, which also
  /// cancels the handlers.
  private func perform(_ task: BGTask) {
    let event = LifecycleEvent.performBackgroundTask(task.identifier)
    let complete = OneShot<Bool> { task.setTaskCompleted(success: $0) }
    let expiration = EventExpiration()
    task.expirationHandler = { @Sendable in
      expiration.expire()
      complete(false)
    }
    receive(event, expiration: expiration) { complete($0?.succeeded ?? false) }
  }
}
#endif
#endif
