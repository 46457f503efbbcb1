import AppBootBase

/// A timer that schedules calls for timeouts.
package protocol CallTimer: Sendable {
  /// Calls `action` once after a number of nanoseconds, on any thread, unless the returned call is cancelled before.
  @discardableResult
  func schedule(after nanoseconds: Int64, _ action: @escaping @Sendable () -> Void) -> ScheduledCall
}

/// A call that a timer has scheduled.
package struct ScheduledCall: Sendable {
  private let body: @Sendable () -> Void

  /// Creates a call from the function that cancels it.
  package init(cancel body: @escaping @Sendable () -> Void) { self.body = body }

  /// Cancels the call. Does nothing if the call has already been made.
  package func cancel() { body() }
}

/// A timer with one thread. The thread sleeps until the next scheduled call is due.
///
/// Without scheduled calls the thread ends: a second after it made the last call, or at the time of a cancelled call.
package final class ThreadTimer: CallTimer {
  /// The default timer.
  package static let shared = ThreadTimer()

  private struct Call {
    let deadline: Int64
    let action: @Sendable () -> Void
  }

  private struct State {
    /// The calls by their numbers, which are in the order in which they were scheduled.
    var calls: [Int: Call] = [:]
    var scheduled = 0
    var isRunning = false
    /// The time on the monotonic clock at which the thread wakes up.
    var wakeTime: Int64 = .max

    /// Removes the call with the earliest deadline and returns it; `nil` if there is none up to a time.
    mutating func takeEarliest(upTo time: Int64 = .max) -> Call? {
      let earliest = calls.min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
      guard let earliest, earliest.value.deadline <= time else { return nil }
      return calls.removeValue(forKey: earliest.key)
    }
  }

  /// The nanoseconds for which the thread waits without a scheduled call, so that a later event can use the same
  /// thread.
  private static let idleTime: Int64 = 1_000_000_000

  private let state = Condition(State())

  /// Creates a timer. Its thread starts with the first scheduled call.
  package init() {}

  /// Calls `action` after a number of nanoseconds on the timer's thread.
  ///
  /// If the system cannot create a thread, the call is made immediately: an early timeout is better than a missing one.
  @discardableResult
  package func schedule(
    after nanoseconds: Int64, _ action: @escaping @Sendable () -> Void
  ) -> ScheduledCall {
    let call = Call(deadline: MonotonicClock.deadline(after: max(0, nanoseconds)), action: action)
    let (number, hasThread, isEarlier) = state.withLock { state in
      state.scheduled += 1
      state.calls[state.scheduled] = call
      defer { state.isRunning = true }
      return (state.scheduled, state.isRunning, call.deadline < state.wakeTime)
    }
    if !hasThread { startThread() } else if isEarlier { state.signal() }
    return ScheduledCall { [state] in
      // Returned, because what the action owns must not be released inside the lock: it may cancel other calls.
      _ = state.withLock { $0.calls.removeValue(forKey: number) }
    }
  }

  private func startThread() {
    do {
      try Thread.start(name: "appboot-timer") { [self] in
        while let call = next() { call.action() }
      }
    } catch {
      while let call = takeEarliestOrStop() { call.action() }
    }
  }

  /// Waits until a scheduled call is due, and returns it; `nil` if the thread should end.
  private func next() -> Call? {
    var mayIdle = true
    while let wakeTime = nextWakeTime(mayIdle) {
      let isEarlier = state.wait(until: wakeTime) { state in
        state.calls.values.contains { $0.deadline < wakeTime } ? true : nil
      }
      if isEarlier == nil, let call = state.withLock({ $0.takeEarliest(upTo: wakeTime) }) { return call }
      mayIdle = isEarlier != nil
    }
    return nil
  }

  /// Returns the time of the earliest scheduled call, or else the end of the idle time; `nil` if the thread should end.
  ///
  /// - Parameter mayIdle: False if the thread has just waited, and no call was due.
  private func nextWakeTime(_ mayIdle: Bool) -> Int64? {
    state.withLock { state in
      let idle = mayIdle ? MonotonicClock.now() + Self.idleTime : nil
      let wakeTime = state.calls.values.map(\.deadline).min() ?? idle
      state.isRunning = wakeTime != nil
      state.wakeTime = wakeTime ?? .max
      return wakeTime
    }
  }

  /// Removes the earliest call and returns it; marks the timer as stopped if there is none. It is for a timer without a
  /// thread.
  private func takeEarliestOrStop() -> Call? {
    state.withLock { state in
      let call = state.takeEarliest()
      state.isRunning = call != nil
      return call
    }
  }
}
