import AppBootSystem

/// A function that runs the jobs of a host, immediately or later, for example on a certain thread or run loop.
///
/// Jobs from one thread run in the order in which they were added.
package typealias LifecycleExecutor = @Sendable (@escaping @Sendable () -> Void) -> Void

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
  private let executor: LifecycleExecutor

  /// Creates a queue.
  ///
  /// - Parameter isHeld: True for a queue that runs no job before ``release()``.
  package init(executor: @escaping LifecycleExecutor = { $0() }, isHeld: Bool = false) {
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
