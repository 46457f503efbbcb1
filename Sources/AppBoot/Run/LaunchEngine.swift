import AppBootSystem

/// An engine that drives a coordinator with real threads: the caller, workers, tasks, and a poller for processes.
///
/// A lock guards the coordinator. A thread reports an occurrence to the coordinator under the lock, and carries out the
/// coordinator's decisions after it has released the lock. The *service* runs the timers and the poller. The caller is
/// the service while it is idle. If the main lane keeps the caller busy, the service is a separate thread.
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
    /// The executor for the tasks of the synchronous `run`; `nil` for the asynchronous one, and if no step is a task.
    ///
    /// The asynchronous `run` blocks no thread of the cooperative pool, so it needs no executor.
    var executor: EngineExecutor?
  }

  let plan: StartupPlan
  let session: LaunchSession
  let recorder: LaunchRecorder
  let jobs: Int
  let onHang: (@Sendable (StartupRecord) -> Void)?
  let monitor: Condition<Shared>
  let operations: PolledOperations?
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
    var coordinator = Coordinator(
      plan: plan, jobs: jobs, grace: configuration.grace, watchesHang: configuration.onHang != nil,
      ranks: LongestPath.ranks(of: plan, history: configuration.history))
    // Without a poller a process runs as a task, whose failure names the missing resource.
    let needsOperations = plan.traits.hasPolled || configuration.watch != nil
    operations = needsOperations ? try? PolledOperations(watch: configuration.watch) : nil
    coordinator.obstacle = { [operations] in operations?.obstacle(of: $0) }
    monitor = Condition(Shared(coordinator: coordinator))
    let needsTimers = plan.timeout != nil || plan.traits.hasTimers || configuration.onHang != nil
    needsServiceThread = plan.traits.hasMainWork && (needsOperations || needsTimers)
  }

  // MARK: - The two forms of run

  /// Runs the launch on the calling thread, and returns its record.
  func run() -> StartupRecord {
    recorder.begin()
    if plan.traits.hasTasks { monitor.withLock { $0.executor = EngineExecutor(limit: jobs) } }
    if needsServiceThread { startService() } else if operations != nil { recorder.becomeService() }
    begin()
    var done: Done?
    while true {
      switch next(after: done, isService: !needsServiceThread) {
      case .work(let work):
        done = performForCaller(work)
        continue
      case .wait(let deadline): wait(until: deadline)
      case .finished: return recorder.close(attend: attend)
      }
      done = nil
    }
  }

  /// Runs the launch, and returns its record. Main-lane steps run on the caller's actor.
  func run(isolation: isolated (any Actor)?) async -> StartupRecord {
    recorder.begin()
    if operations != nil || needsServiceThread || hasTimers { startService() }
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

  private var hasTimers: Bool { plan.timeout != nil || plan.traits.hasTimers || plan.traits.hasRollback }

  private func begin() {
    transact { $0.coordinator.begin(at: $1) }
  }

  private enum Next { case work(EngineWork), wait(Int64?), finished }

  /// A unit of work that has returned, but was not reported to the coordinator yet.
  struct Done {
    let work: EngineWork
    let result: Result<Void, any Error>
  }

  /// Performs work on the caller's thread. Returns the result of synchronous work, and `nil` for other work.
  ///
  /// The caller reports the result when it asks for the next work.
  private func performForCaller(_ work: EngineWork) -> Done? {
    guard work.kind == .synchronous else {
      perform(work)
      return nil
    }
    return Done(work: work, result: session.execute(work))
  }

  /// Returns the next action of the caller.
  ///
  /// - Parameter isService: True if the caller is also the service. It first handles the timers that are due.
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
    if !needsServiceThread, let operations {
      advance(operations.wait(until: deadline.map(recorder.clockTime)))
      return
    }
    _ = monitor.wait(until: deadline.map(recorder.clockTime)) { shared -> Void? in
      let coordinator = shared.coordinator
      let isDue = coordinator.isFinished || coordinator.hasMainWork
      return isDue || (!needsServiceThread && coordinator.nextDeadline != deadline) ? () : nil
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
  @discardableResult
  func transact<Result>(_ change: (inout Shared, Int64) -> Result) -> Result {
    let (result, calls) = monitor.withLock { shared in
      let time = recorder.now()
      let deadline = shared.coordinator.nextDeadline
      let result = change(&shared, time)
      recorder.record(shared.coordinator.takeEvents())
      return (result, shared.calls(deadlineBefore: deadline, jobs: jobs))
    }
    recorder.writeJournal()
    answer(calls)
    return result
  }

  func finish(_ work: EngineWork, _ result: Result<Void, any Error>) {
    transact { $0.coordinator.finish(work, result, at: $1) }
  }

  /// Cancels the launch.
  func cancel(_ reason: CancelReason) {
    session.stop(reason)
    let interruptions = transact { $0.coordinator.cancel(reason, at: $1) }
    interrupt(interruptions)
  }

  /// The threads to wake or to start after a change of the coordinator.
  struct Calls {
    var resumeCaller: (@Sendable () -> Void)?
    var wakesWaiting = false
    var wakesPoller = false
    var startsWorker = false
    var startsOthers = false
  }

  private func answer(_ calls: Calls) {
    if calls.wakesWaiting { monitor.broadcast() }
    if calls.wakesPoller { operations?.wake() }
    calls.resumeCaller?()
    if calls.startsWorker { startWorker() }
    if calls.startsOthers { startOthers() }
  }

  // MARK: - Doing the work

  /// Performs work. Synchronous work runs on the calling thread; other work is started as a task or a polled operation.
  func perform(_ work: EngineWork) {
    switch work.kind {
    case .synchronous: finish(work, session.execute(work))
    case .asynchronous: startTask(work)
    case .polled, .waiting: startOperation(work, finish: finish)
    }
  }

  /// Starts tasks and processes until the next step needs a thread, or until no step is ready.
  private func startOthers() {
    while true {
      let work = transactQuietly { shared, time -> EngineWork? in
        guard let kind = shared.coordinator.nextOtherKind(), kind != .synchronous else { return nil }
        return shared.coordinator.takeOther(at: time)
      }
      guard let work else { return }
      switch work.kind {
      case .polled, .waiting:
        startOperation(work) { work, result in
          self.transactQuietly { $0.coordinator.finish(work, result, at: $1) }
        }
      case .synchronous, .asynchronous: perform(work)
      }
    }
  }

  /// Does the same as ``transact(_:)`` without starting other work, which the caller starts itself.
  private func transactQuietly<Result>(_ change: (inout Shared, Int64) -> Result) -> Result {
    let (result, calls) = monitor.withLock { shared in
      let deadline = shared.coordinator.nextDeadline
      let result = change(&shared, recorder.now())
      recorder.record(shared.coordinator.takeEvents())
      return (result, shared.calls(deadlineBefore: deadline, jobs: jobs))
    }
    recorder.writeJournal()
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
      try await checkNeed(of: work)
      try await command.execute(in: session.context(step: work.step, attempt: work.attempt))
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Throws ``Unnecessary`` if the step's `unless` holds. A separate thread waits for the program of the condition.
  private func checkNeed(of work: EngineWork) async throws {
    guard let check = try session.beginNeedCheck(of: work) else { return }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      do {
        try Thread.start(name: "appboot-unless") { [session] in
          continuation.resume(with: Result { try session.finish(check, of: work) })
        }
      } catch {
        check.release()
        continuation.resume(throwing: error)
      }
    }
  }

  /// Starts the operation of polled work; returns `nil` for commands of other kinds.
  ///
  /// If the step has an `unless` with a program, the operation first waits for that program.
  private func operation(
    _ work: EngineWork, _ start: @escaping CommandExecution.Start
  ) throws -> (any PolledOperation)? {
    let command = plan.commands[work.step]
    let context = session.context(step: work.step, attempt: work.attempt)
    guard let check = try session.beginNeedCheck(of: work) else { return try start(command, context) }
    return CheckedOperation(check) { [session, operations] end in
      try session.conclude(end, of: work)
      let operation = try DelayedOperation.start(operations) { try start(command, context) }
      guard let operation else {
        throw CommandMisuse.asynchronousCommandExecutedSynchronously(type(of: command).name)
      }
      return operation
    }
  }

  /// Starts the operation of polled work.
  ///
  /// - Parameter finish: A function that is called if the operation ends at once.
  private func startOperation(
    _ work: EngineWork, finish: (EngineWork, Result<Void, any Error>) -> Void
  ) {
    let command = plan.commands[work.step]
    guard let operations, let start = type(of: command).execution.start else { return startTask(work) }
    do {
      try session.checkUse(of: work)
      recorder.settleJournalBeforeStart()
      guard let operation = try DelayedOperation.start(operations, { try self.operation(work, start) }) else {
        return startTask(work)
      }
      // The poller reports a running operation, so that steps that became ready together start before any end is
      // handled.
      guard operation.descriptors.isEmpty, let result = operation.advance() else {
        return try operations.add(operation, for: work)
      }
      operation.release()
      session.addCPUTime(operation.cpuTime, of: work)
      finish(work, result)
    } catch {
      finish(work, .failure(error))
    }
  }

  /// Advances the operations of these units of work. Reports those that have ended to the coordinator.
  func advance(_ works: [EngineWork]) {
    for work in works {
      guard let end = operations?.advance(work) else { continue }
      session.addCPUTime(end.cpuTime, of: work)
      finish(work, end.result)
    }
  }

  func interrupt(_ interruptions: [Interruption]) {
    for interruption in interruptions {
      let work = interruption.work
      session.interrupt(work)
      switch work.kind {
      case .synchronous: if interruption.abandons { monitor.withLock { $0.abandon(work) } }
      case .asynchronous: monitor.withLock { $0.cancels[work] }?()
      case .polled, .waiting: operations?.stop(work, isForced: interruption.isForced)
      }
    }
    if !interruptions.isEmpty { transact { _, _ in } }
  }
}
