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
    let (sum, overflow) = limit.addingReportingOverflow(plan.grace(ofStep: step) ?? 0)
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
      timers.add(.kill(work), after: grace, from: time)
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
