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

/// A timer in which each scheduled call has a thread, which sleeps until the call is due.
package final class ThreadTimer: LifecycleTimer {
  /// The default timer.
  package static let shared = ThreadTimer()

  /// Creates a timer.
  package init() {}

  /// Calls `action` after a number of nanoseconds on a thread of its own.
  ///
  /// If the system cannot create a thread, the call is made immediately: an early timeout is better than a missing one.
  @discardableResult
  package func schedule(
    after nanoseconds: Int64, _ action: @escaping @Sendable () -> Void
  ) -> any ScheduledCall {
    let (sum, overflow) = MonotonicClock.now().addingReportingOverflow(max(0, nanoseconds))
    let call = ThreadTimerCall()
    do {
      try Thread.start(name: "timer") {
        if !call.isCancelled(by: overflow ? .max : sum) { action() }
      }
    } catch {
      action()
    }
    return call
  }
}

private final class ThreadTimerCall: ScheduledCall {
  private let state = Condition(false)

  func cancel() {
    state.withLock { $0 = true }
    state.signal()
  }

  /// Waits until the call is cancelled. Returns false if the deadline passes first.
  func isCancelled(by deadline: Int64) -> Bool {
    state.wait(until: deadline) { $0 ? true : nil } ?? false
  }
}
