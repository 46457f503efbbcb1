import AppBootBase

/// A starter of tasks that have the task-local values and the priority of the task that created the starter.
///
/// Other threads can call it. Swift copies task-local values only when a task itself creates another one, so the
/// starter has a task that does nothing else. That task has a thread of its own, because commands may block all threads
/// of Swift's cooperative pool.
final class TaskStarter: Sendable {
  private let orders = Lock<[@Sendable () -> Void]>([])
  private let wakes: AsyncStream<Void>.Continuation

  /// Creates a starter. Call it in the task whose values it passes on.
  init() {
    let (stream, wakes) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.wakes = wakes
    let executor = EngineExecutor(limit: 1)
    executor.taskWillStart()
    Task(executorPreference: executor) { [orders] in
      for await _ in stream {
        let next = orders.withLock { orders in
          defer { orders = [] }
          return orders
        }
        for order in next { order() }
      }
      executor.taskDidEnd()
    }
  }

  deinit { wakes.finish() }

  private func give(_ order: @escaping @Sendable () -> Void) {
    orders.withLock { $0.append(order) }
    wakes.yield()
  }

  /// Starts a task. Returns a function that cancels the task.
  func start(_ body: @escaping @Sendable () async -> Void) -> @Sendable () -> Void {
    let cancellation = TaskCancellation()
    give { cancellation.set(Task { await body() }.cancel) }
    return { cancellation.cancel() }
  }

  /// Runs a function on the calling thread as part of a new task.
  func run(_ body: @escaping @Sendable () -> Void) {
    let thread = CallingThreadExecutor()
    give {
      Task(executorPreference: thread) {
        body()
        thread.end()
      }
    }
    thread.serve()
  }
}

/// The cancellation of a task that may not have started yet.
private final class TaskCancellation: Sendable {
  private enum State: Sendable { case pending, started(@Sendable () -> Void), cancelled }
  private let state = Lock(State.pending)

  func set(_ cancel: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .started(cancel)
      return false
    }
    if isCancelled { cancel() }
  }

  func cancel() {
    let started = state.withLock { state -> (@Sendable () -> Void)? in
      defer { state = .cancelled }
      if case .started(let cancel) = state { return cancel }
      return nil
    }
    started?()
  }
}

/// An executor that runs the jobs of one task on a thread that waits for the task's end.
private final class CallingThreadExecutor: TaskExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    var hasEnded = false
  }

  private let state = Condition(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    state.signal()
  }

  /// Makes ``serve()`` return. The task calls it on the thread that serves.
  func end() { state.withLock { $0.hasEnded = true } }

  /// Runs jobs on the calling thread until the task has ended.
  func serve() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    let job = state.wait { state -> UnownedJob?? in
      if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
      return state.hasEnded ? .some(nil) : nil
    }
    return job.flatMap(\.self)
  }
}
