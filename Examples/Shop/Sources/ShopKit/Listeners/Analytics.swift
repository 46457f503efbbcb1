public import AppBoot
public import AppBootLifecycle

/// Counts how the app is used.
public final class Analytics {
  private let services: Services

  /// Reports to the services.
  public init(_ services: Services) { self.services = services }
}

extension Analytics: LifecycleListener {
  /// Reports the launch with its reason. Sends only once the user has agreed: a gate is an event.
  public func receive(_ event: LifecycleEvent) {
    switch event {
    case .didFinishLaunching(let options): services.call("analytics launch \(options.reason.rawValue)")
    case .custom(let event) where event.name == "consentGranted": services.call("analytics on")
    default: break
    }
  }
}
