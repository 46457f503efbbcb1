import AppBootSystem

/// Where a queue's jobs are done.
public protocol LifecycleExecutor: Sendable {
  /// Does the job, at once or later; jobs of one thread are done in the order in which they were given.
  func execute(_ job: @escaping @Sendable () -> Void)
}

/// Does a job at once, on the calling thread.
public struct InlineExecutor: LifecycleExecutor {
  /// Creates an executor.
  public init() {}

  /// Does the job.
  public func execute(_ job: @escaping @Sendable () -> Void) { job() }
}

/// Jobs that are done one at a time, in order; whoever finds the queue at rest lets it be worked off.
///
/// A job that is added by a job of the same queue is done after it.
public final class SerialQueue: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var next = 0
    var isWorking = false
    var isHeld: Bool
  }

  private let state: Lock<State>
  private let executor: any LifecycleExecutor

  /// Creates a queue; one that is held does nothing before ``release()``.
  public init(executor: any LifecycleExecutor = InlineExecutor(), isHeld: Bool = false) {
    state = Lock(State(isHeld: isHeld))
    self.executor = executor
  }

  /// Adds a job.
  public func add(_ job: @escaping @Sendable () -> Void) {
    change { $0.jobs.append(job) }
  }

  /// Lets a queue begin that was held.
  public func release() {
    change { $0.isHeld = false }
  }

  private func change(_ body: (inout State) -> Void) {
    let begins = state.withLock { state in
      body(&state)
      guard !state.isWorking, !state.isHeld, state.next < state.jobs.count else { return false }
      state.isWorking = true
      return true
    }
    if begins { executor.execute { self.workOff() } }
  }

  private func workOff() {
    while let job = take() { job() }
  }

  private func take() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.next < state.jobs.count else {
        state.jobs.removeAll(keepingCapacity: state.jobs.count < 64)
        state.next = 0
        state.isWorking = false
        return nil
      }
      defer { state.next += 1 }
      let job = state.jobs[state.next]
      state.jobs[state.next] = {}
      return job
    }
  }
}
