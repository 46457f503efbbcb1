import AppBootBase

/// The state that the steps of one launch share. The contexts of its commands hold it.
package final class LaunchSession: Sendable {
  package let plan: LaunchPlan
  package let recorder: LaunchRecorder
  /// The context values that the launch's commands provide.
  package let values: ContextValues
  /// The outputs of steps that other steps of the same plan insert.
  package let outputs: ContextValues
  private let measuresCPU: Bool
  private let isStopped = Lock(false)
  /// The cancelled attempts. There are few, so they are a list.
  ///
  /// A set makes types at run time that cost every launch 110,000 instructions.
  private let interrupted = Lock<[EngineWork]>([])
  /// The steps with a retry policy whose `unless` did not hold. It is evaluated only before the first attempt.
  private let necessary = Lock<[Int]>([])
  /// The operations of the launch, whose ends can free a process slot; `nil` if there are none.
  private let operations: (any LaunchOperations)?
  /// The tasks that the main actor has begun to run.
  private let begunOnMainActor = Lock<[EngineWork]>([])
  /// The commands with the values of variables, by the index of the step.
  private let resolved = Lock<[Int: any Command]>([:])
  /// The starter of tasks while the asynchronous `run` runs; `nil` otherwise.
  let starter: Lock<TaskStarter?>

  init(
    plan: LaunchPlan, recorder: LaunchRecorder, operations: (any LaunchOperations)? = nil,
    measuresCPU: Bool = false
  ) {
    self.plan = plan
    self.recorder = recorder
    self.operations = operations
    values = plan.environment.values ?? ContextValues()
    // An event's handlers have the values of the launch, which may be newer.
    for (name, value) in plan.environment.provided where values[name] == nil {
      values.provide(value, as: name)
    }
    // A launch stores its outputs in its values, because event handlers receive those.
    outputs = plan.environment.handlesEvent ? ContextValues() : values
    self.measuresCPU = measuresCPU
    starter = Lock(nil)
  }

  /// Creates the session of a changed plan with the same steps, which continues another session.
  init(renewing old: LaunchSession, by plan: LaunchPlan) {
    var plan = plan
    plan.environment = old.environment.withVariables(of: plan.environment)
    self.plan = plan
    (recorder, operations, values, outputs) = (old.recorder, old.operations, old.values, old.outputs)
    (measuresCPU, starter) = (old.measuresCPU, old.starter)
  }

  @inline(__always)
  func context(step: Int, attempt: Int) -> LaunchContext {
    LaunchContext(session: self, step: step, attempt: attempt)
  }

  /// Returns the context in which a unit of work runs.
  package func context(of work: EngineWork) -> LaunchContext {
    LaunchContext(session: self, step: work.step, attempt: work.attempt, isUndo: work.isUndo)
  }

  /// Returns the command of a step, with the values of the variables that its parameters insert.
  ///
  /// All attempts of the step and its undo use the same command: it may store data for the undo.
  ///
  /// - Throws: ``VariableNotSet``, or ``VariableParameterError`` if a value is invalid with the variables.
  package func command(of work: EngineWork) throws -> any Command {
    let parameters = environment.parameters
    guard !parameters.isEmpty, let own = parameters[work.step] else { return plan.commands[work.step] }
    if let known = resolved.withLock({ $0[work.step] }) { return known }
    let command = try own.command(in: context(of: work))
    resolved.withLock { $0[work.step] = command }
    return command
  }

  /// Waits for the main actor if the command of this work needs it.
  func awaitMainActor(for work: EngineWork) async {
    guard needsMainActor(work) else { return }
    await MainActor.run { begunOnMainActor.withLock { $0.append(work) } }
  }

  /// Returns the reason why work has not begun, if it waits for the main actor; otherwise `nil`.
  func obstacle(of work: EngineWork) -> String? {
    guard needsMainActor(work), !begunOnMainActor.withLock({ $0.contains(work) }) else { return nil }
    return "the main actor has not begun to run it: other work may occupy the main thread"
  }

  private func needsMainActor(_ work: EngineWork) -> Bool {
    work.kind == .asynchronous && plan.steps[work.step].lane == .main
  }

  /// Executes synchronous work on the calling thread, and returns its end.
  func execute(_ work: EngineWork) -> WorkEnd {
    guard measuresCPU else { return WorkEnd(executeUnmeasured(work)) }
    let start = ThreadClock.now()
    let result = executeUnmeasured(work)
    return WorkEnd(result, cpuTime: ThreadClock.now() &- start)
  }

  private func executeUnmeasured(_ work: EngineWork) -> Result<Void, any Error> {
    let context = context(of: work)
    return Result {
      try checkUse(of: work)
      try checkUnless(of: work)
      let command = try command(of: work)
      if work.isUndo {
        try (command as? any UndoableCommand)?.undo(in: context)
      } else {
        try command.execute(in: context)
      }
    }
  }

  /// Throws an error if the command was created in code without a required parameter, or with values that it rejects.
  func checkUse(of work: EngineWork) throws {
    if let misuse = plan.misuses[work.step] { throw misuse }
  }

  /// Throws ``Unnecessary`` if the step's `unless` holds. Waits for the program of the condition on the calling thread.
  ///
  /// If the program cannot be started yet, tries again on the calling thread (``ShortageRetry``).
  func checkUnless(of work: EngineWork) throws {
    var retry = ShortageRetry()
    while true {
      do {
        guard let check = try beginUnless(of: work) else { return }
        defer { check.release() }
        let holds = try check.wait { isCancelled(step: work.step, attempt: work.attempt, isUndo: false) }
        return try conclude(holds, of: work)
      } catch let error as any ShortageError where error.isShortage {
        guard retry.isWorthwhile(isBusy: operations?.isBusy == true) else { throw error }
        if isCancelled(step: work.step, attempt: work.attempt, isUndo: false) { throw CancellationError() }
        Thread.sleep(for: ShortageRetry.pause)
      }
    }
  }

  /// Returns the step's `unless` if it must be evaluated before this work; otherwise `nil`.
  func openUnless(of work: EngineWork) -> UnlessCondition? {
    guard let condition = plan.steps[work.step].unless, !work.isUndo else { return nil }
    return necessary.withLock { $0.contains(work.step) } ? nil : condition
  }

  /// Begins to evaluate a step's `unless`. Returns the program that decides; `nil` if the step must run.
  ///
  /// - Throws: ``Unnecessary`` if the condition holds; an error if the program cannot be started.
  package func beginUnless(of work: EngineWork) throws -> (any UnlessCheck)? {
    guard let condition = openUnless(of: work) else { return nil }
    switch condition {
    case .file(let path):
      try conclude(FileSystem.exists(FileSystem.join(environment.directory, path)), of: work)
      return nil
    case .command(let arguments):
      guard let start = environment.startUnlessCheck else { throw UnlessCheckUnavailable() }
      return try start(arguments, plan.commands[work.step], context(step: work.step, attempt: work.attempt))
    }
  }

  /// Handles the value of a step's `unless`, which is true if its program succeeded.
  ///
  /// - Throws: ``Unnecessary`` if the condition holds.
  package func conclude(_ holds: Bool, of work: EngineWork) throws {
    guard let condition = plan.steps[work.step].unless else { return }
    // Masked before the cut, because a part of a secret would not be recognized.
    if holds { throw Unnecessary(reason: condition.masked(by: environment.secrets).reason) }
    if plan.steps[work.step].retry != nil { necessary.withLock { $0.append(work.step) } }
  }

  /// Marks all steps as cancelled. Commands can read that.
  func stop() { isStopped.withLock { $0 = true } }

  /// Marks one attempt or the undo of a step as cancelled. Its command can read that.
  func interrupt(_ work: EngineWork) {
    interrupted.withLock { $0.append(work) }
  }

  func isCancelled(step: Int, attempt: Int, isUndo: Bool) -> Bool {
    // A cancelled launch is undone to the end.
    if !isUndo, isStopped.withLock(\.self) { return true }
    return interrupted.withLock {
      $0.contains { $0.step == step && $0.attempt == attempt && $0.isUndo == isUndo }
    }
  }
}

extension LaunchSession {
  package var environment: LaunchEnvironment { plan.environment }

  /// The id of the launch, made from its start time and its process.
  package var launchID: String { values.launchID { LaunchID.of(startedAt: recorder.startedAt) } }

  /// Returns the declared providers of a context value, which a step reads.
  package func providers(of value: String) -> [ContextValueError.Provider] {
    let own = plan.providers(of: value) { recorder.state(ofStep: $0) }
    return own.isEmpty ? environment.host.launchProviders(value) : own
  }

  /// Records an event that a command emits, or passes it to the host of the app after the launch.
  func emit(_ event: String, payload: String?, from step: Int) throws(EmitError) {
    if recorder.recordEmitted(event, payload: payload, by: step) { return }
    guard let receive = environment.host.receiveLate else { throw .noHost(event: event) }
    guard receive(event, payload) else { throw .hostEnded(event: event) }
  }

  /// Returns a function that starts tasks for commands.
  package func taskStart() -> TaskStart {
    if let starter = starter.withLock({ $0 }) { return { starter.start($0) } }
    return { body in Task.detached { await body() }.cancel }
  }
}

extension LaunchContext {
  /// Returns a context in which the step has its timeout and its variables from a changed plan, and the step's command
  /// in that plan; `nil` if the plan has other steps than that of the context.
  ///
  /// The window, state, values, events and record of the launch stay.
  ///
  /// - Throws: ``VariableNotSet``, or ``VariableParameterError`` if a value is invalid with the variables.
  package func renewed(by plan: LaunchPlan) throws -> (context: LaunchContext, command: any Command)? {
    guard session.plan.hasSameSteps(as: plan) else { return nil }
    let renewed = LaunchSession(renewing: session, by: plan)
    let context = LaunchContext(session: renewed, step: step, attempt: attempt, isUndo: isUndo)
    return (context, try renewed.command(of: EngineWork(step: step, attempt: attempt, kind: .polled)))
  }

  /// Returns whether two contexts are of the same launch, also after ``renewed(by:)``.
  package func isOfSameLaunch(as other: LaunchContext) -> Bool {
    session.recorder === other.session.recorder
  }
}

extension LaunchPlan {
  /// Returns whether two plans have the same steps with the same predecessors, at the same indices.
  package func hasSameSteps(as other: LaunchPlan) -> Bool {
    outline.indices == other.outline.indices
      && outline.indices.allSatisfy { step in
        self[step].id == other[step].id
          && Set(outline.predecessors(of: step)) == Set(other.outline.predecessors(of: step))
      }
  }

  /// Returns a function that makes the context of a step. With it, a command can be called outside of a launch.
  ///
  /// Events that the command records are dropped.
  package func detachedContexts() -> (_ step: Int) -> LaunchContext {
    let session = LaunchSession(plan: self, recorder: LaunchRecorder(self))
    return { session.context(step: $0, attempt: 1) }
  }
}

/// A namespace for the id of a launch: its start time and its process, as in the file name of its record.
package enum LaunchID {
  /// Returns the id of a launch of this process. The start time is empty before the launch begins.
  package static func of(startedAt: String) -> String {
    "\(startedAt.isEmpty ? "0" : compact(startedAt))-\(Host.processIdentifier)"
  }

  /// Returns a start time without the marks between its numbers, as the first part of an id.
  package static func compact(_ startedAt: String) -> String { startedAt.filter { $0 != "-" && $0 != ":" } }
}

/// A starter of tasks that have the task-local values and the priority of the task that created the starter.
///
/// Other threads can call it. Swift copies task-local values only when a task itself creates another one, so the
/// starter has a task that does nothing else.
final class TaskStarter: Sendable {
  private let orders: AsyncStream<@Sendable () -> Void>.Continuation

  /// Creates a starter. Call it in the task whose values it passes on.
  init() {
    let (stream, orders) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    self.orders = orders
    Task {
      for await order in stream { order() }
    }
  }

  deinit { orders.finish() }

  /// Starts a task. Returns a function that cancels the task.
  func start(_ body: @escaping @Sendable () async -> Void) -> @Sendable () -> Void {
    let state = Lock<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))
    orders.yield {
      // The task may begin before this call returns. Under the lock, its cancellation finds it.
      let (task, isCancelled) = state.withLock { state in
        let task = Task { await body() }
        state.task = task
        return (task, state.isCancelled)
      }
      if isCancelled { task.cancel() }
    }
    return {
      let task = state.withLock { state in
        state.isCancelled = true
        return state.task
      }
      task?.cancel()
    }
  }
}
