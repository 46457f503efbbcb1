/// A launch that can run: its outline, the commands of its steps, and their environment.
///
/// A plan is a value, which you can print, test or run. Creating it runs no commands.
@dynamicMemberLookup
public struct StartupPlan: Sendable, RandomAccessCollection {
  /// The launch as data: steps, graph, policies, timeouts and places in the manifest.
  public package(set) var outline: LaunchOutline
  /// The plans of the event handlers, by the name of the event.
  public package(set) var events: [String: StartupPlan] = [:]
  /// The plan as it is written in code; `nil` for a plan from a manifest or from commands.
  package internal(set) var code: CodedPlan?

  /// The commands of the steps, by step index.
  package let commands: [any Command]
  package var environment: LaunchEnvironment
  /// The mistakes in commands of a sequence, which are reported when their steps run, by step index.
  private(set) var misuses: [Int: CommandMisuse] = [:]

  /// Creates a plan.
  ///
  /// - Parameter commands: The commands, one for each step of the outline.
  package init(outline: LaunchOutline, commands: [any Command], environment: LaunchEnvironment) {
    self.outline = outline
    self.commands = commands
    self.environment = environment
  }

  init(
    name: String, options: LaunchOptions, source: SourceText? = nil, steps: [StartupStep],
    graph: DependencyGraph, environment: LaunchEnvironment
  ) {
    let outline = LaunchOutline(
      name: name, options: options, steps: steps.map(\.outline), graph: graph,
      manifest: source.map(ManifestReference.init))
    self.init(outline: outline, commands: steps.map(\.command), environment: environment)
  }

  /// Creates a launch of commands that run one after the other.
  ///
  /// Commands of the same type get the ids `Name`, `Name-2`, `Name-3`, …. The step of a command without a required
  /// parameter, or with values that its `validate(_:)` rejects, fails.
  public init(
    name: String = "launch", sequence commands: [any Command], options: LaunchOptions = LaunchOptions(),
    state: any StateStore = MemoryStateStore()
  ) {
    var counts: [String: Int] = [:]
    let steps = commands.map { command in
      let name = type(of: command).name
      counts[name, default: 0] += 1
      return StartupStep(command, id: counts[name] == 1 ? name : "\(name)-\(counts[name, default: 0])")
    }
    var environment = LaunchEnvironment()
    environment.state = state
    environment.isFirstLaunch = FirstLaunch.isFirst(in: state)
    self.init(name: name, sequenceOf: steps, options: options, environment: environment)
  }

  /// Creates a launch of steps that run one after the other. Their ids must differ.
  package init(
    name: String, sequenceOf steps: [StartupStep], options: LaunchOptions,
    environment: LaunchEnvironment = LaunchEnvironment()
  ) {
    self.init(
      name: name, options: options, steps: steps, graph: DependencyGraph(sequenceOf: steps.count),
      environment: environment)
    for (index, step) in steps.enumerated() {
      let review = ParameterReview(of: step.command)
      for text in review.secrets { environment.secrets.add(text) }
      misuses[index] = review.misuse ?? review.rejection
    }
  }

  /// Returns the command of a step as a polled command; `nil` for other commands.
  package func polledCommand(_ step: Int) -> (any PolledCommand)? {
    _CommandExecution.polledCommand(commands[step])
  }

  /// Returns whether a rollback undoes a step that succeeded.
  package func hasUndo(_ step: Int) -> Bool { (commands[step] as? any UndoableCommand)?.hasUndo ?? false }

  /// Returns the nanoseconds from a cancellation of a step until it is stopped by force; `nil` for those of the launch.
  func grace(ofStep step: Int) -> Int64? {
    steps[step].kind.isPolled ? polledCommand(step)?.grace : nil
  }

  /// The index of the first step, which is 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { commands.count }
  /// The step at an index.
  public subscript(position: Int) -> StepOutline { outline.steps[position] }

  /// A property of the outline.
  public subscript<Value>(dynamicMember member: KeyPath<LaunchOutline, Value>) -> Value {
    outline[keyPath: member]
  }

  /// The text of the manifest; `nil` for a plan that was created in code.
  package var source: SourceText? { outline.manifest?.text }

  // Read by the engine for each step: a key path would cost more than the value.
  var graph: DependencyGraph { outline.graph }
  package var steps: [StepOutline] { outline.steps }
  var timeoutTime: Int64? { outline.timeoutTime }
}

/// The facts about all steps together.
extension StartupPlan {
  /// Returns whether the launch runs at least one step with a property.
  private func runs(_ hasProperty: (StepPlacement) -> Bool) -> Bool {
    steps.indices.contains { steps[$0].skip == nil && hasProperty(steps[$0].placement) }
  }

  /// True if the poller watches at least one step.
  package var hasPolled: Bool { runs(\.kind.isPolled) }
  /// The number of steps without a slot. They run in addition to `jobs` other steps.
  package var slotlessCount: Int {
    steps.indices.count { steps[$0].skip == nil && !steps[$0].placement.kind.takesSlot }
  }
  /// True if at least one step runs on the main thread.
  var hasMainWork: Bool { runs(\.isUninterruptible) }
  /// True if at least one step runs synchronously on a thread of the engine.
  var hasWorkers: Bool { runs { $0.kind == .synchronous && $0.lane != .main } }
  /// True if at least one step has a timeout or a retry policy.
  var hasTimers: Bool { steps.contains { $0.skip == nil && ($0.timeout != nil || $0.retry != nil) } }
  /// True if a failure of at least one step rolls back the launch.
  var hasRollback: Bool { steps.contains { $0.skip == nil && $0.onFailure == .rollback } }
  /// True if the work of a step is a task, which can use the main actor.
  var runsTasks: Bool { commands.indices.contains { steps[$0].skip == nil && runsTask($0) } }

  /// Returns whether the work of a step is a task, also if the step is skipped.
  package func runsTask(_ step: Int) -> Bool {
    switch steps[step].placement.kind {
    case .synchronous: false
    case .asynchronous: true
    case .polled, .waiting: type(of: commands[step])._execution.runsTask
    }
  }
}

extension StartupPlan {
  /// Returns the declared providers of a context value.
  ///
  /// - Parameter state: A function that returns the state of a step.
  func providers(of value: String, state: (_ step: Int) -> StepState) -> [ContextValueError.Provider] {
    commands.indices.filter { commands[$0].providedKeys[value] != nil }
      .map { ContextValueError.Provider(id: steps[$0].id, state: state($0)) }
  }
}
