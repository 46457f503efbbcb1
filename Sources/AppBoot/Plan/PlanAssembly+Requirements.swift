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

  /// Reports a reference to the output of a step that has no output, or has not ended by then.
  private mutating func checkOutput(
    of id: String, for requirement: ContextRequirement, of index: Int, _ search: inout RequirementSearch
  ) {
    let entry = search.entries[index]
    guard let provider = search.ids[id] else {
      launchOutputs.append(id)
      // A launch with mistakes has its own errors.
      if let step = launchSteps[id], let command = launchCommands?[step] {
        _ = checkOutput(of: builder.manifest.commands[step], command, requirement, entry)
      }
      return
    }
    search.insertOutput(of: provider)
    guard checkOutput(of: search.entries[provider], search.commands[provider], requirement, entry) else {
      return
    }
    if provider == index {
      return requirement.isUndo ? () : report("a step cannot insert its own output", requirement, entry)
    }
    guard !search.follows(index, anyOf: [provider]) else { return }
    report(
      "\(requirement.subject) has no value before \"\(id.excerpt)\" ends", requirement, entry,
      help: "run \"\(entry.id)\" after \"\(id.excerpt)\"")
  }

  /// Reports a reference to the output of a command that has none. Returns false after a report.
  private mutating func checkOutput(
    of step: ManifestEntry, _ command: any Command, _ requirement: ContextRequirement, _ entry: ManifestEntry
  ) -> Bool {
    if command is any OutputProviding { return true }
    report(
      "\"\(step.id.excerpt)\" is a \(step.command), which has no output to insert", requirement, entry)
    return false
  }

  /// Reports a reference to a step that is of another kind, has no such port, or comes later.
  ///
  /// An event handler can also name a step of the launch.
  private mutating func checkStep(
    _ requirement: ContextRequirement, of index: Int, _ search: inout RequirementSearch
  ) {
    let id = requirement.value
    let entry = search.entries[index]
    guard let step = search.ids[id] else {
      // A launch with mistakes has its own errors.
      guard let step = launchSteps[id], let command = launchCommands?[step] else { return }
      _ = checkKind(of: builder.manifest.commands[step], command, requirement, entry)
      return
    }
    guard checkKind(of: search.entries[step], search.commands[step], requirement, entry) else { return }
    if requirement.need == .step {
      let output = ContextKey<String>.output(ofStep: id).name
      guard requirements.contains(where: { $0.entry == index && $0.requirement.value == output }) else {
        return
      }
      return report(
        "\"\(id.excerpt)\" runs again, but this entry keeps the output from the launch", requirement,
        entry,
        help: "let \"\(id.excerpt)\" write a file that the service reads")
    }
    if step == index {
      var help: String?
      if case .port(let name) = requirement.need {
        help = "write \(name.isEmpty ? "{port}" : "{port.\(name)}")"
      }
      return report("a service cannot refer to itself", requirement, entry, help: help)
    }
    guard !search.follows(index, anyOf: [step]) else { return }
    report(
      "\"\(id.excerpt)\" does not come before this step", requirement, entry,
      help: "run \"\(entry.id)\" after \"\(id.excerpt)\"")
  }

  /// Reports a reference to a step of the wrong kind, or to a port that a service does not have.
  ///
  /// Returns false after a report.
  private mutating func checkKind(
    of step: ManifestEntry, _ command: any Command, _ requirement: ContextRequirement, _ entry: ManifestEntry
  ) -> Bool {
    let id = "\"\(step.id.excerpt)\""
    let service = _CommandExecution.polledCommand(command).flatMap { $0.startsService ? $0 : nil }
    switch (requirement.need, service) {
    case (.step, .some):
      report("\(id) is a service, and only a step that ends can run again", requirement, entry)
    case (.service, nil), (.port, nil):
      report("\(id) is a \(step.command), which is not a service", requirement, entry)
    case (.port(let name), let service?) where service.reservedPorts[name] == nil:
      let key = name.isEmpty ? "\"port\"" : "\"\(name.excerpt)\" in \"ports\""
      report("\(requirement.subject) has no value", requirement, entry, help: "declare \(key) of \(id)")
    default: return true
    }
    return false
  }

  /// Reports the references to steps that do not exist.
  mutating func checkNames(in entries: [ManifestEntry]) {
    guard !requirements.isEmpty else { return }
    let ids = Set(entries.map(\.id))
    let others = judgesConditions ? [] : builder.manifest.commands
    lazy var names = NameSuggestions.ids(of: entries + others)
    for (index, requirement) in requirements {
      guard let id = requirement.step, !ids.contains(id), launchSteps[id] == nil else { continue }
      let help = problems.total < Diagnostics.limit ? names.help(for: id) : nil
      report("no \(noun.one) has the id \"\(id.excerpt)\"", requirement, entries[index], help: help)
    }
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

  /// The id of the step that the text names; `nil` for a value of another kind.
  fileprivate var step: String? { need == .value ? ContextKey<String>.step(ofOutput: value) : value }
}
