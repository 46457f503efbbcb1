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
      emit(.retrying(step: step, attempt: attempt, failure: failure, delay: .nanoseconds(delay)), at: time)
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
    for other in 0..<plan.count {
      switch stages[other] {
      case .waiting, .ready: endUnstarted(other, .skipped(.stopped(by: step)), at: time)
      case .backingOff: endBackingOff(other, at: time)
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
