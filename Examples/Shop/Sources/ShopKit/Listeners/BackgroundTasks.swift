import AppBoot
public import AppBootLifecycle

/// Asks the system for time to work while the app is in the background, and does the work.
public final class BackgroundTasks {
  private let services: Services

  /// Asks the services.
  public init(_ services: Services) { self.services = services }
}

extension BackgroundTasks: LifecycleListener, LifecycleResponder {
  /// Schedules the next refresh.
  public func didEnterBackground() { services.call("schedule refresh") }

  /// Cancels the task: a running app refreshes on its own.
  public func willEnterForeground() { services.call("cancel refresh") }

  /// Refreshes the orders. The shop has no other background task.
  public func performBackgroundTask(
    _ identifier: String, completion: @escaping @Sendable (Bool) -> Void
  ) {
    let isKnown = identifier == "shop.refresh"
    if isKnown { services.call("refresh") }
    completion(isKnown)
  }
}
