extension Coordinator {
  /// Handles the end of a unit of work. If the launch no longer waits for the work, only its CPU time counts.
  mutating func finish(_ work: EngineWork, _ end: WorkEnd, at time: Int64) {
    if let cpuTime = end.cpuTime, phase != .ended {
      emit(.usedCPU(step: work.step, time: .nanoseconds(cpuTime)), at: time)
    }
    finish(work, end.result, at: time)
  }

  /// Handles the result of a unit of work. If the launch no longer waits for the work, the result has no effect.
  package mutating func finish(_ work: EngineWork, _ result: Result<Void, any Error>, at time: Int64) {
    if work.isUndo {
      finishUndo(of: work.step, result, at: time)
    } else if draining.contains(work.step) {
      drained(work, at: time)
    } else if isCurrent(work) {
      releaseLane(of: work.step)
      conclude(work.step, result, at: time)
      endIfDone(at: time)
    }
  }

  private mutating func conclude(_ step: Int, _ result: Result<Void, any Error>, at time: Int64) {
    let overran = !overrunning.isEmpty && overrunning.remove(step) != nil
    switch result {
    case _ where overran: fail(step, timeoutFailure(of: step), timedOut: true, at: time)
    case .success: end(step, .succeeded, at: time)
    case .failure(let error) where error is CancellationError: cancelled(step, at: time)
    case .failure(let error as Unnecessary): end(step, .skipped(.unnecessary(error.reason)), at: time)
    case .failure(let error): fail(step, Failure(describing: error), timedOut: false, at: time)
    }
  }

  private mutating func cancelled(_ step: Int, at time: Int64) {
    if case .cancelling(let reason) = phase {
      end(step, .cancelled(reason), at: time)
      rollBackIfRequired(by: step)
    } else {
      end(step, .cancelled(.selfCancelled), at: time)
      applyPolicy(of: step, at: time)
    }
  }

  mutating func fail(_ step: Int, _ failure: Failure, timedOut: Bool, at time: Int64) {
    if phase == .running, let retry = plan.steps[step].retry,
      let attempt = attempts[step],
      attempt < retry.attempts
    {
      stages[step] = .backingOff
      lastFailures[step] = failure
      let delay = retry.delay(afterAttempt: attempt)
      emit(
        .retrying(.init(step: step, attempt: attempt, failure: failure, delay: .nanoseconds(delay))), at: time
      )
      if !draining.contains(step) { timers.add(.retry(step), after: delay, from: time) }
      return
    }
    end(step, timedOut ? .timedOut(failure) : .failed(failure), at: time)
    applyPolicy(of: step, at: time)
  }

  /// Returns the failure of a step that timed out.
  ///
  /// - Parameter obstacle: The reason why the step's work has not ended; `nil` if it is unknown.
  func timeoutFailure(of step: Int, obstacle: String? = nil) -> Failure {
    let timeout = DurationText.exact(.nanoseconds(plan.steps[step].timeoutTime ?? 0))
    return Failure(
      message: "timed out after \(timeout)", type: "AppBoot.Timeout", causes: obstacle.map { [$0] } ?? [])
  }

  private mutating func applyPolicy(of step: Int, at time: Int64) {
    switch plan.steps[step].onFailure {
    case .continue: return
    case .keepGoing: break
    case .skipDependents: skipDependents(of: step, at: time)
    case .stop: stop(by: step, at: time)
    case .rollback:
      rollsBack = true
      stop(by: step, at: time)
    }
    if outcome == .running { outcome = .failed(step: step) }
  }

  /// Skips the steps that come after a step. The cause of each is the closest step before it.
  ///
  /// Nearer steps are skipped first. A step that the plan skips is not a cause.
  private mutating func skipDependents(of step: Int, at time: Int64) {
    var reached = [(step: step, cause: step)]
    var position = 0
    while position < reached.count {
      let (current, cause) = reached[position]
      position += 1
      for successor in plan.graph.successors(of: current)
      where stages[successor] == .waiting {
        endUnstarted(successor, .skipped(.dependency(cause)), at: time)
        reached.append((successor, plannedSkip(of: successor) == nil ? successor : cause))
      }
    }
  }

  private mutating func stop(by step: Int, at time: Int64) {
    guard phase == .running else { return }
    phase = .stopping(by: step)
    // This step ended the launch, and not one that failed before and let it go on.
    outcome = .failed(step: step)
    for other in 0..<plan.count {
      switch stages[other] {
      case .waiting, .ready: endUnstarted(other, .skipped(.stopped(by: step)), at: time)
      case .backingOff: endBackingOff(other, at: time)
      case .running
      where plan.steps[other].placement.takesNoSlot
        || (plan.failsFast && plan.steps[other].kind.isPolled):
        timers.add(.wait(currentWork(other)), after: 0, from: time)
      case .running, .succeeded, .ended: continue
      }
    }
  }

  /// Ends a step that has not started, in a state. If the plan skips the step, it ends as skipped by the plan.
  mutating func endUnstarted(_ step: Int, _ state: StepState, at time: Int64) {
    markEnded(step, plannedSkip(of: step).map(StepState.skipped) ?? state, at: time)
  }

  /// Ends a step that waits for its next attempt. Its failure is that of the last attempt.
  private mutating func endBackingOff(_ step: Int, at time: Int64) {
    let failure = lastFailures[step] ?? timeoutFailure(of: step)
    markEnded(step, .failed(failure), at: time)
    rollBackIfRequired(by: step)
  }
}

/// The progress of a rollback: the steps to undo, and the step whose undo is running.
///
/// The step that succeeded last is at the end, and is undone first.
struct UndoProgress: Sendable {
  var queue: [Int32]
  var current: EngineWork?
}

extension Coordinator {
  /// The timeout of an undo in nanoseconds if its step has no timeout.
  static let defaultUndoLimit: Int64 = 10_000_000_000

  mutating func beginUndo(at time: Int64) {
    undo = UndoProgress(queue: completed.filter { plan.hasUndo(Int($0)) })
    phase = .undoing
    endUndoIfDone(at: time)
  }

  /// The lane that the next undo needs; `nil` while an undo is running, and if there is nothing to undo.
  var undoLane: Lane? {
    guard let undo, undo.current == nil, let next = undo.queue.last else { return nil }
    return lane(ofUndo: Int(next))
  }

  /// The kind of the next undo; `nil` if there is nothing to undo.
  var undoKind: StepKind? { undo?.queue.last.map { kind(ofUndo: Int($0)) } }

  private func kind(ofUndo step: Int) -> StepKind {
    if plan.steps[step].kind == .polled { return .polled }
    return plan.commands[step] is any AsyncUndoableCommand ? .asynchronous : .synchronous
  }

  /// Returns the lane of a step's undo.
  ///
  /// It is the step's lane if the command is synchronous. The undo of other commands runs as a task or in a process, or
  /// on a worker thread if it is synchronous.
  private func lane(ofUndo step: Int) -> Lane {
    plan.steps[step].kind == .synchronous ? plan.steps[step].lane : .background
  }

  mutating func takeUndo(lane: Lane, at time: Int64) -> EngineWork? {
    guard undoLane == lane, let step = undo?.queue.popLast().map({ Int($0) }) else { return nil }
    let work = EngineWork(step: step, attempt: 1, kind: kind(ofUndo: step), isUndo: true)
    undo?.current = work
    emit(.undoStarted(step: step), at: time)
    timers.add(.undo(step), after: undoTimeout(of: step), from: time)
    return work
  }

  /// Returns the timeout of an undo in nanoseconds. For a service, its grace period is added.
  private func undoTimeout(of step: Int) -> Int64 {
    let limit = plan.steps[step].timeoutTime ?? Self.defaultUndoLimit
    let grace = plan.polledCommand(step)?.startsService == true ? plan.grace(ofStep: step) : nil
    let (sum, overflow) = limit.addingReportingOverflow(grace ?? 0)
    return overflow ? .max : sum
  }

  mutating func finishUndo(of step: Int, _ result: Result<Void, any Error>, at time: Int64) {
    guard phase == .undoing, undo?.current?.step == step else { return }
    let error: (any Error)? = if case .failure(let error) = result { error } else { nil }
    let failure =
      overrunning.remove(step) != nil ? undoTimeoutFailure(of: step) : error.map(Failure.init(describing:))
    endUndo(of: step, failure, at: time)
  }

  /// Handles the timeout of an undo. Returns the interruption of an undo off the main lane.
  ///
  /// An undo on the main lane delays the end of the launch until it returns, and a process until its exit. Other undos
  /// are abandoned.
  mutating func expireUndo(of step: Int, at time: Int64) -> [Interruption] {
    guard phase == .undoing, let work = undo?.current, work.step == step else { return [] }
    if lane(ofUndo: step) == .main {
      overrunning.insert(step)
      emit(.overran(step: step), at: time)
      return []
    }
    if work.kind.isPolled {
      overrunning.insert(step)
      timers.add(.kill(work), after: plan.grace(ofStep: step) ?? grace, from: time)
      return [Interruption(work: work, isForced: false, abandons: false)]
    }
    endUndo(of: step, undoTimeoutFailure(of: step), at: time)
    return [Interruption(work: work, isForced: false, abandons: true)]
  }

  private func undoTimeoutFailure(of step: Int) -> Failure {
    let timeout = DurationText.exact(.nanoseconds(undoTimeout(of: step)))
    return Failure(message: "undo timed out after \(timeout)", type: "AppBoot.Timeout")
  }

  private mutating func endUndo(of step: Int, _ failure: Failure?, at time: Int64) {
    undo?.current = nil
    emit(.undoEnded(step: step, failure: failure), at: time)
    endUndoIfDone(at: time)
  }

  private mutating func endUndoIfDone(at time: Int64) {
    guard let undo, undo.current == nil, undo.queue.isEmpty else { return }
    endLaunch(at: time)
  }
}
