/// Who may run, who has to wait and what an outcome means for the others: the engine's one state machine.
///
/// A coordinator does nothing itself. It is told what happened and when; it answers with the work to
/// start and the steps to interrupt, and puts what it decided into its events. Whoever drives it (a
/// blocking thread, an actor, a simulation in a test) brings the threads and the clock.
///
///     running ──a step fails with `stop` or `rollback`──→ stopping ──┐
///        └──────cancelled, or out of time──→ cancelling ─────────────┴ all ended → (undoing) → ended
struct Coordinator: Sendable {
  enum Phase: Sendable, Equatable {
    case running
    case stopping(by: Int)
    case cancelling(CancelReason)
    case undoing
    case ended
  }

  /// The stages of a step, as far as the coordinator tells them apart; `ended` covers all but success.
  enum Stage: UInt8, Sendable {
    case waiting, ready, running, backingOff, succeeded, ended
  }

  let plan: StartupPlan
  let jobs: Int
  /// Nanoseconds between telling a step to stop and giving it up.
  let grace: Int64
  /// Whether a main lane that hangs is to be noticed.
  let watchesHang: Bool

  var phase = Phase.running
  var outcome = LaunchOutcome.running
  var stages: [Stage]
  /// How many predecessors each step still waits for.
  var unmet: [Int32]
  var mainQueue: ReadyQueue
  var otherQueue: ReadyQueue
  /// The step on the main lane.
  var mainStep: Int?
  /// How many steps that are not on the main lane run now.
  var othersRunning = 0
  /// How many steps have not ended.
  var unfinished: Int
  /// Processes that were told to stop and are not gone yet, though their step has ended or waits to retry.
  var draining: Set<Int> = []
  /// Main-lane steps that passed their limit and cannot be interrupted.
  var overrunning: Set<Int> = []
  /// The number of the current attempt, of steps that have a retry policy.
  var attempts: [Int: Int] = [:]
  var lastFailures: [Int: Failure] = [:]
  var timers = TimerQueue()
  /// The main lane was told to stop, or passed its limit, and did not return in time.
  var isHung = false
  var rollsBack = false
  /// What succeeded, in order; kept only where something may roll back.
  var completed: [Int32] = []
  var undo: UndoProgress?
  /// Whether the launch has begun, and why it is cancelled as it begins.
  var hasBegun = false
  var earlyCancel: CancelReason?
  private let keepsCompleted: Bool
  private var events: [StartupEvent] = []

  /// - Parameter ranks: Which of two ready steps goes first, the smaller; `nil` for manifest order.
  init(plan: StartupPlan, jobs: Int, grace: Int64, watchesHang: Bool = false, ranks: [Int32]? = nil) {
    self.plan = plan
    self.jobs = max(1, jobs)
    self.grace = max(0, grace)
    self.watchesHang = watchesHang
    stages = [Stage](repeating: .waiting, count: plan.count)
    unmet = plan.graph.inDegrees()
    mainQueue = ReadyQueue(ranks: ranks)
    otherQueue = ReadyQueue(ranks: ranks)
    unfinished = plan.count
    keepsCompleted = plan.traits.hasRollback
  }

  /// Whether everything has ended and nothing is left to undo or to wait for.
  var isFinished: Bool { phase == .ended }

  /// The earliest moment at which ``expire(at:)`` has something to do.
  var nextDeadline: Int64? { timers.first?.deadline }

  /// What was decided since the last call, in order.
  mutating func takeEvents() -> [StartupEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  mutating func emit(_ kind: StartupEvent.Kind, at time: Int64) {
    events.append(StartupEvent(kind, at: time))
  }

  // MARK: - Becoming ready

  /// Begins the launch: leaves out what the plan leaves out, and makes ready what waits for nothing.
  mutating func begin(at time: Int64) {
    emit(.launchStarted, at: time)
    hasBegun = true
    // Nothing runs yet that would have to be interrupted.
    if let earlyCancel {
      _ = cancel(earlyCancel, at: time)
      return
    }
    if let timeout = plan.timeout { timers.add(.launch, after: timeout, from: time) }
    for step in 0..<plan.count where unmet[step] == 0 && stages[step] == .waiting {
      becomeReady(step, at: time)
    }
    endIfDone(at: time)
  }

  mutating func becomeReady(_ step: Int, at time: Int64) {
    if let reason = plannedSkip(of: step) {
      end(step, .skipped(reason), at: time)
      return
    }
    stages[step] = .ready
    emit(.ready(step: step), at: time)
    enqueue(step)
  }

  mutating func enqueue(_ step: Int) {
    if plan.stepTraits[step].lane == .main { mainQueue.insert(step) } else { otherQueue.insert(step) }
  }

  // MARK: - Handing out work

  /// The next piece of work for the main lane, or `nil` while there is none or the lane is taken.
  mutating func takeMain(at time: Int64) -> EngineWork? {
    if phase == .undoing { return takeUndo(lane: .main, at: time) }
    guard mainStep == nil, let step = Self.nextLive(&mainQueue, stages) else { return nil }
    mainStep = step
    return start(step, at: time)
  }

  /// The next piece of work for the other lane, or `nil` while there is none or `jobs` run already.
  mutating func takeOther(at time: Int64) -> EngineWork? {
    if phase == .undoing { return takeUndo(lane: .background, at: time) }
    guard othersRunning < jobs, let step = Self.nextLive(&otherQueue, stages) else { return nil }
    othersRunning += 1
    return start(step, at: time)
  }

  /// Whether the main lane has something to do now; may be true where all that was queued has ended since.
  var hasMainWork: Bool {
    phase == .undoing ? undoLane == .main : mainStep == nil && !mainQueue.isEmpty
  }

  /// The kind of what ``takeOther(at:)`` would hand out now, or `nil` where there is nothing.
  mutating func nextOtherKind() -> StepKind? {
    if phase == .undoing { return undoLane == .background ? .synchronous : nil }
    guard othersRunning < jobs else { return nil }
    while let step = otherQueue.first {
      if stages[step] == .ready || stages[step] == .backingOff { return plan.stepTraits[step].kind }
      _ = otherQueue.removeFirst()
    }
    return nil
  }

  /// The next queued step that has not ended meanwhile.
  private static func nextLive(_ queue: inout ReadyQueue, _ stages: [Stage]) -> Int? {
    while let step = queue.removeFirst() {
      if stages[step] == .ready || stages[step] == .backingOff { return step }
    }
    return nil
  }

  private mutating func start(_ step: Int, at time: Int64) -> EngineWork {
    var attempt = 1
    if plan.stepTraits[step].hasRetry {
      attempt = attempts[step, default: 0] + 1
      attempts[step] = attempt
    }
    stages[step] = .running
    emit(.started(step: step, attempt: attempt), at: time)
    if plan.stepTraits[step].hasTimeout, let timeout = plan.steps[step].timeout {
      timers.add(.step(step, attempt: attempt), after: timeout, from: time)
    }
    return EngineWork(step: step, attempt: attempt, kind: plan.stepTraits[step].kind)
  }

  func isCurrent(_ work: EngineWork) -> Bool {
    stages[work.step] == .running && (attempts[work.step] ?? 1) == work.attempt
  }

  /// The work of a step that runs now.
  func currentWork(_ step: Int) -> EngineWork {
    EngineWork(step: step, attempt: attempts[step] ?? 1, kind: plan.stepTraits[step].kind)
  }

  mutating func releaseLane(of step: Int) {
    if plan.stepTraits[step].lane == .main { mainStep = nil } else { othersRunning -= 1 }
  }

  // MARK: - Ending

  /// Ends a step and lets go of what waited for it, where its state does not hold them back.
  mutating func end(_ step: Int, _ state: StepState, at time: Int64) {
    markEnded(step, state, at: time)
    if state == .succeeded, keepsCompleted { completed.append(Int32(step)) }
    if phase == .running, releasesSuccessors(step, state) { release(successorsOf: step, at: time) }
  }

  mutating func markEnded(_ step: Int, _ state: StepState, at time: Int64) {
    stages[step] = state == .succeeded ? .succeeded : .ended
    unfinished -= 1
    emit(.ended(step: step, state: state), at: time)
  }

  private func releasesSuccessors(_ step: Int, _ state: StepState) -> Bool {
    switch state {
    case .succeeded, .skipped(.excluded), .skipped(.condition), .skipped(.safeMode): true
    case .failed, .timedOut, .cancelled(.selfCancelled): plan.stepTraits[step].onFailure == .continue
    case .waiting, .ready, .running, .cancelled, .skipped: false
    }
  }

  /// Why the plan leaves a step out; `nil` where it does not. The step itself is looked at where its trait says that it has to be.
  func plannedSkip(of step: Int) -> SkipReason? {
    plan.stepTraits[step].isSkipped ? plan.steps[step].skip : nil
  }

  private mutating func release(successorsOf step: Int, at time: Int64) {
    // A worklist instead of recursion: a chain of a million skipped steps must not use the stack.
    var ended = [step]
    while let current = ended.popLast() {
      for successor in plan.graph.successors(of: current) {
        let successor = Int(successor)
        unmet[successor] -= 1
        guard unmet[successor] == 0, stages[successor] == .waiting else { continue }
        if let reason = plannedSkip(of: successor) {
          markEnded(successor, .skipped(reason), at: time)
          ended.append(successor)
        } else {
          becomeReady(successor, at: time)
        }
      }
    }
  }

  mutating func endIfDone(at time: Int64) {
    guard unfinished == 0, draining.isEmpty else { return }
    switch phase {
    case .undoing, .ended: return
    case .running, .stopping, .cancelling:
      if rollsBack { beginUndo(at: time) } else { endLaunch(at: time) }
    }
  }

  mutating func endLaunch(at time: Int64) {
    phase = .ended
    if outcome == .running { outcome = .succeeded }
    emit(.launchEnded(outcome), at: time)
  }
}

/// A piece of work that the coordinator hands out: one attempt of a step, or its undo.
struct EngineWork: Sendable, Hashable {
  let step: Int
  let attempt: Int
  let kind: StepKind
  var isUndo = false
}

/// Work that has to be told to stop; with force, what does not listen is ended or given up.
struct Interruption: Sendable, Hashable {
  let work: EngineWork
  /// Whether it has had its time to stop by itself.
  let isForced: Bool
  /// Whether nobody waits for it any more.
  let givesUp: Bool
}
