import AppBoot
public import AppBootLifecycle

/// Asks the system for time to work while the app is in the background, and does the work.
public final class BackgroundTasks {
  private let services: Services

  /// Asks the services.
  public init(_ services: Services) { self.services = services }
}

extension BackgroundTasks: LifecycleListener, LifecycleResponder {
  /// Schedules the next refresh. Cancels it in the foreground, because a running app refreshes on its own.
  public func receive(_ event: LifecycleEvent) {
    switch event {
    case .didEnterBackground: services.call("schedule refresh")
    case .willEnterForeground: services.call("cancel refresh")
    default: break
    }
  }

  /// Refreshes the orders. The shop has no other background task.
  public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    guard case .performBackgroundTask(let identifier) = event else { return reply.decline() }
    let isKnown = identifier == "shop.refresh"
    if isKnown { services.call("refresh") }
    reply.answer(.bool(isKnown))
  }
}
