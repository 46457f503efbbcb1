import AppBootSystem

/// Where events come from: the platform, POSIX signals, a test.
public protocol LifecycleEventSource: AnyObject, Sendable {
  /// Passes on every event from now on, until ``stop()``; called once.
  ///
  /// - Throws: Where the source cannot be subscribed to.
  func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) throws

  /// Passes on no more events; called once after ``start(_:)``, and does not wait for one under way.
  func stop()
}

/// A source that passes on what it is sent: for tests, and for bridges from delegates.
public final class ManualEventSource: LifecycleEventSource {
  private let receiver = Lock<(@Sendable (LifecycleEvent) -> Void)?>(nil)

  /// Creates a source that nobody has subscribed to.
  public init() {}

  /// Whether somebody has subscribed.
  public var isStarted: Bool { receiver.withLock { $0 != nil } }

  /// Passes on what is sent from now on.
  public func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) {
    receiver.withLock { $0 = receive }
  }

  /// Passes on nothing more.
  public func stop() { receiver.withLock { $0 = nil } }

  /// Passes on an event, on the calling thread; without a subscriber it is dropped.
  public func send(_ event: LifecycleEvent) {
    let receive = receiver.withLock { $0 }
    receive?(event)
  }
}
