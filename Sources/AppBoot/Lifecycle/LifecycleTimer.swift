import AppBootSystem

/// The clock that time limits go by: it calls back after a while.
public protocol LifecycleTimer: Sendable {
  /// Calls `action` once after so many nanoseconds, on any thread, unless it is cancelled before.
  @discardableResult
  func schedule(after nanoseconds: Int64, _ action: @escaping @Sendable () -> Void) -> any ScheduledCall
}

/// A call that a timer will make.
public protocol ScheduledCall: AnyObject, Sendable {
  /// Lets the call not happen; does nothing where it has happened already.
  func cancel()
}

/// The real timer: one thread that sleeps until the earliest call, and ends when there is none.
public final class ThreadTimer: LifecycleTimer {
  /// The timer that is taken where none is given.
  public static let shared = ThreadTimer()

  private struct State: Sendable {
    var calls: [ThreadTimerCall] = []
    var isRunning = false
  }

  private let state = Condition(State())

  /// Creates a timer; its thread starts with the first call.
  public init() {}

  /// Calls `action` after so many nanoseconds on the timer's thread.
  ///
  /// Where the system has no thread to give, the call is made at once: a limit that comes early is better
  /// than none.
  @discardableResult
  public func schedule(
    after nanoseconds: Int64, _ action: @escaping @Sendable () -> Void
  ) -> any ScheduledCall {
    let (sum, overflow) = MonotonicClock.now().addingReportingOverflow(max(0, nanoseconds))
    let call = ThreadTimerCall(deadline: overflow ? .max : sum, action: action, timer: self)
    let needsThread = state.withLock { state in
      state.calls.append(call)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    state.signal()
    if needsThread { startThread() }
    return call
  }

  private func startThread() {
    do {
      try Thread.start(name: "timer") { [self] in
        while let call = next() { call.fire() }
      }
    } catch {
      while let call = takeEarliest(isLast: true) { call.fire() }
    }
  }

  /// Waits for the next call that is due; `nil` where there is none any more.
  private func next() -> ThreadTimerCall? {
    while let deadline = earliest() {
      let hasChanged = state.wait(until: deadline) { state -> Bool? in
        state.calls.map(\.deadline).min() == deadline ? nil : true
      }
      if hasChanged == nil, let call = takeEarliest() { return call }
    }
    return nil
  }

  private func earliest() -> Int64? {
    state.withLock { state in
      let deadline = state.calls.map(\.deadline).min()
      state.isRunning = deadline != nil
      return deadline
    }
  }

  private func takeEarliest(isLast: Bool = false) -> ThreadTimerCall? {
    state.withLock { state in
      let calls = state.calls
      guard let index = calls.indices.min(by: { calls[$0].deadline < calls[$1].deadline }) else {
        if isLast { state.isRunning = false }
        return nil
      }
      return state.calls.remove(at: index)
    }
  }

  fileprivate func remove(_ call: ThreadTimerCall) {
    let removed = state.withLock { state -> ThreadTimerCall? in
      guard let index = state.calls.firstIndex(where: { $0 === call }) else { return nil }
      return state.calls.remove(at: index)
    }
    if removed != nil { state.signal() }
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
