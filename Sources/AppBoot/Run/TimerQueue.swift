/// The timers of the coordinator; the earliest is in front.
struct TimerQueue: Sendable {
  enum Kind: Sendable {
    /// The timeout of the launch.
    case launch
    /// The end of the grace period after a cancellation.
    case grace
    /// The end of a stopping process's grace period.
    case kill(EngineWork)
    /// The end of the time in which a main-lane step has to return.
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

  /// Adds a timer that fires `delay` nanoseconds after a time; a timer past the end of the clock never fires.
  mutating func add(_ kind: Kind, after delay: Int64, from time: Int64) {
    let (sum, overflow) = time.addingReportingOverflow(delay)
    let deadline = overflow ? Int64.max : sum
    added += 1
    Heap.insert(Timer(deadline: deadline, kind: kind, order: added), into: &heap, by: Self.precedes)
  }

  mutating func removeFirst() {
    Heap.removeFirst(from: &heap, by: Self.precedes)
  }

  /// Orders timers by deadline, and timers with one deadline in the order of their creation.
  private static func precedes(_ left: Timer, _ right: Timer) -> Bool {
    (left.deadline, left.order) < (right.deadline, right.order)
  }
}
