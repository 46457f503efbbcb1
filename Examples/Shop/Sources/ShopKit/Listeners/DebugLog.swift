import AppBoot
public import AppBootLifecycle

/// Logs every event.
public final class DebugLog {
  private let services: Services

  /// Logs to the services.
  public init(_ services: Services) { self.services = services }
}

extension DebugLog: LifecycleListener {
  /// Logs.
  public func receive(_ event: LifecycleEvent) { services.call("log \(event.name)") }
}
