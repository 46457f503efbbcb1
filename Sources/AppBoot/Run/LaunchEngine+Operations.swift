import AppBootBase

extension LaunchEngine {
  // MARK: - Tasks

  /// Starts a task for a unit of work.
  func startTask(_ work: EngineWork) {
    let run: @Sendable () async -> Void = { [self] in
      let end = await execute(work)
      transact { shared, time in
        shared.cancels[work] = nil
        shared.coordinator.finish(work, end, at: time)
      }
    }
    monitor.withLock { $0.cancels[work] = session.taskStart()(run) }
    // An interruption may have come between the coordinator's decision and this start.
    if session.isCancelled(step: work.step, attempt: work.attempt, isUndo: work.isUndo) {
      monitor.withLock { $0.cancels[work] }?()
    }
  }

  private func execute(_ work: EngineWork) async -> WorkEnd {
    guard plan.commands[work.step] is any AsyncCommand else { return session.execute(work) }
    do {
      try session.checkUse(of: work)
      if !work.isUndo { try await checkNeed(of: work) }
      let context = session.context(of: work)
      let command = try session.command(of: work)
      await session.awaitMainActor(for: work)
      if work.isUndo {
        try await (command as? any AsyncUndoableCommand)?.undo(in: context)
      } else {
        try await (command as? any AsyncCommand)?.execute(in: context)
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
