#if canImport(UIKit) && canImport(BackgroundTasks) && !os(watchOS)
import AppBootBase
import AppBootLifecycle
import AppBootSystem
import BackgroundTasks
import UIKit

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

  /// Sends `performBackgroundTask`, and completes the task once: with the outcome, or when its time is over.
  private func perform(_ task: BGTask) {
    let complete = OneShot<Bool> { task.setTaskCompleted(success: $0) }
    task.expirationHandler = { @Sendable in complete(false) }
    receive(.performBackgroundTask(task.identifier)) { complete($0?.succeeded ?? false) }
  }
}
#endif
