import AppBootSystem

/// A timer that schedules calls for timeouts.
package protocol LifecycleTimer: Sendable {
  /// Calls `action` once after a number of nanoseconds, on any thread, unless the returned call is cancelled before.
  @discardableResult
  func schedule(after nanoseconds: Int64, _ action: @escaping @Sendable () -> Void) -> ScheduledCall
}

/// A call that a timer has scheduled.
package struct ScheduledCall: Sendable {
  private let body: @Sendable () -> Void

  /// Creates a call that a function cancels.
  package init(cancel body: @escaping @Sendable () -> Void) { self.body = body }

  /// Cancels the call. Does nothing if the call has already been made.
  package func cancel() { body() }
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
  ) -> ScheduledCall {
    let (sum, overflow) = MonotonicClock.now().addingReportingOverflow(max(0, nanoseconds))
    let isCancelled = Condition(false)
    do {
      try Thread.start(name: "timer") {
        let cancellation: Void? = isCancelled.wait(until: overflow ? .max : sum) { $0 ? () : nil }
        if cancellation == nil { action() }
      }
    } catch {
      action()
    }
    return ScheduledCall {
      isCancelled.withLock { $0 = true }
      isCancelled.signal()
    }
  }
}
