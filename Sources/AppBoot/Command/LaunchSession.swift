import AppBootBase

/// The state that the steps of one launch share. The contexts of its commands hold it.
package final class LaunchSession: Sendable {
  package let outline: LaunchOutline
  package let environment: LaunchEnvironment
  package let recorder: LaunchRecorder
  private let commands: [any Command]
  /// The parameters of steps that insert environment variables, by the index of the step.
  private let variables: [Int: VariableParameters]
  private let startUnlessCheck: UnlessCheckStart?
  /// The context values that the launch's commands provide.
  package let values: ContextValues
  /// The outputs of steps that other steps of the same plan insert.
  package let outputs: ContextValues
  private let isStopped = Lock(false)
  /// The cancelled attempts. There are few, so they are a list.
  ///
  /// A set makes types at run time that cost every launch 110,000 instructions.
  private let interrupted = Lock<[EngineWork]>([])
  /// The steps with a retry policy whose `unless` did not hold. It is evaluated only before the first attempt.
  private let necessary = Lock<[Int]>([])
  /// The commands with the values of variables, by the index of the step.
  private let resolved = Lock<[Int: any Command]>([:])
  /// The starter of tasks while the asynchronous `run` runs; `nil` otherwise.
  let starter: Lock<TaskStarter?>

  /// Creates the session of a launch.
  ///
  /// - Parameter old: The session that this one continues, with changed commands of the same steps; `nil` for none.
  init(
    _ outline: LaunchOutline, _ commands: [any Command], variables: [Int: VariableParameters],
    startUnlessCheck: UnlessCheckStart?, environment: LaunchEnvironment, recorder: LaunchRecorder,
    renewing old: LaunchSession? = nil
  ) {
    (self.outline, self.commands, self.variables) = (outline, commands, variables)
    (self.startUnlessCheck, self.environment, self.recorder) = (startUnlessCheck, environment, recorder)
    starter = old?.starter ?? Lock(nil)
    values = old?.values ?? environment.values ?? ContextValues()
    // A launch stores its outputs in its values, because event handlers receive those.
    outputs = old?.outputs ?? (environment.handlesEvent ? ContextValues() : values)
    // An event's handlers have the values of the launch, which may be newer.
    for (name, value) in environment.provided where values[name] == nil {
      values.provide(value, as: name)
    }
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
    guard !variables.isEmpty, let own = variables[work.step] else { return commands[work.step] }
    if let known = resolved.withLock({ $0[work.step] }) { return known }
    let command = try own.command(in: context(of: work))
    resolved.withLock { $0[work.step] = command }
    return command
  }

  /// The id of the launch, made from its start time and its process.
  package var launchID: String { values.launchID { LaunchID.of(startedAt: recorder.startedAt) } }

  /// Returns the declared providers of a context value, which a step reads.
  package func providers(of value: String) -> [ContextValueError.Provider] {
    let own = commands.providers(of: value, in: outline) { recorder.state(ofStep: $0) }
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

  // MARK: - Unless

  /// Returns the step's `unless` if it must be evaluated before this work; otherwise `nil`.
  func openUnless(of work: EngineWork) -> UnlessCondition? {
    guard let condition = outline.steps[work.step].unless, !work.isUndo else { return nil }
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
      guard let startUnlessCheck else { throw UnlessCheckUnavailable() }
      return try startUnlessCheck(arguments, commands[work.step], context(of: work))
    }
  }

  /// Handles the value of a step's `unless`, which is true if its program succeeded.
  ///
  /// - Throws: ``Unnecessary`` if the condition holds.
  package func conclude(_ holds: Bool, of work: EngineWork) throws {
    guard let condition = outline.steps[work.step].unless else { return }
    // Masked before the cut, because a part of a secret would not be recognized.
    if holds { throw Unnecessary(reason: condition.masked(by: environment.secrets).reason) }
    if outline.steps[work.step].retry != nil { necessary.withLock { $0.append(work.step) } }
  }

  // MARK: - Cancellation

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

extension [any Command] {
  /// Returns the declared providers of a context value.
  ///
  /// - Parameter state: A function that returns the state of a step.
  package func providers(
    of value: String, in outline: LaunchOutline, state: (_ step: Int) -> StepState
  ) -> [ContextValueError.Provider] {
    indices.filter { self[$0].providedKeys[value] != nil }
      .map { ContextValueError.Provider(id: outline[$0].id, state: state($0)) }
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
