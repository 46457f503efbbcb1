import AppBoot
public import AppBootLifecycle

/// Clears the badge as soon as the user looks at the app.
public final class BadgeListener {
  private let services: Services

  /// Clears the services' badge.
  public init(_ services: Services) { self.services = services }
}

extension BadgeListener: LifecycleListener {
  /// Clears.
  public func didBecomeActive() { services.setBadge(0) }
}
