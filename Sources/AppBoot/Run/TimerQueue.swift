/// The limits that the coordinator watches, the earliest in front.
struct TimerQueue: Sendable {
  enum Kind: Sendable {
    /// The launch's own limit.
    case launch
    /// What was told to stop has had its time.
    case grace
    /// A process that was told to stop has had its time.
    case kill(EngineWork)
    /// A main-lane step that was to return has had its time.
    case hang(Int)
    /// The next attempt may begin.
    case retry(Int)
    /// The limit of a step's attempt.
    case step(Int, attempt: Int)
    /// The limit of a step's undo.
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

  /// Sets a timer; a delay that no clock reaches is as good as none.
  mutating func add(_ kind: Kind, after delay: Int64, from time: Int64) {
    let (sum, overflow) = time.addingReportingOverflow(delay)
    let deadline = overflow ? Int64.max : sum
    added += 1
    Heap.insert(Timer(deadline: deadline, kind: kind, order: added), into: &heap, by: Self.precedes)
  }

  mutating func removeFirst() {
    Heap.removeFirst(from: &heap, by: Self.precedes)
  }

  /// Of two timers at one moment, the one that was set first goes first.
  private static func precedes(_ left: Timer, _ right: Timer) -> Bool {
    (left.deadline, left.order) < (right.deadline, right.order)
  }
}
