public import AppBoot
import AppBootSystem

/// An observer that stores all events.
public final class RecordingObserver: StartupObserver {
  private let received = Lock<[StartupEvent]>([])

  /// Creates an observer without events.
  public init() {}

  /// The events so far, in order.
  public var events: [StartupEvent] { received.withLock { $0 } }

  /// Stores the event.
  public func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    received.withLock { $0.append(event) }
  }
}
