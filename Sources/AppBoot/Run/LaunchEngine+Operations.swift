import AppBootBase

extension LaunchEngine {
  // MARK: - Tasks

  /// Starts a task for a unit of work. Until it is cancelled, the task also runs work that is ready when it ends.
  func startTask(_ work: EngineWork) {
    let run: @Sendable () async -> Void = { [self] in
      var current: EngineWork? = work
      while let work = current { current = finishTask(work, await execute(work)) }
    }
    monitor.withLock { $0.cancels[work] = session.taskStart()(run) }
    // An interruption may have come between the coordinator's decision and this start.
    if session.isCancelled(step: work.step, attempt: work.attempt, isUndo: work.isUndo) {
      monitor.withLock { $0.cancels[work] }?()
    }
  }

  /// Reports the end of a task's work. Returns the work that the task runs next; `nil` if it ends.
  private func finishTask(_ work: EngineWork, _ end: WorkEnd) -> EngineWork? {
    transact { shared, time in
      let cancel = shared.cancels.removeValue(forKey: work)
      shared.coordinator.finish(work, end, at: time)
      // An interruption is stored before the engine cancels the task. The command itself may have cancelled it.
      guard !session.isCancelled(step: work.step, attempt: work.attempt, isUndo: work.isUndo),
        !Task.isCancelled, shared.coordinator.nextOtherKind() == .asynchronous,
        let next = shared.coordinator.takeOther(at: time)
      else { return nil }
      shared.cancels[next] = cancel
      return next
    }
  }

  private func execute(_ work: EngineWork) async -> WorkEnd {
    let call = type(of: plan.commands[work.step])._execution.call
    do {
      try session.checkUse(of: work)
      if !work.isUndo { try await checkNeed(of: work) }
      let context = session.context(of: work)
      let command = try session.command(of: work)
      await session.awaitMainActor(for: work)
      if work.isUndo {
        try await (command as? any AsyncUndoableCommand)?.undo(in: context)
      } else {
        try await call?(command, context)
      }
      return WorkEnd(.success(()))
    } catch {
      return WorkEnd(.failure(error))
    }
  }

  /// Throws ``Unnecessary`` if the step's `unless` holds. A separate thread waits for the program of the condition.
  private func checkNeed(of work: EngineWork) async throws {
    guard case .command = session.openNeed(of: work) else { return try session.checkNeed(of: work) }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      do {
        try Thread.start(name: "appboot-unless") { [session] in
          continuation.resume(with: Result { try session.checkNeed(of: work) })
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Starts the operation of polled work. Returns its end if it could not start or has ended at once; otherwise `nil`.
  func startOperation(_ work: EngineWork) -> WorkEnd? {
    do {
      if let pollerError { throw pollerError }
      guard let operations else { throw CommandMisuse.noOperations(type(of: plan.commands[work.step]).name) }
      try session.checkUse(of: work)
      recorder.settleSinkBeforeStart()
      return try operations.start(work, in: session)
    } catch {
      return WorkEnd(.failure(error))
    }
  }
}
