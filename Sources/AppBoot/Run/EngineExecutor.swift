import AppBootBase

/// An executor for the tasks of a synchronous `run()`. It has threads of its own.
///
/// The caller of a synchronous `run()` may block a thread of Swift's cooperative pool, which has few threads. Tasks
/// that need those threads could then deadlock.
final class EngineExecutor: TaskExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    var threads = 0
    var idle = 0
    /// The number of tasks that have not ended. Threads wait for their jobs until it is 0.
    var tasks = 0
  }

  private let state = Condition(State())
  private let limit: Int

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Counts a task that will start on this executor.
  func taskWillStart() { state.withLock { $0.tasks += 1 } }

  /// Counts a task that has ended.
  func taskDidEnd() {
    let isLast = state.withLock { state in
      state.tasks -= 1
      return state.tasks == 0
    }
    if isLast { state.broadcast() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = state.withLock { state in
      state.jobs.append(job)
      guard state.idle < state.jobs.count, state.threads < limit else { return false }
      state.threads += 1
      return true
    }
    state.signal()
    if needsThread { startThread() }
  }

  private func startThread() {
    do {
      try Thread.start(name: "appboot-task") { [self] in serve() }
    } catch {
      // The system has no thread left: the jobs run here, one after the other.
      serve(onlyWhatIsThere: true)
    }
  }

  private func serve(onlyWhatIsThere: Bool = false) {
    while let job = next(onlyWhatIsThere: onlyWhatIsThere) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  private func next(onlyWhatIsThere: Bool) -> UnownedJob? {
    var isIdle = false
    let job = state.wait { state -> UnownedJob?? in
      if isIdle {
        state.idle -= 1
        isIdle = false
      }
      if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
      if state.tasks == 0 || onlyWhatIsThere {
        state.threads -= 1
        return .some(nil)
      }
      state.idle += 1
      isIdle = true
      return nil
    }
    return job.flatMap(\.self)
  }
}
