public import AppBoot
import AppBootSystem

/// An observer that stores all events. A test can wait for an event.
public final class RecordingObserver: LaunchObserver {
  private let received = Condition<[LaunchEvent]>([])

  /// Creates an observer without events.
  public init() {}

  /// The events so far, in order.
  public var events: [LaunchEvent] { received.withLock { $0 } }

  /// Stores the event.
  public func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    received.withLock { $0.append(event) }
    received.broadcast()
  }

  /// Blocks the calling thread, without a timeout, until an event matches. Returns the first match.
  ///
  /// Events that arrived before the call count too.
  public func waitForEvent(_ matches: @escaping (LaunchEvent.Kind) -> Bool) -> LaunchEvent {
    while true {
      let event = received.wait { events in events.first { matches($0.kind) } }
      if let event { return event }
    }
  }
}

/// A command for tests that runs a closure on the main lane, where fakes run one at a time.
public struct FakeCommand: UndoableCommand {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(lane: .main)

  private var body: @Sendable (LaunchContext) throws -> Void = { _ in }
  private var undoing: @Sendable (LaunchContext) throws -> Void = { _ in }

  /// Creates a command that does nothing.
  public init() {}

  /// Creates a command that runs a closure.
  ///
  /// - Parameter undo: The closure that undoes the command; by default it does nothing.
  public init(
    _ body: @escaping @Sendable (LaunchContext) throws -> Void,
    undo: @escaping @Sendable (LaunchContext) throws -> Void = { _ in }
  ) {
    self.body = body
    undoing = undo
  }

  /// Runs the closure.
  public func execute(in context: LaunchContext) throws { try body(context) }

  /// Runs the undo closure.
  public func undo(in context: LaunchContext) throws { try undoing(context) }
}
