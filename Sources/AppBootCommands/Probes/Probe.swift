import AppBoot
import AppBootSystem

/// A running probe, which checks a condition repeatedly until the condition holds. No call blocks.
///
/// The owner calls ``advance(at:)`` at ``nextDeadline``, and when one of ``descriptors`` is readable. It may also call
/// at other times. After the condition has held once, the probe makes no more checks. The owner must call ``close()``
/// in any case.
final class Probe: Sendable {
  /// The state of a probe.
  enum Answer: Sendable, Hashable {
    /// The condition has held. The text is a sentence for people.
    case ready(String)
    /// The condition does not hold yet.
    case waiting
    /// The condition can never hold. The text is the reason.
    case failed(String)
  }

  private struct State: Sendable {
    var check: any ProbeCheck
    var answer = Answer.waiting
    var attempts = 0
    var lastSeen: String?
    /// The last reason that ``takeNews(at:)`` returned, and the time before which it returns none.
    var reported: String?
    var reportDue: Int64
    /// The start time of the current attempt; `nil` between two attempts.
    var attemptStart: Int64?
    var due: Int64
    var isClosed = false
  }

  /// The nanoseconds after which a running attempt replaces the last attempt's reason in ``obstacle`` by its own.
  private static let longAttempt: Int64 = 500_000_000
  /// The minimum nanoseconds between two reports of the last answer.
  private static let reportInterval: Int64 = 1_000_000_000

  private let start: Int64
  private let mostFailures: Int
  private let pace: ProbePace
  private let state: Lock<State>

  /// Creates a probe.
  ///
  /// - Parameters:
  ///   - interval: The nanoseconds from one attempt to the next; `nil` for the pace of the check.
  ///   - delay: The nanoseconds until the first check.
  ///   - failures: The number of failed checks after which the condition can never hold; `nil` for no limit.
  init(
    _ check: any ProbeCheck, every interval: Int64? = nil, after delay: Int64 = 0, failures: Int? = nil,
    at time: Int64 = MonotonicClock.now()
  ) {
    let time = MonotonicClock.deadline(after: delay, from: time)
    start = time
    mostFailures = failures ?? .max
    pace = interval.map(ProbePace.every) ?? check.pace
    state = Lock(State(check: check, reportDue: time + Self.reportInterval, due: time))
  }

  deinit { close() }

  /// Checks the condition if the next check is due, and returns the state.
  func advance(at time: Int64 = MonotonicClock.now()) -> Answer {
    state.withLock { state in
      guard state.answer == .waiting, !state.isClosed, !state.check.isPolled || time >= state.due else {
        return state.answer
      }
      if state.attemptStart == nil { state.attempts += 1 }
      let attemptStart = state.attemptStart ?? time
      switch state.check.look(at: time) {
      case .ready(let text): state.answer = .ready(text)
      case .impossible(let reason): state.answer = .failed(reason)
      case .undecided(let text):
        if state.lastSeen == nil || time - attemptStart >= Self.longAttempt { state.lastSeen = text }
        state.attemptStart = attemptStart
        state.due = time + state.check.pace.look(after: time - attemptStart)
      case .unready(let text):
        state.lastSeen = text
        state.attemptStart = nil
        if state.attempts >= mostFailures {
          let count = state.attempts == 1 ? "once" : "\(state.attempts) times"
          state.answer = .failed("the check failed \(count): \(text)")
          return state.answer
        }
        state.due = time + pace.pause(after: time - start, attempt: time - attemptStart)
      }
      return state.answer
    }
  }

  /// Checks the condition one last time, after the service has ended, and returns the state.
  func advanceAfterEnd(at time: Int64 = MonotonicClock.now()) -> Answer {
    guard holdsAfterEnd else { return .waiting }
    state.withLock { $0.due = time }
    return advance(at: time)
  }

  /// True once the condition has held, or can never hold.
  var isDecided: Bool { state.withLock { $0.answer != .waiting } }

  /// The time of the monotonic clock at which the next check is due; `nil` if no check is due at a certain time.
  var nextDeadline: Int64? {
    state.withLock { state in
      state.answer == .waiting && state.check.isPolled && !state.isClosed ? state.due : nil
    }
  }

  /// The descriptors to watch for reading. They are the same from the start to ``close()``, and empty after it.
  var descriptors: [Int32] { state.withLock { $0.isClosed ? [] : $0.check.descriptors } }

  /// True if the probe needs the lines of the service's output (``feed(_:)``).
  var readsOutput: Bool { state.withLock(\.check.readsOutput) }

  /// True if the condition still counts after the service has ended.
  var holdsAfterEnd: Bool { state.withLock(\.check.holdsAfterEnd) }

  /// The environment variables that the service needs for the probe.
  var environment: [String: String] { state.withLock { $0.check.environment } }

  /// The last status text that the service sent (`STATUS=`, sd_notify(3)); `nil` if it sent none.
  var status: String? { state.withLock { $0.check.status } }

  /// The reason why the condition did not hold at the last check; `nil` before the first check.
  ///
  /// For a check that is made at intervals, it includes the number of attempts.
  var obstacle: String? {
    state.withLock { state in
      guard let lastSeen = state.lastSeen else { return nil }
      guard state.check.isPolled else { return lastSeen }
      return "\(lastSeen) (\(state.attempts) \(state.attempts == 1 ? "attempt" : "attempts"))"
    }
  }

  /// Returns the last answer if it has changed, at most once a second; otherwise `nil`.
  func takeNews(at time: Int64 = MonotonicClock.now()) -> String? {
    state.withLock { state in
      guard time >= state.reportDue, state.lastSeen != state.reported else { return nil }
      state.reported = state.lastSeen
      state.reportDue = time + Self.reportInterval
      return state.lastSeen
    }
  }

  /// Passes a line of the service's output to the probe's check. The line's secrets are not masked.
  func feed(_ line: ProbedLine) { state.withLock { $0.check.feed(line) } }

  /// Reads and ignores what the service has sent after its start, so that its descriptor does not fill up.
  func discardMessages() { state.withLock { if !$0.isClosed { $0.check.discardMessages() } } }

  /// Aborts the current attempt, and closes the probe's descriptors. Remove the descriptors from every poller first.
  func close() {
    state.withLock { state in
      if !state.isClosed { state.check.close() }
      state.isClosed = true
    }
  }
}

/// The pauses between the checks of a probe.
enum ProbePace: Sendable, Hashable {
  /// Short pauses for a socket or a file of this machine, which is noticed within milliseconds.
  case local
  /// Growing pauses with jitter for an address of another machine, and for a program.
  case remote
  /// A fixed time in nanoseconds from the start of one attempt to the start of the next.
  case every(Int64)

  /// The pauses in nanoseconds.
  private static let (shortest, longestLocal, short, long, longest): (Int64, Int64, Int64, Int64, Int64) =
    (1_000_000, 4_000_000, 5_000_000, 100_000_000, 1_000_000_000)

  /// Returns the nanoseconds until the next attempt, with jitter.
  ///
  /// - Parameters:
  ///   - elapsed: The nanoseconds since the start of the probe.
  ///   - duration: The nanoseconds that the last attempt took.
  func pause(after elapsed: Int64, attempt duration: Int64) -> Int64 {
    .random(in: pauses(after: elapsed, attempt: duration))
  }

  /// Returns the range of the nanoseconds until the next attempt.
  ///
  /// On this machine they are 1/32 of the elapsed time, from 1 ms to 4 ms, and from 8 s on 1/2000 of it, at most 1 s.
  /// Otherwise they are 1/4 to 1/2 of the elapsed time, from 5 ms to 1 s. They are at least as long as the attempt,
  /// so that a program uses at most half of a processor.
  func pauses(after elapsed: Int64, attempt duration: Int64) -> ClosedRange<Int64> {
    switch self {
    case .local:
      let quick = min(max(elapsed / 32, Self.shortest), Self.longestLocal)
      let pause = max(quick, min(elapsed / 2000, Self.longest))
      return pause...pause
    case .remote:
      let most = min(max(elapsed / 2, Self.short), Self.longest)
      return max(most / 2, Self.short, duration)...max(most, duration)
    case .every(let interval):
      let pause = max(interval - duration, Self.shortest)
      return pause...pause
    }
  }

  /// Returns the nanoseconds until an attempt that has not ended is looked at again: 1/32 of its time, at least 1 ms.
  func look(after duration: Int64) -> Int64 {
    min(max(duration / 32, Self.shortest), self == .local ? Self.longestLocal : Self.long)
  }
}
