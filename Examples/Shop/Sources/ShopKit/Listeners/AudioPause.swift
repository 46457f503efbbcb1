import AppBoot
public import AppBootLifecycle

/// Pauses the sound while the app has no input.
public final class AudioPause {
  private let services: Services

  /// Pauses the services' sound.
  public init(_ services: Services) { self.services = services }
}

extension AudioPause: LifecycleListener {
  /// Pauses.
  public func willResignActive() { services.call("audio pause") }

  /// Goes on.
  public func didBecomeActive() { services.call("audio play") }
}
