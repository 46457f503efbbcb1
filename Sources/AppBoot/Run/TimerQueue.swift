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
  }

  /// The timers by their deadlines. Timers with the same deadline are in the order of their creation.
  private var timers: ArraySlice<Timer> = []

  var first: Timer? { timers.first }

  /// Adds a timer that fires `delay` nanoseconds after a time. If that is beyond the range of the clock, it never
  /// fires.
  mutating func add(_ kind: Kind, after delay: Int64, from time: Int64) {
    let (sum, overflow) = time.addingReportingOverflow(delay)
    let timer = Timer(deadline: overflow ? .max : sum, kind: kind)
    timers.insert(timer, at: timers.index(forInserting: timer) { $0.deadline < $1.deadline })
  }

  mutating func removeFirst() { timers.removeFirst() }
}
