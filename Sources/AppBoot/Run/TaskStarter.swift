import AppBootBase

/// A starter of tasks that have the task-local values and the priority of the task that created the starter.
///
/// Other threads can call it. Swift copies task-local values only when a task itself creates another one, so the
/// starter has a task that does nothing else.
final class TaskStarter: Sendable {
  private let orders: AsyncStream<@Sendable () -> Void>.Continuation

  /// Creates a starter. Call it in the task whose values it passes on.
  init() {
    let (stream, orders) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    self.orders = orders
    Task {
      for await order in stream { order() }
    }
  }

  deinit { orders.finish() }

  /// Starts a task. Returns a function that cancels the task.
  func start(_ body: @escaping @Sendable () async -> Void) -> @Sendable () -> Void {
    let state = Lock<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))
    orders.yield {
      // The task may begin before this call returns. Under the lock, its cancellation finds it.
      let (task, isCancelled) = state.withLock { state in
        let task = Task { await body() }
        state.task = task
        return (task, state.isCancelled)
      }
      if isCancelled { task.cancel() }
    }
    return {
      let task = state.withLock { state in
        state.isCancelled = true
        return state.task
      }
      task?.cancel()
    }
  }
}
