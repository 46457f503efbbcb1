package import AppBoot
import AppBootSystem

/// A clock for a test of a command that waits on `LaunchContext.clock` or measures spans. No test waits for real time.
///
/// ```swift
/// let clock = VirtualClock()
/// let result = await CommandTester(PollServer()).clock(clock).run()
/// #expect(clock.elapsed == .seconds(7))
/// ```
///
/// A sleep ends at once, and advances the clock by its duration. If several tasks of a command sleep at the same time,
/// create the clock with `isManual`, and advance it yourself.
public final class VirtualClock: Sendable {
  private struct Sleeper: Sendable {
    let id: Int
    let deadline: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var now: Int64 = 0
    var nextID = 0
    var sleepers: [Sleeper] = []
    /// The callers that wait until a number of sleeps has begun.
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    weak var timers: (any LaunchTimers)?
  }

  /// The latest time. A timer that starts then does not overflow.
  private static let latest = Int64.max / 2

  private let isManual: Bool
  private let state = Lock(State())

  /// Creates a clock at time 0.
  ///
  /// - Parameter isManual: True if only ``advance(by:)`` advances the clock.
  public init(isManual: Bool = false) { self.isManual = isManual }

  /// The time since the clock was created.
  public var elapsed: Duration { .nanoseconds(now()) }

  /// Advances the clock. Ends the sleeps and fires the timeouts that are due by then, earliest first.
  ///
  /// A sleep that begins afterwards begins at the new time. A step that times out has its grace period in virtual time:
  /// to let it react to its cancellation, advance only to the timeout first. The latest time is after 146 years.
  public func advance(by duration: Duration) {
    let (sum, isTooLate) = now().addingReportingOverflow(duration.nanoseconds)
    let target = isTooLate ? Self.latest : min(sum, Self.latest)
    while now() < target { step(to: target) }
  }

  /// Suspends the caller until this number of sleeps is under way.
  public func untilSleeping(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  /// Advances the clock to the next sleep's end or timer, at most to a limit.
  private func step(to limit: Int64) {
    // Not under the lock: the launch has a lock of its own.
    let timers = state.withLock(\.timers)
    let timer = timers?.nextTimer ?? .max
    let (due, time) = state.withLock { state in
      let next = state.sleepers.map(\.deadline).min() ?? .max
      // A timer in the past was fired already.
      state.now = max(state.now, min(limit, next, timer > state.now ? timer : .max))
      let now = state.now
      let due = state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
      state.sleepers.removeAll { $0.deadline <= now }
      return (due, now)
    }
    if timer <= time { timers?.fireTimers() }
    for sleeper in due { sleeper.continuation.resume() }
  }

  private func suspend(until deadline: Int64) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isDue, waiting) = state.withLock { state in
          if deadline <= state.now { return (true, [CheckedContinuation<Void, Never>]()) }
          state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
          let count = state.sleepers.count
          let waiting = state.waiting.filter { $0.count <= count }.map(\.continuation)
          state.waiting.removeAll { $0.count <= count }
          return (false, waiting)
        }
        if isDue { continuation.resume() }
        for caller in waiting { caller.resume() }
        if Task.isCancelled { cancelSleep(id) }
      }
    } onCancel: {
      cancelSleep(id)
    }
  }

  private func cancelSleep(_ id: Int) {
    let sleeper = state.withLock { state in
      state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}

extension VirtualClock: LaunchClockSource {
  package func now() -> Int64 { state.withLock(\.now) }

  package func sleep(until deadline: Int64) async throws {
    try Task.checkCancellation()
    if isManual { return try await suspend(until: deadline) }
    while now() < deadline {
      step(to: deadline)
      try Task.checkCancellation()
    }
  }

  package func drive(_ timers: any LaunchTimers) { state.withLock { $0.timers = timers } }
}
