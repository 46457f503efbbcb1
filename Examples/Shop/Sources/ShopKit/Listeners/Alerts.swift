public import AppBoot
public import AppBootLifecycle

/// Alerts the user to problems that only the app knows about.
public final class Alerts: LifecycleListener {
  private let services: Services

  /// Shows alerts by the services.
  public init(_ services: Services) { self.services = services }

  /// Says that no notifications will come.
  public func didFailToRegisterForRemoteNotifications(error: String) {
    services.call("alert no notifications: \(error)")
  }
}
