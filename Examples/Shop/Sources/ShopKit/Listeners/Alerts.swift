public import AppBoot
public import AppBootLifecycle

/// Tells the user what they should know, and nobody else can tell them.
public final class Alerts: LifecycleListener {
  private let services: Services

  /// Shows alerts by the services.
  public init(_ services: Services) { self.services = services }

  /// Says that no notifications will come.
  public func didFailToRegisterForRemoteNotifications(error: String) {
    services.call("alert no notifications: \(error)")
  }
}
