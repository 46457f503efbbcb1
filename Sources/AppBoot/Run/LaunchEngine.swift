import AppBootSystem

/// Drives a coordinator with real threads: the caller, the workers, tasks, and a poller for processes.
///
/// One lock guards the coordinator. Whoever learns that something happened tells the coordinator under
/// the lock, and acts on the answer after it. The *service* keeps the time limits and the poller: it is
/// the caller itself while it has nothing else to do, or a thread where the main lane keeps the caller busy.
final class LaunchEngine: Sendable {
  struct Shared: Sendable {
    var coordinator: Coordinator
    var callerWaits = false
    /// Lets the caller of the asynchronous form go on, where it is suspended.
    var resumeCaller: (@Sendable () -> Void)?
    /// When the service thread looks again by itself; `nil` where there is none.
    var serviceSleepsUntil: Int64?
    /// Whether the service thread is still in its first sleep, which is short.
    var isServiceFresh = true
    var idleWorkers = 0
    var liveWorkers = 0
    /// Threads whose work was given up: they end when it returns.
    var abandoned: Set<EngineWork> = []
    /// How the task of each asynchronous work is cancelled.
    var cancels: [EngineWork: @Sendable () -> Void] = [:]
    var hangReported = false
    /// Where the tasks of the synchronous form run; `nil` in the asynchronous one, whose pool nobody blocks.
    var executor: EngineExecutor?
  }

  let plan: StartupPlan
  let session: LaunchSession
  let recorder: LaunchRecorder
  let jobs: Int
  let onHang: (@Sendable (StartupRecord) -> Void)?
  let monitor: Condition<Shared>
  let board: PolledOperations?
  private let needsServiceThread: Bool

  init(
    plan: StartupPlan, configuration: StartupRunner.Configuration, recorder: LaunchRecorder,
    session: LaunchSession
  ) {
    self.plan = plan
    self.recorder = recorder
    self.session = session
    jobs = max(1, configuration.jobs ?? Host.usableProcessorCount)
    onHang = configuration.onHang
    let coordinator = Coordinator(
      plan: plan, jobs: jobs, grace: configuration.grace, watchesHang: configuration.onHang != nil,
      ranks: LongestPath.ranks(of: plan, history: configuration.history))
    monitor = Condition(Shared(coordinator: coordinator))
    // Without a poller a process runs as a task, which says what the system lacks.
    let needsBoard = plan.traits.hasPolled || configuration.watch != nil
    board = needsBoard ? try? PolledOperations(watch: configuration.watch) : nil
    let hasLimits = plan.timeout != nil || plan.traits.hasLimits || configuration.onHang != nil
    needsServiceThread = plan.traits.hasMainWork && (needsBoard || hasLimits)
  }

  // MARK: - The two forms of run

  /// Runs on the calling thread.
  func run() -> StartupRecord {
    recorder.begin()
    if plan.traits.hasTasks { monitor.withLock { $0.executor = EngineExecutor(limit: jobs) } }
    if needsServiceThread { startService() }
    begin()
    var done: Done?
    while true {
      switch next(after: done, isService: !needsServiceThread) {
      case .work(let work):
        done = performForCaller(work)
        continue
      case .wait(let deadline): wait(until: deadline)
      case .finished: return recorder.close()
      }
      done = nil
    }
  }

  /// Runs on the caller's actor.
  func run(isolation: isolated (any Actor)?) async -> StartupRecord {
    recorder.begin()
    if board != nil || needsServiceThread || hasTimers { startService() }
    begin()
    var done: Done?
    while true {
      switch next(after: done, isService: false) {
      case .work(let work):
        done = performForCaller(work)
        continue
      case .wait: await suspendCaller()
      case .finished: return recorder.close()
      }
      done = nil
    }
  }

  private var hasTimers: Bool { plan.timeout != nil || plan.traits.hasLimits || plan.traits.hasRollback }

  private func begin() {
    transact { $0.coordinator.begin(at: $1) }
  }

  private enum Next { case work(EngineWork), wait(Int64?), finished }

  /// Work that has returned, and that the coordinator was not told of yet.
  struct Done {
    let work: EngineWork
    let result: Result<Void, any Error>
  }

  /// Does the caller's work; how synchronous work ended goes to the coordinator together with the question for more.
  private func performForCaller(_ work: EngineWork) -> Done? {
    guard work.kind == .synchronous else {
      perform(work)
      return nil
    }
    return Done(work: work, result: session.execute(work))
  }

  /// What the caller does next; as the service it acts on the limits that have passed first.
  private func next(after done: Done?, isService: Bool) -> Next {
    let (next, interruptions) = transact { shared, time -> (Next, [Interruption]) in
      shared.callerWaits = false
      if let done { shared.coordinator.finish(done.work, done.result, at: time) }
      let interruptions = isService ? shared.coordinator.expire(at: time) : []
      if shared.coordinator.isFinished { return (.finished, interruptions) }
      if let work = shared.coordinator.takeMain(at: time) { return (.work(work), interruptions) }
      shared.callerWaits = true
      return (.wait(isService ? shared.coordinator.nextDeadline : nil), interruptions)
    }
    interrupt(interruptions)
    return next
  }

  private func wait(until deadline: Int64?) {
    if !needsServiceThread, let board {
      advance(board.wait(until: deadline.map(recorder.clockTime)))
      return
    }
    _ = monitor.wait(until: deadline.map(recorder.clockTime)) { shared -> Void? in
      let coordinator = shared.coordinator
      let isDue = coordinator.isFinished || coordinator.hasMainWork
      return isDue || (!needsServiceThread && coordinator.nextDeadline != deadline) ? () : nil
    }
  }

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

  /// Changes the coordinator under the lock, records what it decided, and wakes whom it concerns.
  @discardableResult
  func transact<Result>(_ change: (inout Shared, Int64) -> Result) -> Result {
    let (result, calls) = monitor.withLock { shared in
      let time = recorder.now()
      let deadline = shared.coordinator.nextDeadline
      let result = change(&shared, time)
      recorder.record(shared.coordinator.takeEvents())
      return (result, shared.calls(deadlineBefore: deadline, jobs: jobs))
    }
    recorder.tellProblem()
    answer(calls)
    return result
  }

  func finish(_ work: EngineWork, _ result: Result<Void, any Error>) {
    transact { $0.coordinator.finish(work, result, at: $1) }
  }

  /// Tells the launch to stop.
  func cancel(_ reason: CancelReason) {
    session.stop(reason)
    let interruptions = transact { $0.coordinator.cancel(reason, at: $1) }
    interrupt(interruptions)
  }

  /// Whom a change concerns.
  struct Calls {
    var resumeCaller: (@Sendable () -> Void)?
    var wakesWaiting = false
    var wakesPoller = false
    var startsWorker = false
    var startsOthers = false
  }

  private func answer(_ calls: Calls) {
    if calls.wakesWaiting { monitor.broadcast() }
    if calls.wakesPoller { board?.wake() }
    calls.resumeCaller?()
    if calls.startsWorker { startWorker() }
    if calls.startsOthers { startOthers() }
  }

  // MARK: - Doing the work

  /// Starts or does a piece of work; synchronous work is done on the calling thread.
  func perform(_ work: EngineWork) {
    switch work.kind {
    case .synchronous: finish(work, session.execute(work))
    case .asynchronous: startTask(work)
    case .polled: startOperation(work, finish: finish)
    }
  }

  /// Starts what needs no thread, until what is next does or nothing is.
  private func startOthers() {
    while true {
      let work = transactQuietly { shared, time -> EngineWork? in
        guard let kind = shared.coordinator.nextOtherKind(), kind != .synchronous else { return nil }
        return shared.coordinator.takeOther(at: time)
      }
      guard let work else { return }
      switch work.kind {
      case .polled:
        startOperation(work) { work, result in
          self.transactQuietly { $0.coordinator.finish(work, result, at: $1) }
        }
      case .synchronous, .asynchronous: perform(work)
      }
    }
  }

  /// As ``transact(_:)``, for whoever goes on to start other work itself.
  private func transactQuietly<Result>(_ change: (inout Shared, Int64) -> Result) -> Result {
    let (result, calls) = monitor.withLock { shared in
      let deadline = shared.coordinator.nextDeadline
      let result = change(&shared, recorder.now())
      recorder.record(shared.coordinator.takeEvents())
      return (result, shared.calls(deadlineBefore: deadline, jobs: jobs))
    }
    recorder.tellProblem()
    var quiet = calls
    quiet.startsOthers = false
    answer(quiet)
    return result
  }

  private func startTask(_ work: EngineWork) {
    let executor = monitor.withLock { $0.executor }
    executor?.taskWillStart()
    monitor.withLock { shared in
      let task = Task.detached(executorPreference: executor) { [self] in
        let result = await execute(work)
        _ = monitor.withLock { $0.cancels.removeValue(forKey: work) }
        finish(work, result)
        executor?.taskDidEnd()
      }
      shared.cancels[work] = task.cancel
    }
  }

  private func execute(_ work: EngineWork) async -> Result<Void, any Error> {
    guard let command = plan.commands[work.step] as? any AsyncCommand else { return session.execute(work) }
    do {
      try session.checkUse(of: work)
      try await command.execute(in: session.context(step: work.step, attempt: work.attempt))
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// - Parameter finish: What is done with the end of one that ends at once.
  private func startOperation(
    _ work: EngineWork, finish: (EngineWork, Result<Void, any Error>) -> Void
  ) {
    let command = plan.commands[work.step]
    guard let board, let start = type(of: command).execution.start else { return startTask(work) }
    do {
      try session.checkUse(of: work)
      let context = session.context(step: work.step, attempt: work.attempt)
      guard let operation = try start(command, context) else { return startTask(work) }
      // One that runs is heard of by the poller: what became ready together starts before any ending is handled.
      guard operation.descriptors.isEmpty, let result = operation.advance() else {
        return try board.add(operation, for: work)
      }
      operation.release()
      session.addCPUTime(operation.cpuTime, of: work)
      finish(work, result)
    } catch {
      finish(work, .failure(error))
    }
  }

  /// Lets operations go on that have something to read, and finishes those that have ended.
  func advance(_ works: [EngineWork]) {
    for work in works {
      guard let end = board?.advance(work) else { continue }
      session.addCPUTime(end.cpuTime, of: work)
      finish(work, end.result)
    }
  }

  func interrupt(_ interruptions: [Interruption]) {
    for interruption in interruptions {
      let work = interruption.work
      session.interrupt(work)
      switch work.kind {
      case .synchronous: if interruption.givesUp { monitor.withLock { $0.giveUp(work) } }
      case .asynchronous: monitor.withLock { $0.cancels[work] }?()
      case .polled: board?.stop(work, isForced: interruption.isForced)
      }
    }
    if !interruptions.isEmpty { transact { _, _ in } }
  }
}

extension LaunchEngine.Shared {
  /// The thread that does this work is no longer counted on.
  mutating func giveUp(_ work: EngineWork) {
    guard coordinator.plan.stepTraits[work.step].lane != .main else { return }
    if abandoned.insert(work).inserted { liveWorkers -= 1 }
  }

  /// Whether the service thread has to look earlier than it would by itself.
  private var isServiceDue: Bool {
    guard let serviceSleepsUntil else { return false }
    return (coordinator.isFinished && !isServiceFresh)
      || (coordinator.nextDeadline ?? .max) < serviceSleepsUntil
  }

  /// Whom the state as it is now concerns.
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
    calls.wakesWaiting = isAwaited || (isFinished && idleWorkers > 0)
    switch coordinator.nextOtherKind() {
    case .synchronous:
      if idleWorkers > 0 {
        calls.wakesWaiting = true
      } else if liveWorkers < jobs {
        liveWorkers += 1
        calls.startsWorker = true
      }
    case .asynchronous, .polled: calls.startsOthers = true
    case nil: break
    }
    return calls
  }
}
