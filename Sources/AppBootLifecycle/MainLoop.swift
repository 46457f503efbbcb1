import AppBootSystem

/// An executor that handles events on one thread: the main thread of a process without a run loop.
///
/// ```swift
/// let loop = MainLoop()
/// loop.execute { … }      // from any thread
/// loop.run()              // on the main thread, until stop() is called
/// ```
package final class MainLoop: LifecycleExecutor {
  private struct State: Sendable {
    var jobs: [@Sendable () -> Void] = []
    var isStopped = false
  }

  private let state = Condition(State())

  /// Creates a loop.
  package init() {}

  /// Adds a job for the loop's thread. A job that is added after ``run()`` has returned never runs.
  package func execute(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append(job) }
    state.signal()
  }

  /// Runs jobs on the calling thread until ``stop()`` is called. Jobs that were added before that still run.
  package func run() {
    while let jobs = next() {
      for job in jobs { job() }
    }
  }

  /// Makes ``run()`` return after the jobs that have been added so far.
  package func stop() {
    state.withLock { $0.isStopped = true }
    state.broadcast()
  }

  private func next() -> [@Sendable () -> Void]? {
    let jobs = state.wait { state -> [@Sendable () -> Void]? in
      guard state.isStopped || !state.jobs.isEmpty else { return nil }
      defer { state.jobs = [] }
      return state.jobs
    }
    return jobs?.isEmpty == false ? jobs : nil
  }
}
