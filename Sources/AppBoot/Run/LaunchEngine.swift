import AppBootBase

/// An engine that drives a coordinator with real threads: the caller, workers, tasks, and a poller for processes.
///
/// A lock guards the coordinator. A thread reports an occurrence to the coordinator under the lock, and carries out the
/// coordinator's decisions after it has released the lock. The *service* runs the timers and the poller. The caller is
/// the service while it is idle. If steps of the main lane or jobs of the main actor can keep the caller busy, the
/// service is a separate thread.
final class LaunchEngine: Sendable {
  struct Shared: Sendable {
    var coordinator: Coordinator
    var callerWaits = false
    /// A function that resumes the caller of the asynchronous `run`; `nil` unless the caller is suspended.
    var resumeCaller: (@Sendable () -> Void)?
    /// The time until which the service thread sleeps; `nil` if there is no service thread.
    var serviceSleepsUntil: Int64?
    /// True while the service thread is in its first, short sleep.
    var isServiceFresh = true
    var idleWorkers = 0
    var liveWorkers = 0
    /// The abandoned work. A worker thread ends when its abandoned work returns.
    var abandoned: Set<EngineWork> = []
    /// The functions that cancel the tasks of asynchronous work.
    var cancels: [EngineWork: @Sendable () -> Void] = [:]
    var hangReported = false
    /// The queue that the caller of the synchronous `run` serves while it waits; `nil` if it serves none.
    var mainQueue: MainQueue?
  }

  let plan: LaunchPlan
  let session: LaunchSession
  let recorder: LaunchRecorder
  let jobs: Int
  let configuration: LaunchRunner.Configuration
  let monitor: Condition<Shared>
  let operations: (any LaunchOperations)?
  /// The tasks that the main actor has begun to run.
  let begunOnMainActor = Lock<[EngineWork]>([])
  /// The error that prevents processes and waits, which need a poller; `nil` without such an error.
  let pollerError: (any Error)?
  /// True if the launch has processes, waits or timers, which the service handles.
  private let needsService: Bool

  init(plan: LaunchPlan, configuration: LaunchRunner.Configuration) {
    self.plan = plan
    recorder = LaunchRecorder(
      plan.outline, in: plan.environment, header: configuration.header, sink: configuration.sink,
      sinkThread: configuration.sinkThread, observers: configuration.observers,
      recordObservers: configuration.recordObservers)
    jobs = configuration.slots
    self.configuration = configuration
    var coordinator = Coordinator(
      plan: plan, jobs: jobs, tasks: configuration.tasks, grace: configuration.grace.nanoseconds,
      watchesHang: configuration.onHang != nil,
      ranks: configuration.ranks ?? LongestPath.ranks(of: plan.outline, history: configuration.historyTimes),
      isSerial: configuration.isSerial)
    do {
      operations = try (configuration.makeOperations ?? plan.makeOperations)?()
      pollerError = nil
    } catch {
      (operations, pollerError) = (nil, error)
    }
    session = plan.session(recorder)
    coordinator.isConcluded = { [operations] in operations?.isConcluded($0) ?? false }
    coordinator.obstacle = { [operations, begunOnMainActor] work in
      if let obstacle = operations?.obstacle(of: work) { return obstacle }
      guard plan.needsMainActor(work), !begunOnMainActor.withLock({ $0.contains(work) }) else { return nil }
      return "the main actor has not begun to run it: other work may occupy the main thread"
    }
    monitor = Condition(Shared(coordinator: coordinator))
    needsService =
      plan.hasPolled || configuration.makeOperations != nil || plan.timeoutTime != nil || plan.hasTimers
      || configuration.onHang != nil
  }

  // MARK: - The two forms of run

  /// Runs the launch, blocks the calling thread meanwhile, and returns the record.
  func run() -> LaunchRecord {
    recorder.begin()
    let usesMainActor = plan.runsTasks || (plan.hasWorkers && configuration.servesMainActor())
    let mainQueue = usesMainActor ? MainQueue.current() : nil
    monitor.withLock { $0.mainQueue = mainQueue }
    // While the caller runs a step or a job of the main actor, it cannot be the service.
    let hasService = needsService && (plan.hasMainWork || mainQueue != nil)
    if hasService { startService() } else if operations != nil { recorder.becomeService() }
    begin()
    // Neither changes during this call.
    let runsSteps = withUnsafeCurrentTask { $0 != nil } || MainQueue.isOnMainActor
    var done: Done?
    while true {
      switch next(after: done, isService: !hasService) {
      case .work(let work):
        done = performForCaller(work, runsSteps: runsSteps)
        continue
      case .wait(let deadline): wait(until: deadline, serving: mainQueue, isService: !hasService)
      case .finished: return recorder.close(attend: attend)
      }
      done = nil
    }
  }

  /// Runs the launch, and returns its record. Main-lane steps run on the actor, which is then the main actor.
  func run(isolation: isolated (any Actor)?) async -> LaunchRecord {
    recorder.begin()
    let starter = plan.runsTasks ? TaskStarter() : nil
    session.starter.withLock { $0 = starter }
    defer { session.starter.withLock { $0 = nil } }
    if needsService || plan.hasRollback { startService() }
    begin()
    var done: Done?
    while true {
      switch next(after: done, isService: false) {
      case .work(let work):
        // In a task, it runs them on its actor.
        done = performForCaller(work, runsSteps: true)
        continue
      case .wait: await suspendCaller()
      case .finished: return recorder.close()
      }
      done = nil
    }
  }

  private func begin() {
    plan.environment.host.clock?.drive(self)
    transact { $0.coordinator.begin(at: $1) }
  }

  private enum Next { case work(EngineWork), wait(Int64?), finished }

  /// A unit of work that has returned, but was not reported to the coordinator yet.
  struct Done {
    let work: EngineWork
    let end: WorkEnd
  }

  /// Performs work of the main lane: synchronous work on the main thread. Returns its result, and `nil` for other work.
  ///
  /// A caller on another thread waits for the main thread. Only in a task, a blocking call runs the work: it blocks a
  /// thread of Swift's cooperative pool, which the main actor may wait for.
  ///
  /// The caller reports the result when it asks for the next work.
  ///
  /// - Parameter runsSteps: True if the calling thread runs synchronous work itself.
  private func performForCaller(_ work: EngineWork, runsSteps: Bool) -> Done? {
    guard work.kind == .synchronous else {
      perform(work)
      return nil
    }
    if runsSteps { return Done(work: work, end: execute(work)) }
    let done = Condition<Done?>(nil)
    MainQueue.add { [self] in
      let end = execute(work)
      done.withLock { $0 = Done(work: work, end: end) }
      done.signal()
    }
    return done.wait { $0 }
  }

  /// Returns the next action of the caller.
  ///
  /// - Parameter isService: True if the caller is also the service. It first handles the timers that are due.
  private func next(after done: Done?, isService: Bool) -> Next {
    let (next, interruptions) = transact { shared, time -> (Next, [Interruption]) in
      shared.callerWaits = false
      if let done { shared.coordinator.finish(done.work, done.end, at: time) }
      let interruptions = isService ? shared.coordinator.expire(at: time) : []
      if shared.coordinator.isFinished { return (.finished, interruptions) }
      if let work = shared.coordinator.takeMain(at: time) { return (.work(work), interruptions) }
      shared.callerWaits = true
      return (.wait(isService ? shared.coordinator.nextDeadline : nil), interruptions)
    }
    interrupt(interruptions)
    return next
  }

  private func wait(until deadline: Int64?, serving mainQueue: MainQueue?, isService: Bool) {
    if let mainQueue { return mainQueue.wait(until: deadline.map(recorder.waitDeadline)) }
    if isService, let operations {
      advance(operations.wait(until: deadline.map(recorder.waitDeadline)))
      return
    }
    _ = monitor.wait(until: deadline.map(recorder.waitDeadline)) { shared -> Void? in
      let isDue = isService && shared.coordinator.nextDeadline != deadline
      return isDue || shared.endsCallerWait() ? () : nil
    }
  }

  /// Handles the signals that have arrived, without waiting.
  func attend() { _ = operations?.wait(until: MonotonicClock.now()) }

  private func suspendCaller() async {
    await withCheckedContinuation { continuation in
      let isDue = monitor.withLock { shared in
        if shared.coordinator.isFinished || shared.coordinator.hasMainWork { return true }
        shared.resumeCaller = { continuation.resume() }
        return false
      }
      if isDue { continuation.resume() }
    }
  }

  // MARK: - Telling the coordinator

  /// Changes the coordinator under the lock, records its events, and wakes the threads that the change affects.
  ///
  /// - Parameter startsOthers: False if the caller itself starts the tasks and processes that become ready.
  @discardableResult
  func transact<Result>(startsOthers: Bool = true, _ change: (inout Shared, Int64) -> Result) -> Result {
    var (result, calls) = monitor.withLock { shared in
      let time = recorder.now()
      let deadline = shared.coordinator.nextDeadline
      let result = change(&shared, time)
      shared.coordinator.passEvents { recorder.record($0) }
      return (result, shared.calls(deadlineBefore: deadline, jobs: jobs))
    }
    recorder.writeSink()
    if !startsOthers { calls.startsOthers = false }
    answer(calls)
    return result
  }

  /// Reports the end of a unit of work to the coordinator.
  func finish(_ work: EngineWork, _ end: WorkEnd, startsOthers: Bool = true) {
    let end = configuration.measuresCPUTime ? end : WorkEnd(end.result)
    transact(startsOthers: startsOthers) { $0.coordinator.finish(work, end, at: $1) }
  }

  /// Cancels the launch.
  func cancel(_ reason: CancelReason) {
    let interruptions = transact { shared, time in
      // Under the lock: a command that notices it can only end after the coordinator knows the reason.
      session.stop()
      return shared.coordinator.cancel(reason, at: time)
    }
    interrupt(interruptions)
  }

  /// The threads to wake or to start after a change of the coordinator.
  struct Calls {
    var resumeCaller: (@Sendable () -> Void)?
    var wakesWaiting = false
    var wakesPoller = false
    var mainQueue: MainQueue?
    var startsWorker = false
    var startsOthers = false
  }

  func answer(_ calls: Calls) {
    if calls.wakesWaiting { monitor.broadcast() }
    if calls.wakesPoller { operations?.wake() }
    calls.mainQueue?.wake()
    calls.resumeCaller?()
    if calls.startsWorker { startWorker() }
    if calls.startsOthers { startOthers() }
  }

  // MARK: - Doing the work

  /// Performs work. Synchronous work runs on the calling thread; other work is started as a task or a polled operation.
  ///
  /// - Parameter startsOthers: False if the caller itself starts the tasks and processes that become ready.
  private func perform(_ work: EngineWork, startsOthers: Bool = true) {
    switch work.kind {
    case .synchronous: finish(work, execute(work), startsOthers: startsOthers)
    case .asynchronous: startTask(work)
    case .polled, .slotless:
      if let end = startOperation(work) { finish(work, end, startsOthers: startsOthers) }
    }
  }

  /// Starts tasks and processes until the next step needs a thread, or until no step is ready.
  private func startOthers() {
    while true {
      let work = transact(startsOthers: false) { shared, time -> EngineWork? in
        guard let kind = shared.coordinator.nextOtherKind(), kind != .synchronous else { return nil }
        return shared.coordinator.takeOther(at: time)
      }
      guard let work else { return }
      perform(work, startsOthers: false)
    }
  }

  /// Advances the operations of these units of work. Reports those that have ended to the coordinator.
  func advance(_ works: [EngineWork]) {
    for work in works {
      if let end = operations?.advance(work) { finish(work, end) }
    }
  }

  func interrupt(_ interruptions: [Interruption]) {
    for interruption in interruptions {
      let work = interruption.work
      session.interrupt(work)
      switch work.kind {
      case .synchronous: if interruption.abandons { monitor.withLock { $0.abandon(work) } }
      case .asynchronous: monitor.withLock { $0.cancels[work] }?()
      case .polled, .slotless: operations?.stop(work, isForced: interruption.isForced)
      }
    }
    if !interruptions.isEmpty { transact { _, _ in } }
  }
}

extension LaunchPlan {
  /// The function that makes the operations of the launch; `nil` if no step is polled.
  fileprivate var makeOperations: LaunchOperationsMaker? {
    guard hasPolled else { return nil }
    return commands.lazy.compactMap { type(of: $0)._execution.polledType?.makeOperations }.first
  }
}

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

  /// Returns whether the woken caller has work. If not, because the work was cancelled meanwhile, notes that the caller
  /// waits again.
  mutating func endsCallerWait() -> Bool {
    let isDue = coordinator.isFinished || coordinator.hasMainWork
    if !isDue { callerWaits = true }
    return isDue
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
    // One call is enough: until the caller takes the work, it stays due.
    if isDue { callerWaits = false }
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
    case .asynchronous, .polled, .slotless: calls.startsOthers = true
    case nil: break
    }
    return calls
  }
}
