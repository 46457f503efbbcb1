import AppBootSystem

/// Runs the tasks of a synchronous `run()` on threads of the engine's own.
///
/// The caller of a synchronous `run()` may itself stand on a thread of the cooperative pool, which has
/// few; tasks that needed those threads could then wait for ever.
final class EngineExecutor: TaskExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    var threads = 0
    var idle = 0
    /// Tasks that have not ended: while there are any, threads stay to run them.
    var tasks = 0
  }

  private let state = Condition(State())
  private let limit: Int

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// A task is about to be started on this executor.
  func taskWillStart() { state.withLock { $0.tasks += 1 } }

  /// A task on this executor has ended.
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
      // No thread to be had: the jobs run here, which is late but not never.
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
