/// The state machine of a launch. It decides which step runs, which waits, and how the end of a step affects other
/// steps.
///
/// A coordinator does no work. Its driver reports each occurrence with its time. The coordinator returns the work to
/// start and the steps to interrupt, and emits events for its decisions. The driver (a blocking thread, an actor or a
/// ``Simulation``) has the threads and the clock.
///
///     running ──a step fails with `stop` or `rollback`──→ stopping ──┐
///        └──────cancelled, or timed out──→ cancelling ───────────────┴ all ended → (undoing) → ended
package struct Coordinator: Sendable {
  enum Phase: Sendable, Equatable {
    case running
    case stopping(by: Int)
    case cancelling(CancelReason)
    case undoing
    case ended
  }

  /// A stage of a step, as far as the coordinator distinguishes them. `ended` is each end except success.
  enum Stage: UInt8, Sendable {
    case waiting, ready, running, backingOff, succeeded, ended
  }

  let plan: LaunchPlan
  let jobs: Int
  /// The maximum number of tasks that run at the same time.
  let tasks: Int
  /// The nanoseconds from the cancellation of a step until the step is abandoned.
  let grace: Int64
  /// True if the coordinator must detect that the main lane hangs.
  let watchesHang: Bool
  /// True if one step runs at a time, over all lanes, in the order of the ranks.
  private let isSerial: Bool

  var phase = Phase.running
  var outcome = LaunchOutcome.running
  var stages: [Stage]
  /// The number of predecessors that have not ended, for each step.
  var unmet: [Int]
  var mainQueue: ReadyQueue
  var otherQueue: ReadyQueue
  /// The queue of the ready steps that run as tasks. They need no slot.
  var taskQueue: ReadyQueue
  /// The queue of the ready steps that only wait. They need no slot.
  var slotlessQueue: ReadyQueue
  /// The step that runs on the main lane; `nil` if the lane is free.
  var mainStep: Int?
  /// The number of slots in use, by threads and processes off the main lane.
  var othersRunning = 0
  var tasksRunning = 0
  /// The number of steps that have not ended.
  var unfinished: Int
  /// The steps whose process is stopping and has not exited, although the step has ended or waits for its next attempt.
  var draining: Set<Int> = []
  /// The main-lane steps that have exceeded their timeout. They cannot be interrupted.
  var overrunning: Set<Int> = []
  /// The numbers of the current attempts, by step. Only steps with a retry policy have one.
  var attempts: [Int: Int] = [:]
  var lastFailures: [Int: Failure] = [:]
  var timers = TimerQueue()
  /// True if the main lane did not return in time after a cancellation or a timeout.
  var isHung = false
  var rollsBack = false
  /// The steps that succeeded, in order; empty if no failure rolls back the launch.
  var completed: [Int32] = []
  var undo: UndoProgress?
  /// True after the launch has begun.
  package var hasBegun = false
  var earlyCancel: CancelReason?
  /// A function that returns the reason why the work of a step has not ended; `nil` if it is unknown. The driver sets
  /// it.
  var obstacle: (@Sendable (EngineWork) -> String?)?
  /// A function that returns true if the result of work is known, although the work has not ended; `nil` for false.
  var isConcluded: (@Sendable (EngineWork) -> Bool)?
  private let keepsCompleted: Bool
  private var events: [LaunchEvent] = []

  /// Creates a coordinator for a launch that has not begun.
  ///
  /// - Parameters:
  ///   - tasks: The maximum number of tasks that run at the same time; `nil` for no limit.
  ///   - ranks: The rank of each step; `nil` for manifest order. Of two ready steps, the one with the lower rank starts
  ///     first.
  ///   - isSerial: True to run one step at a time, over all lanes, in the order of the ranks.
  package init(
    plan: LaunchPlan, jobs: Int, tasks: Int? = nil, grace: Int64, watchesHang: Bool = false,
    ranks: [Int32]? = nil, isSerial: Bool = false
  ) {
    self.plan = plan
    self.jobs = max(1, jobs)
    self.tasks = max(1, tasks ?? .max)
    self.grace = max(0, grace)
    self.watchesHang = watchesHang
    self.isSerial = isSerial
    stages = [Stage](repeating: .waiting, count: plan.count)
    unmet = plan.graph.inDegrees()
    mainQueue = ReadyQueue(ranks: ranks)
    otherQueue = ReadyQueue(ranks: ranks)
    taskQueue = ReadyQueue(ranks: ranks)
    slotlessQueue = ReadyQueue(ranks: ranks)
    unfinished = plan.count
    keepsCompleted = plan.hasRollback
  }

  /// True if all steps have ended, and no undo and no process is left to wait for.
  package var isFinished: Bool { phase == .ended }

  /// The next time at which ``expire(at:)`` must be called; `nil` if no timer is set.
  package var nextDeadline: Int64? { timers.first?.deadline }

  /// Returns the events since the last call, in order.
  package mutating func takeEvents() -> [LaunchEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Passes the events since the last call to a function, in order.
  mutating func passEvents(to body: ([LaunchEvent]) -> Void) {
    body(events)
    events.removeAll(keepingCapacity: true)
  }

  mutating func emit(_ kind: LaunchEvent.Kind, at time: Int64) {
    events.append(LaunchEvent(kind, at: time))
  }

  // MARK: - Becoming ready

  /// Begins the launch. Steps without predecessors become ready, or end if the plan skips them.
  package mutating func begin(at time: Int64) {
    emit(.launchStarted, at: time)
    hasBegun = true
    // No step runs yet, so there is nothing to interrupt.
    if let earlyCancel {
      _ = cancel(earlyCancel, at: time)
      return
    }
    if let timeout = plan.timeoutTime { timers.add(.launch, after: timeout, from: time) }
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
    if plan.steps[step].placement.usesMainLane { return mainQueue.insert(step) }
    switch plan.steps[step].placement.kind {
    case .synchronous, .polled: otherQueue.insert(step)
    case .asynchronous: taskQueue.insert(step)
    case .slotless: slotlessQueue.insert(step)
    }
  }

  // MARK: - Handing out work

  /// Returns the next work for the main lane; `nil` if no step is ready or the lane is busy.
  package mutating func takeMain(at time: Int64) -> EngineWork? {
    if phase == .undoing { return takeUndo(lane: .main, at: time) }
    guard hasMainWork, let step = Self.nextLive(&mainQueue, stages) else { return nil }
    mainStep = step
    return start(step, at: time)
  }

  /// Returns the next work for other threads; `nil` if no step is ready, or if ready steps need a slot and none is
  /// free.
  package mutating func takeOther(at time: Int64) -> EngineWork? {
    if phase == .undoing { return takeUndo(lane: .background, at: time) }
    guard let step = nextOther() else { return nil }
    switch plan.steps[step].placement.kind {
    case .synchronous, .polled:
      _ = otherQueue.removeFirst()
      othersRunning += 1
    case .asynchronous:
      _ = taskQueue.removeFirst()
      tasksRunning += 1
    case .slotless: _ = slotlessQueue.removeFirst()
    }
    return start(step, at: time)
  }

  /// True if there may be work for the main lane now. It is also true if all steps in its queue have ended meanwhile.
  var hasMainWork: Bool {
    if phase == .undoing { return undoLane == .main }
    guard mainStep == nil, let step = mainQueue.first else { return false }
    return mayStart(step)
  }

  /// Returns the kind of work that ``takeOther(at:)`` would return now; `nil` if it would return `nil`.
  mutating func nextOtherKind() -> StepKind? {
    if phase == .undoing { return undoLane == .background ? undoKind : nil }
    return nextOther().map { plan.steps[$0].placement.kind }
  }

  /// Returns the step that starts next off the main lane; `nil` if none can start. The step stays in its queue.
  private mutating func nextOther() -> Int? {
    let other = othersRunning < jobs ? Self.firstLive(&otherQueue, stages) : nil
    let task = tasksRunning < tasks ? Self.firstLive(&taskQueue, stages) : nil
    let waiting = Self.firstLive(&slotlessQueue, stages)
    return first(first(other, task), waiting).flatMap { mayStart($0) ? $0 : nil }
  }

  /// Returns whether no other step runs and no other ready step is before this one, if steps run one at a time.
  private func mayStart(_ step: Int) -> Bool {
    func isBefore(_ other: Int) -> Bool { stages[other] == .ready && otherQueue.precedes(other, step) }
    return !isSerial || !stages.contains(.running) && !stages.indices.contains(where: isBefore)
  }

  /// Returns the step of two that starts first; the other one if one of them is `nil`.
  private func first(_ left: Int?, _ right: Int?) -> Int? {
    guard let left, let right else { return left ?? right }
    return otherQueue.precedes(left, right) ? left : right
  }

  /// Returns the first step in a queue that has not ended meanwhile. Removes the steps before it.
  private static func firstLive(_ queue: inout ReadyQueue, _ stages: [Stage]) -> Int? {
    while let step = queue.first {
      if stages[step] == .ready || stages[step] == .backingOff { return step }
      _ = queue.removeFirst()
    }
    return nil
  }

  /// Removes and returns the first step in a queue that has not ended meanwhile.
  private static func nextLive(_ queue: inout ReadyQueue, _ stages: [Stage]) -> Int? {
    firstLive(&queue, stages) == nil ? nil : queue.removeFirst()
  }

  private mutating func start(_ step: Int, at time: Int64) -> EngineWork {
    var attempt = 1
    if plan.steps[step].retry != nil {
      attempt = attempts[step, default: 0] + 1
      attempts[step] = attempt
    }
    stages[step] = .running
    emit(.started(step: step, attempt: attempt), at: time)
    if let timeout = plan.steps[step].timeoutTime {
      timers.add(.step(step, attempt: attempt), after: timeout, from: time)
    }
    return EngineWork(step: step, attempt: attempt, kind: plan.steps[step].placement.kind)
  }

  func isCurrent(_ work: EngineWork) -> Bool {
    stages[work.step] == .running && (attempts[work.step] ?? 1) == work.attempt
  }

  /// Returns the work of a running step.
  func currentWork(_ step: Int) -> EngineWork {
    EngineWork(step: step, attempt: attempts[step] ?? 1, kind: plan.steps[step].placement.kind)
  }

  mutating func releaseLane(of step: Int) {
    if plan.steps[step].placement.usesMainLane {
      mainStep = nil
    } else if plan.steps[step].placement.kind == .asynchronous {
      tasksRunning -= 1
    } else if plan.steps[step].placement.takesSlot {
      othersRunning -= 1
    }
  }

  // MARK: - Ending

  /// Ends a step. If its state allows, the steps of which it is a predecessor can become ready.
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
    case .succeeded, .skipped(.excluded), .skipped(.condition), .skipped(.unnecessary), .skipped(.safeMode):
      true
    case .failed, .timedOut, .cancelled(.selfCancelled): plan.steps[step].onFailure.releasesSuccessors
    case .waiting, .ready, .running, .cancelled, .skipped: false
    }
  }

  /// Returns the reason why the plan skips a step; `nil` if it does not.
  func plannedSkip(of step: Int) -> SkipReason? { plan.steps[step].skip }

  private mutating func release(successorsOf step: Int, at time: Int64) {
    // A worklist instead of recursion: a chain of a million skipped steps must not use the stack.
    var ended: [Int] = []
    var next: Int? = step
    while let current = next {
      for successor in plan.graph.successors(of: current) {
        unmet[successor] -= 1
        guard unmet[successor] == 0, stages[successor] == .waiting else { continue }
        if let reason = plannedSkip(of: successor) {
          markEnded(successor, .skipped(reason), at: time)
          ended.append(successor)
        } else {
          becomeReady(successor, at: time)
        }
      }
      next = ended.popLast()
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

/// A request to stop a unit of work. Work that ignores a cancellation is killed or abandoned by force.
package struct Interruption: Sendable, Hashable {
  package let work: EngineWork
  /// True if the grace period of the work is over, so that it must be stopped by force.
  package let isForced: Bool
  /// True if the launch no longer waits for the work.
  package let abandons: Bool
}
