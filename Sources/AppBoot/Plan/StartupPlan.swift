import AppBootBase

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
  package private(set) var stepTraits: [StepTraits]
  private(set) var traits: PlanTraits
  package var environment: LaunchEnvironment

  /// True if a step or an event handler can start a process that the engine watches.
  package var startsProcesses: Bool {
    let own =
      (traits.hasPolled || traits.hasUnless)
      && stepTraits.indices.contains { index in
        guard !stepTraits[index].isSkipped else { return false }
        if stepTraits[index].hasUnless, case .command = steps[index].attributes.unless { return true }
        guard stepTraits[index].kind.isPolled else { return false }
        return polledCommand(index)?.startsProcesses ?? false
      }
    return own || events.values.contains(where: \.startsProcesses)
  }

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - commands: The commands, one for each step of the outline.
  ///   - stepTraits: The traits, one for each step of the outline.
  package init(
    outline: LaunchOutline, commands: [any Command], stepTraits: [StepTraits], environment: LaunchEnvironment
  ) {
    self.outline = outline
    self.commands = commands
    self.stepTraits = stepTraits
    self.environment = environment
    traits = PlanTraits(of: stepTraits)
  }

  init(
    name: String, options: LaunchOptions, source: SourceText? = nil, steps: [StartupStep],
    graph: DependencyGraph, environment: LaunchEnvironment
  ) {
    self.init(
      outline: LaunchOutline(
        name: name, options: options, steps: steps.map(\.outline), graph: graph,
        manifest: source.map(ManifestReference.init)),
      commands: steps.map(\.command),
      stepTraits: steps.map(\.traits),
      environment: environment)
    for text in steps.flatMap(\.secrets) { environment.secrets.add(text) }
  }

  private static func environment(_ state: any StateStore) -> LaunchEnvironment {
    var environment = LaunchEnvironment()
    environment.state = state
    environment.isFirstLaunch = FirstLaunch.isFirst(in: state)
    return environment
  }

  /// Creates a launch of commands that run one after the other.
  ///
  /// Commands of the same type get the ids `Name`, `Name-2`, `Name-3`, ….
  public init(
    name: String = "launch", sequence commands: [any Command], options: LaunchOptions = LaunchOptions(),
    state: any StateStore = MemoryStateStore()
  ) {
    self.init(
      name: name, options: options, steps: StartupStep.steps(of: commands),
      graph: DependencyGraph(sequenceOf: commands.count), environment: Self.environment(state))
  }

  /// Creates a launch of steps that run one after the other. Their ids must differ.
  package init(name: String, sequenceOf steps: [StartupStep], options: LaunchOptions) {
    self.init(
      name: name, options: options, steps: steps, graph: DependencyGraph(sequenceOf: steps.count),
      environment: LaunchEnvironment())
  }

  /// Returns the command of a step as a polled command; `nil` for other commands.
  package func polledCommand(_ step: Int) -> (any PolledCommand)? {
    CommandExecution.polledCommand(commands[step])
  }

  /// True if the work of a step is a task, which can use the main actor.
  var runsTasks: Bool {
    traits.hasTasks
      || (traits.slotlessCount > 0
        && commands.indices.contains {
          !stepTraits[$0].isSkipped && type(of: commands[$0]).execution.runsTask
        })
  }

  /// True if a step of this launch or of an event handler can run as a task, also if it is skipped now.
  package var mayRunTasks: Bool {
    let isTask = commands.contains { command in
      let execution = type(of: command).execution
      return execution.kind == .asynchronous || execution.runsTask
    }
    return isTask || events.values.contains(where: \.mayRunTasks)
  }

  /// Returns the nanoseconds from a cancellation of a step until it is stopped by force; `nil` for those of the launch.
  func grace(ofStep step: Int) -> Int64? {
    stepTraits[step].kind.isPolled ? polledCommand(step)?.grace : nil
  }

  /// Returns the maximum number of steps that run at the same time off the main lane, with the steps that need no slot.
  package func mostAtOnce(jobs: Int) -> Int { Swift.min(jobs + traits.slotlessCount, count) }

  /// The index of the first step, which is 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { commands.count }
  /// The step at an index.
  public subscript(position: Int) -> StartupStep {
    StartupStep(commands[position], outline.steps[position], stepTraits[position])
  }

  /// A property of the outline.
  public subscript<Value>(dynamicMember member: KeyPath<LaunchOutline, Value>) -> Value {
    outline[keyPath: member]
  }

  /// The text of the manifest; `nil` for a plan that was created in code.
  package var source: SourceText? { outline.manifest?.text }

  // Read by the engine for each step: a key path would cost more than the value.
  var graph: DependencyGraph { outline.graph }
  var steps: [StepOutline] { outline.steps }
  var timeoutTime: Int64? { outline.timeoutTime }

  /// Changes the outline, and then derives the traits of all steps again.
  package mutating func updateOutline(_ change: (inout LaunchOutline) -> Void) {
    change(&outline)
    for (index, step) in outline.steps.enumerated() {
      stepTraits[index] = stepTraits[index].updated(for: step)
    }
    traits = PlanTraits(of: stepTraits)
  }
}

extension StartupPlan {
  private func indices(ofProviders value: String) -> [Int] {
    commands.indices.filter { commands[$0].providedKeys[value] != nil }
  }

  /// Returns the declared providers of a context value.
  ///
  /// - Parameter state: A function that returns the state of a step.
  func providers(of value: String, state: (_ step: Int) -> StepState) -> [ContextValueError.Provider] {
    indices(ofProviders: value).map { ContextValueError.Provider(id: outline.steps[$0].id, state: state($0)) }
  }
}

extension StartupPlan {
  /// Makes the steps of this launch and of its event handlers write logs of their output.
  ///
  /// - Parameter isBehind: A function that returns true while the reader of the launch's output is behind. Reading from
  ///   processes pauses then.
  package mutating func keepLogs(
    _ logs: (any StepLogs)?, drain: OutputDrain?,
    pausingIf isBehind: @escaping @Sendable () -> Bool = { false }
  ) {
    (environment.logs, environment.drain, environment.isReaderBehind) = (logs, drain, isBehind)
    for event in events.keys { events[event]?.keepLogs(logs, drain: drain, pausingIf: isBehind) }
  }
}

extension StartupPlan {
  /// Sets the object that runs the services. Steps of this launch and of its event handlers start them.
  package mutating func keepServices(with host: any ServiceHost) {
    environment.services = host
    for event in events.keys { events[event]?.keepServices(with: host) }
  }

  /// Returns, for each given step, the other given steps that come after it, directly or indirectly.
  ///
  /// Takes O(steps × edges).
  package func dependents(among steps: [Int]) -> [Int: Set<Int>] {
    let wanted = Set(steps)
    return steps.reduce(into: [:]) { dependents, step in
      var found = Set<Int>()
      var rest = [step]
      while let next = rest.popLast() {
        for successor in graph.successors(of: next) where found.insert(Int(successor)).inserted {
          rest.append(Int(successor))
        }
      }
      dependents[step] = found.intersection(wanted)
    }
  }
}
