public import AppBoot
import AppBootSystem

/// Keeps every event that it hears of, and lets a test wait for one.
public final class RecordingObserver: StartupObserver {
  private let heard = Condition<[StartupEvent]>([])

  /// Creates an observer that has heard nothing.
  public init() {}

  /// Every event so far, in order.
  public var events: [StartupEvent] { heard.withLock { $0 } }

  /// Keeps the event.
  public func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    heard.withLock { $0.append(event) }
    heard.broadcast()
  }

  /// Blocks the calling thread until an event has happened that `matches`, and returns the first.
  public func waitForEvent(_ matches: @escaping (StartupEvent.Kind) -> Bool) -> StartupEvent? {
    heard.wait { events in events.first { matches($0.kind) } }
  }
}
