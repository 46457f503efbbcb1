import AppBootSystem

/// Keeps a thread for the app's events: the main thread of a process that stays, without a run loop of its own.
///
/// ```swift
/// let loop = MainLoop()
/// loop.execute { … }      // from any thread
/// loop.run()              // on the main thread, until somebody calls stop()
/// ```
public final class MainLoop: LifecycleExecutor {
  private struct State: Sendable {
    var jobs: [@Sendable () -> Void] = []
    var isStopped = false
  }

  private let state = Condition(State())

  /// Creates a loop.
  public init() {}

  /// Lets the loop's thread do a job, after those that were given before; after the end it is never done.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append(job) }
    state.signal()
  }

  /// Does jobs on the calling thread until ``stop()``; what was given before that is still done.
  public func run() {
    while let jobs = next() {
      for job in jobs { job() }
    }
  }

  /// Lets ``run()`` return, once the jobs given so far are done.
  public func stop() {
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
