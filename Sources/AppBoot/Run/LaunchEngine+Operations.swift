import AppBootBase

extension LaunchEngine {
  // MARK: - Tasks

  /// Starts a task for a unit of work.
  func startTask(_ work: EngineWork) {
    let run: @Sendable () async -> Void = { [self] in
      let result = await execute(work)
      transact { shared, time in
        shared.cancels[work] = nil
        shared.coordinator.finish(work, result, at: time)
      }
    }
    monitor.withLock { shared in
      shared.cancels[work] = shared.starter?.start(run) ?? Task.detached(operation: run).cancel
    }
    // An interruption may have come between the coordinator's decision and this start.
    if session.isCancelled(step: work.step, attempt: work.attempt, isUndo: work.isUndo) {
      monitor.withLock { $0.cancels[work] }?()
    }
  }

  private func execute(_ work: EngineWork) async -> Result<Void, any Error> {
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
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Throws ``Unnecessary`` if the step's `unless` holds. A separate thread waits for the program of the condition.
  private func checkNeed(of work: EngineWork) async throws {
    let check: (any NeedCheck)?
    do {
      check = try session.beginNeedCheck(of: work)
      if check == nil { return }
    } catch let error as any ShortageError where error.isShortage {
      // The thread waits until the program can start.
      check = nil
    }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      do {
        try Thread.start(name: "appboot-unless") { [session] in
          continuation.resume(
            with: Result {
              if let check { try session.finish(check, of: work) } else { try session.checkNeed(of: work) }
            })
        }
      } catch {
        check?.release()
        continuation.resume(throwing: error)
      }
    }
  }

  /// Starts the operation of polled work; returns `nil` for commands of other kinds.
  ///
  /// If the step has an `unless` with a program, the operation first waits for that program.
  private func operation(
    _ work: EngineWork, _ start: @escaping CommandExecution.Start
  ) throws -> (any PolledOperation)? {
    let context = session.context(step: work.step, attempt: work.attempt)
    let begin: LaunchOperations.Start = { [session, operations] in
      let command = try session.command(of: work)
      do {
        return try start(command, context)
      } catch let error as any ShortageError where error.isShortage && operations?.isBusy == false {
        // Nothing else would make room. A step runs rather without its log.
        guard let logs = session.environment.logs else { throw error }
        return try logs.withFilesClosed { try start(command, context) }
      }
    }
    guard let check = try session.beginNeedCheck(of: work) else { return try begin() }
    return operations?.start(after: check) { [session, operations] hasSucceeded in
      try session.conclude(hasSucceeded, of: work)
      let operation = try operations?.start(recording: session.startWait(of: work), begin)
      guard let operation else {
        throw CommandMisuse.asynchronousCommandExecutedSynchronously(
          type(of: session.plan.commands[work.step]).name)
      }
      return operation
    }
  }

  /// Starts the operation of polled work.
  ///
  /// - Parameter finish: A function that is called if the operation ends at once.
  func startOperation(
    _ work: EngineWork, finish: (EngineWork, Result<Void, any Error>) -> Void
  ) {
    if let pollerError { return finish(work, .failure(pollerError)) }
    let command = plan.commands[work.step]
    guard let operations, let start = type(of: command).execution.start else {
      return finish(work, .failure(CommandMisuse.noOperations(type(of: command).name)))
    }
    do {
      try session.checkUse(of: work)
      recorder.settleSinkBeforeStart()
      let delayed = try operations.start(recording: session.startWait(of: work)) {
        try self.operation(work, start)
      }
      guard let operation = delayed else { return startTask(work) }
      // The poller reports a running operation, so that steps that became ready together start before any end is
      // handled.
      guard operation.descriptors.isEmpty, let result = operation.advance() else {
        return try operations.add(operation, for: work)
      }
      operation.release()
      session.addCPUTime(operation.cpuTime, of: work)
      finish(work, result)
    } catch {
      finish(work, .failure(error))
    }
  }
}
