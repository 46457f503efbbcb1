package import AppBootSystem

/// A timer with a virtual clock. Tests of timeouts use it so that they do not wait.
package final class ManualTimer: CallTimer {
  private struct State {
    var now: Int64 = 0
    var calls: [ManualTimerCall] = []
  }

  private let state = Lock(State())

  /// Creates a timer at time 0.
  package init() {}

  /// The number of scheduled calls that were neither made nor cancelled.
  package var pendingCalls: Int { state.withLock { $0.calls.count { $0.isPending } } }

  /// Schedules a call of `action`. The call is made when the clock has advanced by `nanoseconds`.
  @discardableResult
  package func schedule(
    after nanoseconds: Int64, _ action: @escaping @Sendable () -> Void
  ) -> ScheduledCall {
    state.withLock { state in
      let call = ManualTimerCall(deadline: state.now + nanoseconds, action)
      state.calls.append(call)
      return ScheduledCall { call.cancel() }
    }
  }

  /// Advances the clock. Makes the calls that are now due, earliest first, on the calling thread.
  package func advance(by nanoseconds: Int64) {
    let due = state.withLock { state in
      state.now += nanoseconds
      let now = state.now
      let due = state.calls.filter { $0.deadline <= now }
      state.calls.removeAll { $0.deadline <= now }
      return due.sorted { $0.deadline < $1.deadline }
    }
    for call in due { call.fire() }
  }
}

private final class ManualTimerCall: Sendable {
  let deadline: Int64
  private let action: Lock<(@Sendable () -> Void)?>

  init(deadline: Int64, _ action: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.action = Lock(action)
  }

  var isPending: Bool { action.withLock { $0 != nil } }

  func cancel() { action.withLock { $0 = nil } }

  func fire() {
    let action = self.action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
