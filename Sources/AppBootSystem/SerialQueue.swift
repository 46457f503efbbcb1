import AppBootBase

/// The outcome of something that happens once, for all who wait for it: the end of an app, or of its services.
package final class SharedOutcome<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var hasBegun = false
    var value: Value?
    /// The functions to call with the outcome.
    var waiting: [@Sendable (Value) -> Void] = []
  }

  private let state = Lock(State())

  package init() {}

  /// Returns true for the first call: its caller brings about the outcome.
  package func begin() -> Bool {
    state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
  }

  /// True after ``begin()``.
  package var hasBegun: Bool { state.withLock(\.hasBegun) }

  /// Calls a function with the outcome: at once if it is known.
  package func whenDone(_ body: @escaping @Sendable (Value) -> Void) {
    let value = state.withLock { state in
      if state.value == nil { state.waiting.append(body) }
      return state.value
    }
    if let value { body(value) }
  }

  /// Stores the outcome, and calls the functions that wait for it.
  package func complete(_ value: Value) {
    let waiting = state.withLock { state in
      defer { state = State(hasBegun: true, value: value) }
      return state.waiting
    }
    for body in waiting { body(value) }
  }
}

/// A flag that one thread sets and another thread reads.
package final class StopFlag: Sendable {
  private let flag = Lock(false)

  package init() {}

  package var isSet: Bool { flag.withLock(\.self) }
  package func set() { flag.withLock { $0 = true } }
}

/// A function that runs the jobs of a queue, immediately or later, for example on a certain thread or run loop.
///
/// Jobs from one thread run in the order in which they were added.
package typealias JobExecutor = @Sendable (@escaping @Sendable () -> Void) -> Void

/// A queue that runs jobs one at a time, in order. If the queue is idle, adding a job starts the queue.
///
/// A job that another job of the same queue adds runs after the adding job.
package final class SerialQueue: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// The jobs that run when no other job waits.
    var idleJobs: [@Sendable () -> Void] = []
    var isWorking = false
    /// The thread that runs the jobs; `nil` if none runs.
    var thread: UInt?
    var isHeld: Bool

    var hasJobs: Bool { !jobs.isEmpty || !idleJobs.isEmpty }
  }

  private let state: Lock<State>
  private let executor: JobExecutor

  /// Creates a queue.
  ///
  /// - Parameter isHeld: True for a queue that runs no job before ``release()``.
  package init(executor: @escaping JobExecutor = { $0() }, isHeld: Bool = false) {
    state = Lock(State(isHeld: isHeld))
    self.executor = executor
  }

  /// Adds a job.
  package func add(_ job: @escaping @Sendable () -> Void) {
    change { $0.jobs.append(job) }
  }

  /// Adds a job that runs when no other job waits, including jobs that waiting jobs add.
  package func whenIdle(_ job: @escaping @Sendable () -> Void) {
    change { $0.idleJobs.append(job) }
  }

  /// True if the calling thread runs a job of the queue.
  package var isRunningHere: Bool { state.withLock { $0.thread == Thread.current } }

  /// Starts a queue that was created as held.
  package func release() {
    change { $0.isHeld = false }
  }

  private func change(_ body: (inout State) -> Void) {
    let begins = state.withLock { state in
      body(&state)
      guard !state.isWorking, !state.isHeld, state.hasJobs else { return false }
      state.isWorking = true
      return true
    }
    if begins { executor { self.runJobs() } }
  }

  private func runJobs() {
    state.withLock { $0.thread = Thread.current }
    while let jobs = take() {
      for job in jobs { job() }
    }
  }

  private func take() -> [@Sendable () -> Void]? {
    state.withLock { state in
      if !state.jobs.isEmpty {
        defer { state.jobs = [] }
        return state.jobs
      }
      if !state.idleJobs.isEmpty { return [state.idleJobs.removeFirst()] }
      (state.isWorking, state.thread) = (false, nil)
      return nil
    }
  }
}
