import AppBootBase

// The execution of work: on the calling thread, as a task, or as an operation.

extension LaunchEngine {
  /// Executes synchronous work on the calling thread, and returns its end.
  func execute(_ work: EngineWork) -> WorkEnd {
    guard configuration.measuresCPUTime else { return WorkEnd(executeUnmeasured(work)) }
    let start = ThreadClock.now()
    let result = executeUnmeasured(work)
    return WorkEnd(result, cpuTime: ThreadClock.now() &- start)
  }

  private func executeUnmeasured(_ work: EngineWork) -> Result<Void, any Error> {
    let context = session.context(of: work)
    return Result {
      try checkUse(of: work)
      try checkUnless(of: work)
      let command = try session.command(of: work)
      if work.isUndo {
        try (command as? any UndoableCommand)?.undo(in: context)
      } else {
        try command.execute(in: context)
      }
    }
  }

  /// Throws an error if the command was created in code without a required parameter, or with values that it rejects.
  private func checkUse(of work: EngineWork) throws {
    if let misuse = plan.misuses[work.step] { throw misuse }
  }

  /// Throws ``Unnecessary`` if the step's `unless` holds. Waits for the program of the condition on the calling thread.
  ///
  /// If the program cannot be started yet, tries again on the calling thread (``ShortageRetry``).
  private func checkUnless(of work: EngineWork) throws {
    var retry = ShortageRetry()
    while true {
      do {
        guard let check = try session.beginUnless(of: work) else { return }
        defer { check.release() }
        let holds = try check.wait { isCancelled(work) }
        return try session.conclude(holds, of: work)
      } catch let error as any ShortageError where error.isShortage {
        guard retry.isWorthwhile(isBusy: operations?.isBusy == true) else { throw error }
        if isCancelled(work) { throw CancellationError() }
        Thread.sleep(for: ShortageRetry.pause)
      }
    }
  }

  private func isCancelled(_ work: EngineWork) -> Bool {
    session.isCancelled(step: work.step, attempt: work.attempt, isUndo: work.isUndo)
  }
}

extension LaunchEngine {
  // MARK: - Tasks

  /// Starts a task for a unit of work. Until it is cancelled, the task also runs work that is ready when it ends.
  func startTask(_ work: EngineWork) {
    let run: @Sendable () async -> Void = { [self] in
      var current: EngineWork? = work
      while let work = current { current = finishTask(work, await executeAsTask(work)) }
    }
    monitor.withLock { $0.cancels[work] = session.taskStart()(run) }
    // An interruption may have come between the coordinator's decision and this start.
    if isCancelled(work) {
      monitor.withLock { $0.cancels[work] }?()
    }
  }

  /// Reports the end of a task's work. Returns the work that the task runs next; `nil` if it ends.
  private func finishTask(_ work: EngineWork, _ end: WorkEnd) -> EngineWork? {
    transact { shared, time in
      let cancel = shared.cancels.removeValue(forKey: work)
      shared.coordinator.finish(work, end, at: time)
      // An interruption is stored before the engine cancels the task. The command itself may have cancelled it.
      guard !isCancelled(work),
        !Task.isCancelled, shared.coordinator.nextOtherKind() == .asynchronous,
        let next = shared.coordinator.takeOther(at: time)
      else { return nil }
      shared.cancels[next] = cancel
      return next
    }
  }

  private func executeAsTask(_ work: EngineWork) async -> WorkEnd {
    let call = type(of: plan.commands[work.step])._execution.call
    do {
      try checkUse(of: work)
      if !work.isUndo { try await checkUnlessAsTask(of: work) }
      let context = session.context(of: work)
      let command = try session.command(of: work)
      if plan.needsMainActor(work) {
        await MainActor.run { begunOnMainActor.withLock { $0.append(work) } }
      }
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
  private func checkUnlessAsTask(of work: EngineWork) async throws {
    guard case .command = session.openUnless(of: work) else { return try checkUnless(of: work) }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      do {
        try Thread.start(name: "appboot-unless") { [self] in
          continuation.resume(with: Result { try checkUnless(of: work) })
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
      try checkUse(of: work)
      recorder.settleSinkBeforeStart()
      return try operations.start(work, in: session)
    } catch {
      return WorkEnd(.failure(error))
    }
  }
}

extension LaunchPlan {
  /// Returns whether work is a task of the main actor.
  func needsMainActor(_ work: EngineWork) -> Bool {
    work.kind == .asynchronous && steps[work.step].lane == .main
  }
}
