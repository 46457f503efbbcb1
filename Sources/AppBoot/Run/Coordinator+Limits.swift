extension Coordinator {
  /// Cancels the launch, so that no further step starts. Returns the running work, which the caller must interrupt.
  package mutating func cancel(_ reason: CancelReason, at time: Int64) -> [Interruption] {
    guard hasBegun else {
      earlyCancel = earlyCancel ?? reason
      return []
    }
    switch phase {
    case .cancelling, .undoing, .ended: return []
    case .running, .stopping: break
    }
    outcome = outcome.cancelled(reason)
    phase = .cancelling(reason)
    emit(.cancelled(reason: reason), at: time)
    for step in 0..<plan.count {
      switch stages[step] {
      case .waiting, .ready:
        // The time of the cancellation must not decide whether the launch rolls back.
        if plannedSkip(of: step) == nil { rollBackIfRequired(by: step) }
        endUnstarted(step, .cancelled(reason), at: time)
      case .backingOff:
        markEnded(step, .cancelled(reason), at: time)
        rollBackIfRequired(by: step)
      case .running, .succeeded, .ended: continue
      }
    }
    let running = stages.indices.filter { stages[$0] == .running }.map(currentWork)
    if !running.isEmpty { timers.add(.grace, after: grace, from: time) }
    for work in running {
      if let own = plan.grace(ofStep: work.step) { timers.add(.kill(work), after: own, from: time) }
    }
    endIfDone(at: time)
    return running.map { Interruption(work: $0, isForced: false, abandons: false) }
  }

  /// Handles all timers that are due. Returns the work that the caller must interrupt.
  package mutating func expire(at time: Int64) -> [Interruption] {
    var interruptions: [Interruption] = []
    while let timer = timers.first, timer.deadline <= time {
      timers.removeFirst()
      switch timer.kind {
      case .launch: interruptions += cancel(.deadline, at: time)
      case .grace: interruptions += abandonRunning(at: time)
      case .kill(let work): interruptions += kill(work, at: time)
      case .hang(let step): if mainStep == step { isHung = true }
      case .retry(let step): if stages[step] == .backingOff, phase == .running { enqueue(step) }
      case .step(let step, let attempt): interruptions += timeOut(step, attempt: attempt, at: time)
      case .wait(let work): interruptions += endWait(work, at: time)
      case .undo(let step): interruptions += expireUndo(of: step, at: time)
      }
    }
    endIfDone(at: time)
    return interruptions
  }

  private mutating func timeOut(_ step: Int, attempt: Int, at time: Int64) -> [Interruption] {
    let work = EngineWork(step: step, attempt: attempt, kind: plan.steps[step].kind)
    guard isCurrent(work), isConcluded?(work) != true else { return [] }
    if plan.steps[step].placement.isUninterruptible {
      overrunning.insert(step)
      emit(.overran(step: step), at: time)
      if watchesHang { timers.add(.hang(step), after: grace, from: time) }
      return []
    }
    let failure = timeoutFailure(of: step, obstacle: obstacle?(work))
    letGo(of: work, at: time)
    fail(step, failure, timedOut: true, at: time)
    return [Interruption(work: work, isForced: false, abandons: true)]
  }

  /// Ends a step that nothing needs after the failure of another one: it only waits, or the launch fails fast. Returns
  /// its interruption.
  private mutating func endWait(_ work: EngineWork, at time: Int64) -> [Interruption] {
    guard isCurrent(work), case .stopping(let cause) = phase else { return [] }
    letGo(of: work, at: time)
    markEnded(work.step, .cancelled(.requested("\(plan[cause].id) failed")), at: time)
    rollBackIfRequired(by: work.step)
    return [Interruption(work: work, isForced: false, abandons: true)]
  }

  /// Handles the end of the grace period of one unit of work. Returns the interruption by force, if the work still
  /// runs.
  private mutating func kill(_ work: EngineWork, at time: Int64) -> [Interruption] {
    if case .cancelling(let reason) = phase, isCurrent(work) { abandon(work, reason, at: time) }
    let isStopping = draining.contains(work.step) || undo?.current == work
    return isStopping ? [Interruption(work: work, isForced: true, abandons: true)] : []
  }

  /// Makes the launch roll back if the policy of a step that did not succeed requires it.
  mutating func rollBackIfRequired(by step: Int) {
    if plan.steps[step].onFailure == .rollback { rollsBack = true }
  }

  /// Frees the lane of work that timed out. The slot of a process is freed only after its exit.
  private mutating func letGo(of work: EngineWork, at time: Int64) {
    guard work.kind.isPolled else { return releaseLane(of: work.step) }
    draining.insert(work.step)
    timers.add(.kill(work), after: plan.grace(ofStep: work.step) ?? grace, from: time)
  }

  /// Abandons the cancelled steps that still run after their grace period. Returns their interruptions.
  private mutating func abandonRunning(at time: Int64) -> [Interruption] {
    guard case .cancelling(let reason) = phase else { return [] }
    let running = stages.indices.filter {
      stages[$0] == .running && !plan.steps[$0].placement.isUninterruptible && plan.grace(ofStep: $0) == nil
    }.map(currentWork)
    for work in running { abandon(work, reason, at: time) }
    if watchesHang, let mainStep, stages[mainStep] == .running {
      timers.add(.hang(mainStep), after: 0, from: time)
    }
    return running.map { Interruption(work: $0, isForced: true, abandons: true) }
  }

  /// Ends a cancelled step whose work still runs. The slot of a process is freed only after its exit.
  private mutating func abandon(_ work: EngineWork, _ reason: CancelReason, at time: Int64) {
    if work.kind.isPolled { draining.insert(work.step) } else { releaseLane(of: work.step) }
    rollBackIfRequired(by: work.step)
    markEnded(work.step, .cancelled(reason), at: time)
  }

  /// Handles the exit of a process that was stopped. Frees its slot.
  ///
  /// If another attempt follows, its delay begins now.
  mutating func drained(_ work: EngineWork, at time: Int64) {
    guard draining.remove(work.step) != nil else { return }
    releaseLane(of: work.step)
    if stages[work.step] == .backingOff, let retry = plan.steps[work.step].retry {
      timers.add(.retry(work.step), after: retry.delay(afterAttempt: work.attempt), from: time)
    }
    endIfDone(at: time)
  }

  /// Ends a launch whose main lane hangs. Steps over their timeout end as timed out, and other steps as cancelled.
  ///
  /// Use it only if the program is about to exit, because the hanging step may still be running.
  mutating func abandon(at time: Int64) {
    let reason =
      currentReason ?? .requested("the main lane hangs" + (mainStep.map { " in \(plan[$0].id)" } ?? ""))
    for step in 0..<plan.count {
      switch stages[step] {
      case .waiting, .ready: endUnstarted(step, .cancelled(reason), at: time)
      case .backingOff: markEnded(step, .cancelled(reason), at: time)
      case .running where overrunning.contains(step):
        markEnded(step, .timedOut(timeoutFailure(of: step)), at: time)
      case .running: markEnded(step, .cancelled(reason), at: time)
      case .succeeded, .ended: continue
      }
    }
    if outcome == .running { outcome = mainStep.map { .failed(step: $0) } ?? .timedOut }
    if phase != .ended { endLaunch(at: time) }
  }

  /// The indices of the steps whose process was asked to stop and has not exited.
  var stopping: [Int] {
    guard currentReason != nil else { return draining.sorted() }
    return plan.indices.filter {
      draining.contains($0) || (stages[$0] == .running && plan.steps[$0].kind.isPolled)
    }
  }

  private var currentReason: CancelReason? {
    if case .cancelling(let reason) = phase { reason } else { nil }
  }
}

extension LaunchOutcome {
  /// Returns the outcome after a cancellation. A request does not hide the failure before it.
  func cancelled(_ reason: CancelReason) -> LaunchOutcome {
    if case .failed = self, case .requested = reason { self } else { reason.outcome }
  }
}

extension CancelReason {
  /// The outcome of a launch that was cancelled for this reason.
  fileprivate var outcome: LaunchOutcome {
    switch self {
    case .requested(let text): .cancelled(text)
    case .deadline: .timedOut
    case .selfCancelled: .cancelled("by itself")
    }
  }
}
