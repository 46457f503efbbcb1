import AppBootSystem

/// A timer that schedules calls for timeouts.
package protocol LifecycleTimer: Sendable {
  /// Calls `action` once after a number of nanoseconds, on any thread, unless the returned call is cancelled before.
  @discardableResult
  func schedule(after nanoseconds: Int64, _ action: @escaping @Sendable () -> Void) -> any ScheduledCall
}

/// A call that a timer has scheduled.
package protocol ScheduledCall: AnyObject, Sendable {
  /// Cancels the call. Does nothing if the call has already been made.
  func cancel()
}

/// A timer with one thread. The thread sleeps until the next scheduled call is due.
///
/// Without scheduled calls the thread ends: a second after it made the last call, or at the time of a cancelled call.
package final class ThreadTimer: LifecycleTimer {
  /// The default timer.
  package static let shared = ThreadTimer()

  private struct State: Sendable {
    var calls: [ThreadTimerCall] = []
    var isRunning = false
    /// The time on the monotonic clock at which the thread wakes up.
    var wakeTime: Int64 = .max
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
  ) -> any ScheduledCall {
    let (sum, overflow) = MonotonicClock.now().addingReportingOverflow(max(0, nanoseconds))
    let call = ThreadTimerCall(deadline: overflow ? .max : sum, action: action, timer: self)
    let (hasThread, isEarlier) = state.withLock { state in
      state.calls.append(call)
      defer { state.isRunning = true }
      return (state.isRunning, call.deadline < state.wakeTime)
    }
    if !hasThread { startThread() } else if isEarlier { state.signal() }
    return call
  }

  private func startThread() {
    do {
      try Thread.start(name: "timer") { [self] in
        while let call = next() { call.fire() }
      }
    } catch {
      repeat {
        while let call = takeEarliest() { call.fire() }
      } while !stopIfEmpty()
    }
  }

  /// Waits until a scheduled call is due, and returns it; `nil` if the thread should end.
  private func next() -> ThreadTimerCall? {
    var mayIdle = true
    while let wakeTime = nextWakeTime(mayIdle) {
      let isEarlier = state.wait(until: wakeTime) { state in
        state.calls.contains { $0.deadline < wakeTime } ? true : nil
      }
      if isEarlier == nil, let call = takeEarliest(upTo: wakeTime) { return call }
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
      let wakeTime = state.calls.map(\.deadline).min() ?? idle
      state.isRunning = wakeTime != nil
      state.wakeTime = wakeTime ?? .max
      return wakeTime
    }
  }

  private func takeEarliest(upTo time: Int64 = .max) -> ThreadTimerCall? {
    state.withLock { state in
      let calls = state.calls
      guard let index = calls.indices.min(by: { calls[$0].deadline < calls[$1].deadline }),
        calls[index].deadline <= time
      else { return nil }
      return state.calls.remove(at: index)
    }
  }

  /// Marks the timer as stopped and returns `true` if no scheduled calls are left. It is for a timer without a thread.
  private func stopIfEmpty() -> Bool {
    state.withLock { state in
      state.isRunning = !state.calls.isEmpty
      return state.calls.isEmpty
    }
  }

  fileprivate func remove(_ call: ThreadTimerCall) {
    state.withLock { state in state.calls.removeAll { $0 === call } }
  }
}

private final class ThreadTimerCall: ScheduledCall {
  let deadline: Int64
  private let action: Lock<(@Sendable () -> Void)?>
  private weak let timer: ThreadTimer?

  init(deadline: Int64, action: @escaping @Sendable () -> Void, timer: ThreadTimer) {
    self.deadline = deadline
    self.action = Lock(action)
    self.timer = timer
  }

  func cancel() {
    _ = take()
    timer?.remove(self)
  }

  func fire() { take()?() }

  private func take() -> (@Sendable () -> Void)? {
    action.withLock { action in
      defer { action = nil }
      return action
    }
  }
}
