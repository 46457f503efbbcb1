import AppBootSystem

/// A source of lifecycle events: the platform, POSIX signals or a test.
public protocol LifecycleEventSource: AnyObject, Sendable {
  /// Starts to forward events to `receive`, until ``stop()``. It is called once.
  ///
  /// - Throws: An error if the source cannot be started.
  func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) throws

  /// Stops forwarding. It is called once after ``start(_:)``, and does not wait for an event in progress.
  func stop()
}

/// A source whose events are sent by code: by a test, or by a bridge from a delegate.
public final class ManualEventSource: LifecycleEventSource {
  private let receiver = Lock<(@Sendable (LifecycleEvent) -> Void)?>(nil)

  /// Creates a source without a receiver.
  public init() {}

  /// True between ``start(_:)`` and ``stop()``.
  public var isStarted: Bool { receiver.withLock { $0 != nil } }

  /// Starts to forward events to `receive`.
  public func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) {
    receiver.withLock { $0 = receive }
  }

  /// Stops forwarding.
  public func stop() { receiver.withLock { $0 = nil } }

  /// Forwards an event on the calling thread; drops it if the source has not been started.
  public func send(_ event: LifecycleEvent) {
    let receive = receiver.withLock { $0 }
    receive?(event)
  }
}
