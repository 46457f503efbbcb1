import AppBootBase

/// The assembly of a plan from a manifest's entries. It collects all mistakes.
struct PlanAssembly {
  let builder: StartupCommandsBuilder
  private let facts: LaunchCondition.Facts
  let parameterEnvironment: ParameterEnvironment
  var problems: Diagnostics
  /// True if a registered command has a secret among its parameters.
  private(set) lazy var knowsSecrets =
    builder.registry.commands.contains(where: \.parameterSchema.holdsSecret)
  /// The number of the current list's entries whose unknown values are still hidden. Later ones are not shown.
  var entriesToHide = 0
  private lazy var commands = NameSuggestions(among: builder.registry.names, called: "commands")
  /// The command types of the entries so far, by the command's name.
  private var kinds: [String: CommandKind] = [:]
  /// The context values that the commands of the current list need, with the indices of their entries.
  var requirements: [(entry: Int, requirement: ContextRequirement)] = []
  /// The ids of steps of the current list whose output other steps of the list insert.
  var insertedOutputs: [String] = []
  /// The ids of the launch's steps whose output event handlers insert.
  var launchOutputs: [String] = []
  /// True if a command so far declares context values that it requires.
  private(set) var usesKeys = false
  /// The commands of the current list if the plan is written in code; otherwise `nil`.
  private(set) var list: CodedPlan.List?
  /// The word for a step in messages, in the singular and in the plural.
  let noun: (one: String, many: String)
  /// The commands of the launch; `nil` until they were assembled without a mistake.
  var launchCommands: [any Command]?
  /// The function that starts the programs of `unless`; `nil` before the first entry that has one.
  private var startNeedCheck: NeedCheckStart?
  /// The policy of the current list's entries that have none.
  private var defaultPolicy = FailurePolicy.stop
  /// True for the launch's list, whose conditions (`when`) are evaluated now. An event's are evaluated when it arrives.
  private(set) var judgesConditions = true

  init(builder: StartupCommandsBuilder) {
    self.builder = builder
    problems = builder.manifest.problems
    noun = builder.code == nil ? ("entry", "entries") : ("step", "steps")
    parameterEnvironment = ParameterEnvironment(builder.environment)
    facts = LaunchCondition.Facts(options: builder.options, environment: builder.environment)
  }

  /// Returns the plan; `nil` if the manifest has errors. All mistakes are in ``problems``.
  mutating func plan() -> StartupPlan? {
    let manifest = builder.manifest
    if let problem = builder.problemWithRecordedLaunches() { problems.append(problem) }
    hideUnknownValues(of: manifest)
    list = builder.code?.launch
    guard let launch = plan(of: manifest.commands, named: manifest.name) else {
      for event in manifest.events { _ = plan(of: event) }
      return nil
    }
    launchCommands = launch.commands
    var plan = launch
    plan.outline.timeoutTime = (builder.timeout ?? manifest.timeout).map { max(1, $0.nanoseconds) }
    plan.outline.budgetTime = manifest.budget?.nanoseconds
    for event in manifest.events { plan.events[event.name] = self.plan(of: event) }
    plan.environment.insertedOutputs += launchOutputs
    plan.code = builder.code
    return plan
  }

  private mutating func plan(of event: ManifestEvent) -> StartupPlan? {
    let known = builder.registry.listedEvents
    list = builder.code?.handlers[event.name]
    if event.name == EventName.didFinishLaunching.name {
      problems.append(
        .error(
          "the handlers of didFinishLaunching are \(list == nil ? "\"commands\"" : "the steps of the launch")",
          at: event.range, help: "move the \(noun.many) there"))
    } else if !known.contains(event.name) {
      problems.append(at: event.range) {
        let closest = ClosestName.to(event.name, among: known).map { "did you mean \"\($0)\"?" }
        return Diagnostic(
          .error, "unknown event \"\(event.name.excerpt)\"", at: event.range,
          help: [closest, "the events are \(known.joined(separator: ", "))"].compactMap(\.self))
      }
    }
    judgesConditions = false
    // One failed stop must not leave the rest running.
    defaultPolicy = event.name == EventName.willTerminate.name ? .keepGoing : .stop
    defer { (judgesConditions, defaultPolicy) = (true, .stop) }
    return plan(of: event.entries, named: event.name)
  }

  private mutating func plan(of entries: [ManifestEntry], named name: String) -> StartupPlan? {
    let before = problems.total
    requirements = []
    insertedOutputs = []
    entriesToHide = 2 * Diagnostics.limit
    var steps = Steps(capacity: entries.count)
    for (index, entry) in entries.enumerated() {
      add(entry, at: index, to: &steps)
    }
    let graph = resolve(entries)
    if let commands = steps.commands.count == entries.count ? steps.commands : list?.steps.map(\.command),
      graph != nil || list != nil
    {
      checkRequirements(of: commands, entries, graph)
    }
    guard problems.total == before, let graph, steps.commands.count == entries.count else { return nil }
    let outline = LaunchOutline(
      name: name, options: builder.options, steps: steps.outlines, graph: graph,
      manifest: builder.code == nil ? ManifestReference(builder.manifest.source) : nil)
    var environment = builder.environment
    environment.stepVariables = steps.variables
    environment.parameters = steps.parameters
    environment.insertedOutputs = insertedOutputs
    environment.handlesEvent = !judgesConditions
    environment.startNeedCheck = startNeedCheck
    return StartupPlan(
      outline: outline, commands: steps.commands, stepTraits: steps.traits, environment: environment)
  }

  /// The steps of a plan that is being assembled, in separate arrays as the plan stores them.
  private struct Steps {
    var outlines: [StepOutline] = []
    var commands: [any Command] = []
    var traits: [StepTraits] = []
    /// The variables of environment files that single steps have, by step index.
    var variables: [Int: [String: String]] = [:]
    /// The parameters of single steps that insert environment variables, by step index.
    var parameters: [Int: VariableParameters] = [:]

    init(capacity: Int) {
      outlines.reserveCapacity(capacity)
      commands.reserveCapacity(capacity)
      traits.reserveCapacity(capacity)
    }
  }

  // MARK: - Steps

  /// Adds the step of an entry, or reports the entry's mistakes.
  private mutating func add(_ entry: ManifestEntry, at index: Int, to steps: inout Steps) {
    if let list { return add(list.steps[index], of: entry, at: index, to: &steps) }
    guard let kind = kind(named: entry.command) else {
      return reportUnknownCommand(entry)
    }
    guard let command = command(of: entry, kind, at: steps.commands.count) else { return }
    if kind.replacesVariables, let value = entry.parameters, VariableParameters.areIn(value) {
      VariableParameters.reportMalformed(in: value, named: "", to: &problems)
      steps.parameters[steps.commands.count] = VariableParameters(
        description: kind.description, value: value)
    }
    var step = StepOutline(
      id: entry.id, commandName: kind.description.name, lane: kind.lane(of: command))
    step.range = entry.commandRange
    step.takesNoSlot = kind.stepKind == .waiting
    step.isTask = kind.stepKind == .asynchronous
    complete(&step, of: entry)
    if let variables = entry.attributes.variables {
      steps.variables[steps.commands.count] = builder.environment.unset(in: variables)
    }
    steps.commands.append(command)
    steps.traits.append(
      StepTraits(of: step, kind: kind.stepKind, usesSecretVariables: kind.usesSecretVariables))
    steps.outlines.append(consume step)
  }

  /// Adds a step of a plan that is written in code, or reports the mistakes in its command.
  private mutating func add(
    _ step: StartupStep, of entry: ManifestEntry, at index: Int, to steps: inout Steps
  ) {
    if !step.command.requiredKeys.keys.isEmpty { usesKeys = true }
    guard check(step, of: entry, at: index) else { return }
    var step = step
    startNeedCheck = step.startNeedCheck ?? startNeedCheck
    complete(&step.outline, of: entry)
    if let variables = entry.attributes.variables {
      steps.variables[steps.commands.count] = builder.environment.unset(in: variables)
    }
    steps.commands.append(step.command)
    steps.traits.append(step.traits)
    steps.outlines.append(step.outline)
  }

  private mutating func complete(_ step: inout StepOutline, of entry: ManifestEntry) {
    step.attributes = entry.attributes
    // The plan's environment has the variables, which may be secrets.
    (step.attributes.environmentFiles, step.attributes.variables) = ([], nil)
    if step.attributes.onFailure == nil { step.onFailure = defaultPolicy }
    if let reason = builder.selection.reason(for: entry.id) { step.skip = reason }
    if judgesConditions, step.attributes.condition != nil { step.applyCondition(facts) }
    guard case .command = step.attributes.unless else { return }
    startNeedCheck = startNeedCheck ?? builder.registry.startNeedCheck
    if startNeedCheck == nil {
      problems.append(
        .error(
          NeedCheckUnavailable().description, at: step.attributes.unlessRange ?? entry.commandRange,
          help: NeedCheckUnavailable.help))
    }
  }

  private mutating func reportUnknownCommand(_ entry: ManifestEntry) {
    hideParameters(of: entry)
    // An entry that names no command is reported already.
    guard !entry.command.isEmpty else { return }
    let names = builder.registry.names
    var commands = commands
    problems.append(at: entry.commandRange) {
      let synonym = Synonym.ofCommand(entry.command, among: names)
      return .error(
        "unknown command \"\(entry.command.excerpt)\"", at: entry.commandRange,
        help: synonym.map { "did you mean \"\($0)\"?" } ?? commands.help(for: entry.command))
    }
    self.commands = commands
  }

  private mutating func kind(named name: String) -> CommandKind? {
    if let kind = kinds[name] { return kind }
    guard let kind = builder.registry[name].map(CommandKind.init) else { return nil }
    kinds[name] = kind
    if !kind.description.type.requires.keys.isEmpty { usesKeys = true }
    return kind
  }

  private mutating func command(
    of entry: ManifestEntry, _ kind: CommandKind, at index: Int
  ) -> (any Command)? {
    let libraries = isCertain(entry) ? builder.registry.thirdParties : nil
    var reader = ParameterReader(
      of: kind.description.type, named: kind.description.name, besides: ManifestReader.entryKeys,
      libraries: libraries, environment: parameterEnvironment)
    let command: any Command
    do {
      command = try kind.description.command(from: entry.parameters, at: entry.commandRange, &reader)
    } catch {
      problems.append(.error("\(entry.command): \(error)", at: entry.commandRange))
      hideAllParameters(of: entry)
      return nil
    }
    if reader.problems.total + builder.manifest.problems.total > 0 {
      hide(reader.unknownValues, of: kind.description)
    }
    guard reader.problems.total == 0 else {
      problems.append(contentsOf: reader.problems)
      return nil
    }
    requirements += reader.requirements.map { (index, $0) }
    return command
  }

  /// Returns whether the launch needs the entry.
  ///
  /// It does if the entry has no `when`, its failure is not allowed, no option skips it, and it belongs to no event.
  func isCertain(_ entry: ManifestEntry) -> Bool {
    judgesConditions && entry.attributes.condition == nil && entry.attributes.onFailure != .continue
      && builder.selection.reason(for: entry.id) == nil
  }
}
