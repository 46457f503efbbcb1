/// A queue of the coordinator's timers. The timer with the earliest deadline is at the front.
struct TimerQueue: Sendable {
  enum Kind: Sendable, Equatable {
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

  struct Timer: Sendable, Comparable {
    let deadline: Int64
    /// The number of the timers before this one. Of timers with one deadline, the first one fires first.
    fileprivate let number: Int
    let kind: Kind

    static func < (left: Timer, right: Timer) -> Bool {
      (left.deadline, left.number) < (right.deadline, right.number)
    }
  }

  private var timers = Heap<Timer>()
  private var count = 0

  var first: Timer? { timers.first }

  /// Adds a timer that fires `delay` nanoseconds after a time. If that is beyond the range of the clock, it never
  /// fires.
  mutating func add(_ kind: Kind, after delay: Int64, from time: Int64) {
    let (sum, overflow) = time.addingReportingOverflow(delay)
    timers.insert(Timer(deadline: overflow ? .max : sum, number: count, kind: kind))
    count += 1
  }

  mutating func removeFirst() { _ = timers.removeFirst() }
}
