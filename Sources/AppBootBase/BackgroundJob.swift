/// A thread for work that may block, for example a write.
///
/// Requests do not queue: a new request replaces an earlier one that has not begun. The thread ends after a second
/// without a request.
package final class BackgroundJob: Sendable {
  private static let patience: Int64 = 1_000_000_000
  private static let shortWait: Int64 = 100_000_000

  fileprivate struct State: Sendable {
    var requested: (@Sendable () -> Void)?
    var hasThread = false
    var isRunning = false
    /// True if the last short wait was too short (``settleShortly()``).
    var isSlow = false
  }

  private let name: String
  private let state = Condition(State())

  /// Creates a job. Its thread starts with the first request.
  ///
  /// - Parameter name: The name of the thread, of at most 15 bytes.
  package init(name: String) { self.name = name }

  /// Requests a run of `body`. If no thread can be started, the calling thread runs it.
  package func request(_ body: @escaping @Sendable () -> Void) {
    let startsThread = state.withLock { state in
      state.requested = body
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard startsThread else { return state.broadcast() }
    do throws(SystemError) {
      try Thread.start(name: name, stackSize: 1 << 17) { [self] in
        while let body = next() {
          body()
          state.withLock { $0.isRunning = false }
          state.broadcast()
        }
      }
    } catch {
      // Later requests wait for this thread.
      while let body = state.withLock({ $0.takeOrEnd() }) { body() }
      state.broadcast()
    }
  }

  /// Waits until no request is pending or running. Returns false if the nanoseconds pass first.
  @discardableResult
  package func settle(within most: Int64) -> Bool {
    let deadline = MonotonicClock.deadline(after: most)
    return state.wait(until: deadline) { $0.requested == nil && !$0.isRunning ? () : nil } != nil
  }

  /// Waits at most 100 ms. After a wait that was too short, does not wait again until all requests are done.
  package func settleShortly() {
    let isSlow = state.withLock(\.isSlow)
    let isDone = settle(within: isSlow ? 0 : Self.shortWait)
    state.withLock { $0.isSlow = !isDone }
  }

  /// Waits for a request, and takes it; returns `nil` if the thread must end.
  private func next() -> (@Sendable () -> Void)? {
    let deadline = MonotonicClock.now() + Self.patience
    if let body = state.wait(until: deadline, for: { $0.take() }) { return body }
    // A request may have come since the deadline.
    return state.withLock { $0.takeOrEnd() }
  }
}

extension BackgroundJob.State {
  /// Takes the pending request; returns `nil` if there is none.
  fileprivate mutating func take() -> (@Sendable () -> Void)? {
    let body = requested
    requested = nil
    isRunning = body != nil
    return body
  }

  /// Takes the pending request. If there is none, marks the thread as ended and returns `nil`.
  fileprivate mutating func takeOrEnd() -> (@Sendable () -> Void)? {
    let body = take()
    hasThread = body != nil
    return body
  }
}
