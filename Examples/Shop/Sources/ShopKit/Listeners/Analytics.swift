public import AppBoot
public import AppBootLifecycle

/// Counts how the app is used.
public final class Analytics {
  private let services: Services

  /// Reports to the services.
  public init(_ services: Services) { self.services = services }
}

extension Analytics: LifecycleListener {
  /// Reports the launch with its reason.
  public func didFinishLaunching(_ options: LaunchOptions) {
    services.call("analytics launch \(options.reason.rawValue)")
  }

  /// Sends only once the user has agreed: a gate is an event.
  public func custom(_ name: String, payload: String?, scene: SceneID?) {
    if name == "consentGranted" { services.call("analytics on") }
  }
}
