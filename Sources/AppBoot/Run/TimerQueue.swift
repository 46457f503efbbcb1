/// A queue of the coordinator's timers. The timer with the earliest deadline is at the front.
struct TimerQueue: Sendable {
  enum Kind: Sendable {
    /// The timeout of the launch.
    case launch
    /// The end of the grace period after a cancellation.
    case grace
    /// The end of the grace period of a process that was asked to stop.
    case kill(EngineWork)
    /// The end of the time within which a main-lane step must return.
    case hang(Int)
    /// The start of the next attempt.
    case retry(Int)
    /// The timeout of an attempt.
    case step(Int, attempt: Int)
    /// The timeout of an undo.
    case undo(Int)
  }

  struct Timer: Sendable {
    let deadline: Int64
    let kind: Kind
    let order: Int
  }

  private var heap: [Timer] = []
  private var added = 0

  var first: Timer? { heap.first }

  /// Adds a timer that fires `delay` nanoseconds after a time. If that is beyond the range of the clock, it never
  /// fires.
  mutating func add(_ kind: Kind, after delay: Int64, from time: Int64) {
    let (sum, overflow) = time.addingReportingOverflow(delay)
    let deadline = overflow ? Int64.max : sum
    added += 1
    Heap.insert(Timer(deadline: deadline, kind: kind, order: added), into: &heap, by: Self.precedes)
  }

  mutating func removeFirst() {
    Heap.removeFirst(from: &heap, by: Self.precedes)
  }

  /// Returns whether a timer fires before another one. Timers with the same deadline fire in the order of their
  /// creation.
  private static func precedes(_ left: Timer, _ right: Timer) -> Bool {
    (left.deadline, left.order) < (right.deadline, right.order)
  }
}
