extension LaunchEngine.Shared {
  /// Abandons a unit of work. Its thread no longer counts as a worker.
  mutating func abandon(_ work: EngineWork) {
    guard work.isUndo || coordinator.plan.steps[work.step].lane != .main else { return }
    if abandoned.insert(work).inserted { liveWorkers -= 1 }
  }

  /// True if the service thread must wake up earlier than planned.
  private var isServiceDue: Bool {
    guard let serviceSleepsUntil else { return false }
    return (coordinator.isFinished && !isServiceFresh)
      || (coordinator.nextDeadline ?? .max) < serviceSleepsUntil
  }

  /// Returns the threads to wake or to start after a change.
  ///
  /// - Parameter deadlineBefore: The next deadline before the change; `nil` if there was none.
  mutating func calls(deadlineBefore: Int64?, jobs: Int) -> LaunchEngine.Calls {
    var calls = LaunchEngine.Calls()
    let isFinished = coordinator.isFinished
    let isDue = isFinished || coordinator.hasMainWork
    let isEarlier = coordinator.nextDeadline.map { $0 < (deadlineBefore ?? .max) } ?? false
    if isDue, let resume = resumeCaller {
      calls.resumeCaller = resume
      resumeCaller = nil
    }
    let isAwaited = (callerWaits && (isDue || isEarlier)) || isServiceDue
    calls.wakesPoller = isAwaited
    if isAwaited { calls.mainQueue = mainQueue }
    calls.wakesWaiting = isAwaited || (isFinished && idleWorkers > 0)
    switch coordinator.nextOtherKind() {
    case .synchronous:
      if idleWorkers > 0 {
        calls.wakesWaiting = true
      } else if liveWorkers < jobs {
        liveWorkers += 1
        calls.startsWorker = true
      }
    case .asynchronous, .polled, .waiting: calls.startsOthers = true
    case nil: break
    }
    return calls
  }
}
