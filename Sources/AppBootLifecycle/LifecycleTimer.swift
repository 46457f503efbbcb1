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

/// The real timer: one thread that sleeps until the earliest call, and ends when there was none for a while.
public final class ThreadTimer: LifecycleTimer {
  /// The timer that is taken where none is given.
  public static let shared = ThreadTimer()

  private struct State: Sendable {
    var calls: [ThreadTimerCall] = []
    var isRunning = false
    /// When the thread looks again of its own accord.
    var look: Int64 = .max
  }

  /// How long the thread stays without a call, in nanoseconds: a limit that is set for each event needs none of its own then.
  private static let patience: Int64 = 1_000_000_000

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
    let (hasThread, isEarlier) = state.withLock { state in
      state.calls.append(call)
      defer { state.isRunning = true }
      return (state.isRunning, call.deadline < state.look)
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
      } while !rest()
    }
  }

  /// Waits for the next call that is due; `nil` where there was none for a while.
  private func next() -> ThreadTimerCall? {
    var hasPatience = true
    while let look = nextLook(hasPatience) {
      let isEarlier = state.wait(until: look) { state in
        state.calls.contains { $0.deadline < look } ? true : nil
      }
      if isEarlier == nil, let call = takeEarliest(upTo: look) { return call }
      hasPatience = isEarlier != nil
    }
    return nil
  }

  /// When to look next: at the earliest call, or once more in a while; `nil` where the thread is to end.
  private func nextLook(_ hasPatience: Bool) -> Int64? {
    state.withLock { state in
      let idle = hasPatience ? MonotonicClock.now() + Self.patience : nil
      let look = state.calls.map(\.deadline).min() ?? idle
      state.isRunning = look != nil
      state.look = look ?? .max
      return look
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

  /// Whether there is no call left for a timer that got no thread.
  private func rest() -> Bool {
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
