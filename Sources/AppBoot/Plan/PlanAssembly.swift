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
  private var commandNames: NameSuggestions
  /// The places of defaults of `stop` in entries that were rejected.
  private var rejectedStops: Set<UInt32> = []
  /// The context values that the commands of the current list need, with the indices of their entries.
  var requirements: [(entry: Int, requirement: ContextRequirement)] = []
  /// The parameters of the current list's entries that insert environment variables, by the index of the entry.
  private var variables: [Int: VariableParameters] = [:]
  /// The function that starts the programs of `unless` in the current list; `nil` if no entry has one.
  private var startUnlessCheck: UnlessCheckStart?
  /// The ids of the launch's steps whose output event handlers insert.
  var launchOutputs: [String] = []
  /// The word for a step in messages, in the singular and in the plural.
  let noun: (one: String, many: String)
  /// The commands of the launch; `nil` until they were assembled without a mistake.
  private(set) var launchCommands: [any Command]?
  /// The indices of the launch's steps by id, while the entries of an event are assembled; empty before.
  private(set) var launchSteps: [String: Int] = [:]
  /// The policy of the current list's entries that have none.
  private var defaultPolicy = FailurePolicy.stop
  /// True for the launch's list, whose conditions (`when`) are evaluated now. An event's are evaluated when it arrives.
  private(set) var judgesConditions = true

  init(builder: StartupCommandsBuilder) {
    self.builder = builder
    problems = builder.manifest.problems
    commandNames = NameSuggestions(names: builder.registry.names, called: "commands")
    noun = builder.code == nil ? ("entry", "entries") : ("step", "steps")
    parameterEnvironment = ParameterEnvironment(builder.environment)
    facts = LaunchCondition.Facts(options: builder.options, environment: builder.environment)
  }

  /// Returns the plan; `nil` if the manifest has errors. All mistakes are in ``problems``.
  mutating func plan() -> LaunchPlan? {
    let manifest = builder.manifest
    hideUnknownValues(of: manifest)
    for conflict in builder.registry.conflicts {
      let entry = manifest.commands.first { $0.command == conflict.name }
      let (first, second) = (String(reflecting: conflict.first), String(reflecting: conflict.second))
      problems.append(
        .error(
          "two commands are named \"\(conflict.name)\": \(first) and \(second)",
          at: entry?.commandRange ?? SourceRange(0, 1), help: "give one of them another `static var name`"))
    }
    let launch = plan(
      of: manifest.commands, named: manifest.name, groups: builder.code?.groups[CodedPlan.launch] ?? [])
    launchCommands = launch?.commands
    if !manifest.events.isEmpty {
      launchSteps = Dictionary(manifest.commands.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }
    var events: [String: LaunchPlan] = [:]
    for event in manifest.events { events[event.name] = plan(of: event) }
    guard var plan = launch else { return nil }
    plan.events = events
    plan.outline.timeoutTime = (builder.timeout ?? manifest.timeout).map { max(1, $0.nanoseconds) }
    plan.outline.budgetTime = manifest.budget?.nanoseconds
    plan.failsFast = manifest.failsFast
    plan.environment.insertedOutputs += launchOutputs
    plan.code = builder.code
    return plan
  }

  private mutating func plan(of event: ManifestEvent) -> LaunchPlan? {
    let known = builder.registry.listedEvents
    if event.name == EventName.didFinishLaunching.name {
      let list = builder.code == nil ? "\"commands\"" : "the steps of the launch"
      problems.append(
        .error(
          "the handlers of didFinishLaunching are \(list)", at: event.range,
          help: "move the \(noun.many) there"))
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
    return plan(of: event.entries, named: event.name, groups: builder.code?.groups[event.name] ?? [])
  }

  private mutating func plan(
    of entries: [ManifestEntry], named name: String, groups: [String]
  ) -> LaunchPlan? {
    let before = problems.total
    (requirements, variables, startUnlessCheck) = ([], [:], nil)
    entriesToHide = 2 * Diagnostics.limit
    var environment = builder.environment
    environment.handlesEvent = !judgesConditions
    let steps = entries.enumerated().compactMap { step(of: $1, at: $0, &environment) }
    let graph = resolve(entries, groups)
    checkNames(in: entries)
    guard steps.count == entries.count else { return nil }
    let commands = steps.map(\.command)
    if graph != nil || builder.code != nil {
      environment.insertedOutputs = checkRequirements(of: commands, entries, graph)
    }
    guard problems.total == before, let graph else { return nil }
    let manifest = builder.code == nil ? ManifestReference(builder.manifest.source) : nil
    let outline = LaunchOutline(
      name: name, options: builder.options, steps: steps.map(\.outline), graph: graph, manifest: manifest)
    var plan = LaunchPlan(outline: outline, commands: commands, environment: environment)
    (plan.variables, plan.startUnlessCheck) = (variables, startUnlessCheck)
    return plan
  }

  // MARK: - Steps

  /// Returns the step of an entry; `nil` if its command cannot be made. Reports the entry's mistakes.
  private mutating func step(
    of entry: ManifestEntry, at index: Int, _ environment: inout LaunchEnvironment
  ) -> (command: any Command, outline: StepOutline)? {
    guard let command = entry.code ?? command(of: entry, at: index) else { return nil }
    if entry.code != nil { check(command, of: entry, at: index) }
    var step = StepOutline(of: command, id: entry.id)
    step.range = entry.code == nil ? entry.commandRange : nil
    var attributes = entry.attributes
    // The plan's environment has the variables, which may be secrets.
    (attributes.environment, attributes.variables) = (EnvironmentValues(), nil)
    attributes.onFailure = attributes.onFailure ?? defaultPolicy
    step.attributes = attributes
    if let variables = entry.attributes.variables {
      environment.stepVariables[index] = environment.unset(in: variables)
    }
    if !entry.attributes.environment.variables.isEmpty {
      let variables = environment.filled(entry.attributes.environment.variables, &problems)
      environment.learnSecrets(in: variables.compactMapValues(\.self))
      environment.setStepVariables[index] = variables
    }
    if judgesConditions, entry.attributes.condition != nil { step.applyCondition(facts) }
    guard case .command = entry.attributes.unless, startUnlessCheck == nil else {
      return (command, step)
    }
    startUnlessCheck = entry.startUnlessCheck ?? builder.registry.startUnlessCheck
    if startUnlessCheck == nil {
      problems.append(
        .error(
          UnlessCheckUnavailable().description, at: entry.attributes.unlessRange ?? entry.commandRange,
          help: UnlessCheckUnavailable.help))
    }
    return (command, step)
  }

  private mutating func command(of entry: ManifestEntry, at index: Int) -> (any Command)? {
    guard let description = builder.registry[entry.command] else {
      reportUnknownCommand(entry)
      return nil
    }
    var reader = ParameterReader(
      named: description.name, replacesVariables: description.type.options.replacesVariables,
      besides: ManifestReader.entryKeys, libraries: libraries(for: entry), environment: parameterEnvironment)
    let parameters = parameters(of: entry, for: description.type)
    let command: any Command
    do {
      command = try description.command(from: parameters, at: entry.commandRange, &reader)
    } catch {
      problems.append(.error("\(entry.command): \(error)", at: entry.commandRange))
      hideAllParameters(of: entry)
      return nil
    }
    if reader.problems.total + builder.manifest.problems.total > 0 {
      hide(reader.unknownValues, of: description)
    }
    requirements += reader.requirements.map { (index, $0) }
    guard reader.problems.total == 0 else {
      problems.append(contentsOf: reader.problems)
      if let stop = entry.attributes.stop { rejectedStops.insert(stop.range.start) }
      return nil
    }
    if description.type.options.replacesVariables, let value = parameters,
      VariableParameters.areIn(value)
    {
      variables[index] = VariableParameters(description: description, value: value)
    }
    return command
  }

  /// Returns the parameters of an entry, with the default of `stop`.
  private func parameters(of entry: ManifestEntry, for type: any Command.Type) -> JSONValue? {
    // The mistakes of a default are reported once.
    guard let stop = entry.attributes.stop, type is any StoppableCommand.Type,
      entry.parameters?["stop"] == nil, !rejectedStops.contains(stop.range.start)
    else { return entry.parameters }
    return entry.parameters?.adding("stop", stop) ?? stop.wrapped(in: "stop")
  }

  private mutating func reportUnknownCommand(_ entry: ManifestEntry) {
    // The parameters may have secrets if any command has.
    if knowsSecrets { hideAllParameters(of: entry) }
    // An entry that names no command is reported already.
    guard !entry.command.isEmpty else { return }
    let names = builder.registry.names
    var suggestions = commandNames
    problems.append(at: entry.commandRange) {
      let isCommandLine = entry.command.contains(where: \.isWhitespace) && names.contains("RunProcess")
      let help =
        isCommandLine
        ? "a shell command is written as { \"run\": \"\(entry.command.excerpt)\" }"
        : Synonym.ofCommand(entry.command, among: names).map { "did you mean \"\($0)\"?" }
          ?? suggestions.help(for: entry.command)
      let problem = "unknown command \"\(entry.command.excerpt)\""
      var diagnostic = Diagnostic.error(problem, at: entry.commandRange, help: help)
      if !names.contains("RunProcess"), ClosestName.to(entry.command, among: names) == nil {
        diagnostic.help.append(
          "for a stock command, import AppBootCommands, and call registry.register(StockCommands.all)")
      }
      return diagnostic
    }
    commandNames = suggestions
  }

  /// Reports the mistakes in a command that was created in code, and hides its secrets.
  private mutating func check(_ command: any Command, of entry: ManifestEntry, at index: Int) {
    let review = ParameterReview(of: command)
    for text in review.secrets { builder.environment.secrets.add(text) }
    if let misuse = review.misuse { problems.append(.error(misuse.description, at: entry.commandRange)) }
    for validation in review.validations(at: entry.commandRange, libraries: libraries(for: entry)) {
      problems.append(contentsOf: validation.problems)
      requirements += validation.requirements.map { (index, $0) }
    }
  }

  /// Returns the libraries of the app that the entry can use; `nil` if it is not certain that the launch needs it.
  ///
  /// It is certain if the entry has no `when`, its failure is not allowed, no option skips it, and it belongs to no
  /// event. With goals (`--to`) it is not certain, because the steps that they need are not known yet.
  private func libraries(for entry: ManifestEntry) -> [String: ThirdPartyInitializer]? {
    let isCertain =
      judgesConditions && entry.attributes.condition == nil && entry.attributes.onFailure != .continue
      && builder.selection.goals == nil && builder.selection.reason(for: entry.id) == nil
    return isCertain ? builder.registry.thirdParties : nil
  }

  // MARK: - Secrets

  // A secret under a mistyped key, or of a mistyped command, is not read as a secret. It must not be in an excerpt.

  /// Hides the values of unknown keys in the parameters of a command that has a secret parameter.
  private mutating func hide(_ values: [JSONValue], of description: CommandDescription) {
    guard !values.isEmpty, entriesToHide > 0, description.parameterSchema.holdsSecret else { return }
    entriesToHide -= 1
    for value in values { parameterEnvironment.learnSecret(in: value) }
  }

  /// Hides the values of unknown keys of a manifest and its entries if the registry has a command with a secret.
  private mutating func hideUnknownValues(of manifest: Manifest) {
    guard manifest.problems.total > 0, !manifest.unknownValues.isEmpty, knowsSecrets else { return }
    for value in manifest.unknownValues.prefix(Diagnostics.limit) {
      parameterEnvironment.learnSecret(in: value)
    }
  }

  /// Hides the parameters of an entry whose command cannot be created, so that its secrets are unknown.
  private mutating func hideAllParameters(of entry: ManifestEntry) {
    guard let parameters = entry.parameters, entriesToHide > 0 else { return }
    entriesToHide -= 1
    parameterEnvironment.learnSecret(in: parameters)
  }
}

extension PlanAssembly {
  /// Returns the graph of the entries; `nil` if an id is a duplicate or unknown, or if entries wait for each other.
  ///
  /// To find cycles, unknown ids are left out, and a duplicate id counts as the first entry with that id.
  ///
  /// - Parameter groups: The names of the list's groups in a plan that is written in code.
  mutating func resolve(_ entries: [ManifestEntry], _ groups: [String]) -> DependencyGraph? {
    let before = problems.total
    let indices = indices(of: entries)
    var names = NameSuggestions.ids(of: entries, and: groups)
    let one = noun.one
    var predecessors: [[Int]] = []
    for (index, entry) in entries.enumerated() {
      guard let after = entry.after else {
        predecessors.append(index == 0 ? [] : [index - 1])
        continue
      }
      for reference in after where indices[reference.id] == nil {
        problems.append(at: reference.range) {
          let message = "no \(one) has the id \"\(reference.id.excerpt)\""
          return .error(message, at: reference.range, help: names.help(for: reference.id))
        }
      }
      predecessors.append(after.compactMap { indices[$0.id] })
    }
    let graph = DependencyGraph(predecessors: predecessors)
    let cycles = graph.cycles(atMost: Self.cycleLimit + 1)
    for cycle in cycles.prefix(Self.cycleLimit) { reportCycle(cycle, entries) }
    if cycles.count > Self.cycleLimit {
      problems.append(
        .error(
          "there are more cycles, and this \(one) is in one of them",
          at: entries[cycles[Self.cycleLimit][0]].idRange,
          help: "\(Self.cycleLimit) cycles are reported at a time: correct those first"))
    }
    return problems.total == before ? graph : nil
  }

  /// Returns the indices of the entries by id. Reports duplicate ids, of which the first one counts.
  private mutating func indices(of entries: [ManifestEntry]) -> [String: Int] {
    var indices: [String: Int] = [:]
    for (index, entry) in entries.enumerated() where !entry.id.isEmpty {
      guard let first = indices[entry.id] else {
        indices[entry.id] = index
        continue
      }
      problems.append(
        .error(
          "two \(noun.many) have the id \"\(entry.id.excerpt)\"", at: entry.idRange,
          help: "give one of them an \"id\" of its own"
        ).noting("the first one", at: entries[first].idRange))
    }
    return indices
  }

  /// The maximum number of cycles that are reported. The search for each takes O(entries).
  private static let cycleLimit = 16

  /// The maximum number of notes in the error for one cycle.
  private static let noteLimit = 16

  /// Returns the ids of a cycle with arrows between them. The first id is repeated at the end.
  private func path(of cycle: [Int], _ entries: [ManifestEntry]) -> String {
    let names = cycle.map { entries[$0].id.isEmpty ? "(no name)" : entries[$0].id.excerpt }
    return ([names.listed(atMost: 100, separator: " → ")] + names.prefix(1)).joined(separator: " → ")
  }

  private mutating func reportCycle(_ cycle: [Int], _ entries: [ManifestEntry]) {
    let path = path(of: cycle, entries)
    let first = entries[cycle[0]]
    if cycle.count == 1, first.after != nil {
      problems.append(
        .error(
          "this \(noun.one) waits for itself: \(path)", at: first.idRange,
          help: "remove its own id from its \"after\""))
      return
    }
    var problem = Diagnostic.error(
      "these \(noun.many) wait for each other: \(path)", at: first.idRange,
      help: "each waits for the next; remove one id from an \"after\"")
    for index in cycle.lazy.filter({ entries[$0].after == nil }).prefix(Self.noteLimit) {
      problem = problem.noting(
        "\"\(entries[index].id.excerpt)\" has no \"after\", so it comes after the \(noun.one) above it",
        at: entries[index].idRange)
    }
    problems.append(problem)
  }
}

/// The help for names that do not exist. It is the closest name that exists, or a list of names.
struct NameSuggestions {
  /// The names, some of them several times before the first search.
  private(set) var names: [String]
  /// The word for the names in the plural, for example `commands`.
  let called: String
  /// True if a long list has only the nearest names.
  var isShortened = false
  /// The number of searches so far.
  private(set) var searches = 0

  /// Returns the help for references to the ids of entries, and to the names of groups.
  static func ids(of entries: [ManifestEntry], and groups: [String] = []) -> NameSuggestions {
    NameSuggestions(names: entries.map(\.id) + groups, called: "ids here", isShortened: true)
  }

  /// Returns the help for a name that does not exist, as one line.
  mutating func help(for name: String) -> String {
    if searches == 0 {
      var known: Set = [""]
      names = names.filter { known.insert($0).inserted }
    }
    let search = ClosestName(among: names, after: searches)
    searches += 1
    if let match = search.match(for: name) { return "did you mean \"\(match.excerpt)\"?" }
    guard !names.isEmpty else { return "there are no \(called)" }
    let list =
      isShortened
      ? search.list(for: name) : NameList(Array(names.prefix(40)), isShortened: names.count > 40)
    return "the \(called) are \(list.text())"
  }
}
