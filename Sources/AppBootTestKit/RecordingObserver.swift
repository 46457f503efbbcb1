public import AppBoot
import AppBootSystem

/// An observer that stores all events and lets a test wait for one.
public final class RecordingObserver: StartupObserver {
  private let received = Condition<[StartupEvent]>([])

  /// Creates an observer without events.
  public init() {}

  /// Every event so far, in order.
  public var events: [StartupEvent] { received.withLock { $0 } }

  /// Stores the event.
  public func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    received.withLock { $0.append(event) }
    received.broadcast()
  }

  /// Blocks the calling thread, without a timeout, until an event matches, and returns the first match.
  ///
  /// Events from before the call count. The result is never `nil`.
  public func waitForEvent(_ matches: @escaping (StartupEvent.Kind) -> Bool) -> StartupEvent? {
    received.wait { events in events.first { matches($0.kind) } }
  }
}
