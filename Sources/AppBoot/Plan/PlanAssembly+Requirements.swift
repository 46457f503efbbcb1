extension PlanAssembly {
  /// Reports each command that needs a context value but does not come after a command that provides it.
  ///
  /// If no command of the launch declares a value that a parameter needs, code may still provide it. Then nothing is
  /// reported. In event handlers only the outputs of steps are checked, because the handlers also have the values of
  /// the launch.
  ///
  /// - Parameter graph: The order of the entries; `nil` if it has a mistake. Nothing that depends on the order is then
  ///   reported, because it may follow from that mistake.
  /// - Returns: The ids of the steps whose output other steps of the list insert.
  mutating func checkRequirements(
    of commands: [any Command], _ entries: [ManifestEntry], _ graph: DependencyGraph?
  ) -> [String] {
    let keys = commands.map(\.requiredKeys.keys)
    guard !requirements.isEmpty || !keys.allSatisfy(\.isEmpty) else { return [] }
    var search = RequirementSearch(commands, entries, graph)
    for (index, requirement) in requirements where graph != nil {
      if requirement.need != .value {
        checkStep(requirement, of: index, &search)
      } else if let id = ContextKey<String>.step(ofOutput: requirement.value) {
        checkOutput(of: id, for: requirement, of: index, &search)
      } else if judgesConditions, builder.environment.provided[requirement.value] == nil {
        checkValue(requirement, of: index, &search)
      }
    }
    for (index, keys) in keys.enumerated() {
      for key in keys { check(key, of: index, &search) }
    }
    return search.insertedOutputs
  }

  // MARK: - Values that parameters need

  private mutating func checkValue(
    _ requirement: ContextRequirement, of index: Int, _ search: inout RequirementSearch
  ) {
    let providers = search.providers(of: requirement.value)
    let others = providers.filter { $0 != index }
    guard !others.isEmpty, !search.follows(index, anyOf: providers) else { return }
    let names = others.map { search.entries[$0].id }.quoted
    report(
      "\(requirement.subject) has no value before \(names) provides it", requirement, search.entries[index],
      help: "run \"\(search.entries[index].id)\" after \(names)")
  }

  /// Reports a reference to the output of a step that does not exist, has no output, or has not ended by then.
  private mutating func checkOutput(
    of id: String, for requirement: ContextRequirement, of index: Int, _ search: inout RequirementSearch
  ) {
    let entry = search.entries[index]
    guard let provider = search.ids[id] else {
      if launchProvidesOutput(of: id) { return launchOutputs.append(id) }
      return reportUnknown(id, requirement, entry, &search)
    }
    search.insertOutput(of: provider)
    guard search.commands[provider] is any OutputProviding else {
      let command = search.entries[provider].command
      return report(
        "\"\(id.excerpt)\" is a \(command), which has no output to insert", requirement, entry)
    }
    if provider == index {
      return requirement.isUndo ? () : report("a step cannot insert its own output", requirement, entry)
    }
    guard !search.follows(index, anyOf: [provider]) else { return }
    report(
      "\(requirement.subject) has no value before \"\(id.excerpt)\" ends", requirement, entry,
      help: "run \"\(entry.id)\" after \"\(id.excerpt)\"")
  }

  /// Returns whether an event handler can insert the output of a launch's step with an id.
  private func launchProvidesOutput(of id: String) -> Bool {
    guard !judgesConditions else { return false }
    // A launch with mistakes has its own errors.
    guard let launchCommands else { return true }
    let step = builder.manifest.commands.firstIndex { $0.id == id }
    return step.map { launchCommands[$0] is any OutputProviding } ?? false
  }

  /// Reports a reference to a step that does not exist, or to a service that is another kind of step or comes later.
  ///
  /// An event handler can also name a step of the launch.
  private mutating func checkStep(
    _ requirement: ContextRequirement, of index: Int, _ search: inout RequirementSearch
  ) {
    let id = requirement.value
    let entry = search.entries[index]
    guard let service = search.ids[id] else {
      if !judgesConditions, builder.manifest.commands.contains(where: { $0.id == id }) { return }
      return reportUnknown(id, requirement, entry, &search)
    }
    if requirement.need == .step { return }
    guard _CommandExecution.polledCommand(search.commands[service])?.startsService == true else {
      let command = search.entries[service].command
      return report("\"\(id.excerpt)\" is a \(command), which is not a service", requirement, entry)
    }
    if service == index { return report("a service cannot refer to itself", requirement, entry) }
    guard !search.follows(index, anyOf: [service]) else { return }
    report(
      "\"\(id.excerpt)\" does not come before this step", requirement, entry,
      help: "run \"\(entry.id)\" after \"\(id.excerpt)\"")
  }

  private mutating func reportUnknown(
    _ id: String, _ requirement: ContextRequirement, _ entry: ManifestEntry,
    _ search: inout RequirementSearch
  ) {
    let help = problems.total < Diagnostics.limit ? search.names.help(for: id) : nil
    report("no \(noun.one) has the id \"\(id.excerpt)\"", requirement, entry, help: help)
  }

  /// Reports a mistake at the place of a requirement.
  private mutating func report(
    _ message: String, _ requirement: ContextRequirement, _ entry: ManifestEntry, help: String? = nil
  ) {
    problems.append(at: entry.commandRange) { requirement.error(message, help: help) }
  }

  // MARK: - Values that the types of commands declare

  private mutating func check(_ key: ContextKeys.Key, of index: Int, _ search: inout RequirementSearch) {
    let entry = search.entries[index]
    let subject = "\"\(entry.id.excerpt)\" requires the value \"\(key.name.excerpt)\""
    let given = builder.environment.provided[key.name]
    if let otherType = given.map({ key.accepts($0) ? nil : type(of: $0) }) ?? search.otherType(of: key) {
      return problems.append(
        .error(
          "\(subject) as \(key.type), but it is provided as \(otherType)", at: entry.commandRange,
          help: "two keys share one name: give one of them another"))
    }
    let providers = search.providers(of: key.name)
    // The launch, an earlier event and code can provide the values of an event's handlers.
    guard judgesConditions, given == nil, !search.follows(index, anyOf: providers) else { return }
    if providers.isEmpty || providers == [index] {
      let known = builder.registry.commands.filter { $0.type.options.provides[key.name] != nil }.map(\.name)
      let inCode =
        builder.code == nil
        ? "provide it in code"
        : "make the plan with StartupCommandsBuilder(…) { … }.providing(…).build()"
      return problems.append(
        .error(
          "\(subject), and nothing provides it", at: entry.commandRange,
          help: known.isEmpty
            ? "declare it in \"provides\" of a command, or \(inCode)"
            : "add \(known.quotedList) before it"))
    }
    guard search.graph != nil else { return }
    problems.append(at: entry.commandRange) {
      let ids = providers.filter { $0 != index }.map { search.entries[$0].id }.quoted
      return .error(
        "\(subject), but does not wait for \(ids), which provides it", at: entry.commandRange,
        help: "run \"\(entry.id.excerpt)\" after \(ids)")
    }
  }
}

/// The facts about the steps of a list that the check of their requirements needs.
private struct RequirementSearch {
  let commands: [any Command]
  let entries: [ManifestEntry]
  /// The order of the entries; `nil` if it has a mistake.
  let graph: DependencyGraph?
  /// The index of the first entry with each id.
  let ids: [String: Int]
  var names: NameSuggestions
  /// The ids of the steps whose output is inserted.
  private(set) var insertedOutputs: [String] = []
  private var outputs: Set<Int> = []
  /// The steps that declare each context value, by the value's name, with the type as which they provide it.
  private var providers: [String: [(step: Int, type: any Any.Type)]] = [:]
  /// The last steps whose followers were searched, with a flag for each step. Many steps read the same value.
  private var following: (steps: [Int], flags: [Bool])?

  init(_ commands: [any Command], _ entries: [ManifestEntry], _ graph: DependencyGraph?) {
    self.commands = commands
    self.entries = entries
    self.graph = graph
    ids = Dictionary(entries.enumerated().map { ($1.id, $0) }) { first, _ in first }
    names = .ids(of: entries)
    for (step, command) in commands.enumerated() {
      for key in command.providedKeys.keys { providers[key.name, default: []].append((step, key.type)) }
    }
  }

  mutating func insertOutput(of step: Int) {
    if outputs.insert(step).inserted { insertedOutputs.append(entries[step].id) }
  }

  func providers(of value: String) -> [Int] { providers[value, default: []].map(\.step) }

  /// Returns a type, other than that of the key, as which a command provides the key's value; `nil` if there is none.
  func otherType(of key: ContextKeys.Key) -> (any Any.Type)? {
    providers[key.name]?.first { $0.type != key.type }?.type
  }

  /// Returns whether a step comes after at least one of other steps. It is false if the order has a mistake.
  mutating func follows(_ step: Int, anyOf others: [Int]) -> Bool {
    guard let graph, !others.isEmpty else { return false }
    if graph.predecessors(of: step).contains(where: others.contains) { return true }
    let isAfter = following.flatMap { $0.steps == others ? $0.flags : nil } ?? graph.followers(of: others)
    following = (others, isAfter)
    return isAfter[step]
  }
}

extension ContextRequirement {
  /// The subject of an error message: the text that needs the value, or the value's name.
  fileprivate var subject: String { text ?? "the context value \"\(value)\"" }
}
