import AppBoot
public import AppBootLifecycle

/// Alerts the user to problems that only the app knows about.
public final class Alerts {
  private let services: Services

  /// Shows alerts by the services.
  public init(_ services: Services) { self.services = services }
}

extension Alerts: LifecycleListener {
  /// Says that no notifications will come.
  public func receive(_ event: LifecycleEvent) {
    guard case .didFailToRegisterForRemoteNotifications(let error) = event else { return }
    services.call("alert no notifications: \(error)")
  }
}
