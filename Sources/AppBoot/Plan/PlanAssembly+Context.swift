extension PlanAssembly {
  /// Reports each command that needs a context value but does not come after a command that provides it.
  ///
  /// If no command of the launch declares the value, code may still provide it. Then nothing is reported. In event
  /// handlers only the outputs of steps are checked, because the handlers also have the values of the launch.
  ///
  /// - Parameter graph: The order of the entries; `nil` if it has a mistake. Nothing that depends on the order is then
  ///   reported, because it may follow from that mistake.
  mutating func checkRequirements(
    of commands: [any Command], _ entries: [ManifestEntry], _ graph: DependencyGraph?
  ) {
    var search = RequirementSearch(commands, entries, graph)
    for (index, requirement) in requirements where search.isOrdered {
      if requirement.isService {
        checkService(requirement, of: index, &search)
        continue
      }
      if let id = ContextKey<String>.step(ofOutput: requirement.value) {
        checkOutput(of: id, for: requirement, of: index, &search)
        continue
      }
      // An event's handlers also see the values of the launch.
      guard judgesConditions, builder.environment.provided[requirement.value] == nil else { continue }
      let providers = search.providers(of: requirement.value).filter { $0 != index }
      guard !providers.isEmpty, !search.precedes(anyOf: providers, index) else { continue }
      let names = providers.map { entries[$0].id }.quoted
      report(
        "\(requirement.subject) has no value before \(names) provides it", requirement, of: index, &search
      ) {
        "run \"\($0)\" after \(names)"
      }
    }
    if usesKeys { checkKeys(&search) }
  }

  /// Returns whether an event handler can insert the output of a launch's step with an id.
  private func launchProvidesOutput(of id: String) -> Bool {
    // A launch with mistakes has its own errors.
    guard let launchCommands else { return true }
    let step = builder.manifest.commands.firstIndex { $0.id == id }
    return step.map { launchCommands[$0] is any OutputProviding } ?? false
  }

  /// Reports a reference to the output of a step that does not exist, has no output, or has not ended by then.
  private mutating func checkOutput(
    of id: String, for requirement: ContextRequirement, of index: Int, _ search: inout RequirementSearch
  ) {
    guard let provider = search.entry(withID: id) else {
      if !judgesConditions, launchProvidesOutput(of: id) { return launchOutputs.append(id) }
      let help = search.help(forID: id)
      return report("no \(noun.one) has the id \"\(id.excerpt)\"", requirement, of: index, &search) { _ in
        help
      }
    }
    if search.isNewOutput(of: provider) { insertedOutputs.append(id) }
    guard search.commands[provider] is any OutputProviding else {
      let command = search.entries[provider].command
      return report(
        "\"\(id.excerpt)\" is a \(command), which has no output to insert", requirement, of: index, &search)
    }
    if provider == index {
      return report("a step cannot insert its own output", requirement, of: index, &search)
    }
    guard !search.precedes(anyOf: [provider], index) else { return }
    report(
      "\(requirement.subject) has no value before \"\(id.excerpt)\" ends", requirement, of: index, &search
    ) {
      "run \"\($0)\" after \"\(id.excerpt)\""
    }
  }

  /// Reports a reference to a service that does not exist, is no service, or does not come before.
  ///
  /// An event handler can also name a service of the launch.
  private mutating func checkService(
    _ requirement: ContextRequirement, of index: Int, _ search: inout RequirementSearch
  ) {
    let id = requirement.value
    guard let service = search.entry(withID: id) else {
      if !judgesConditions, builder.manifest.commands.contains(where: { $0.id == id }) { return }
      let help = search.help(forID: id)
      return report("no \(noun.one) has the id \"\(id.excerpt)\"", requirement, of: index, &search) { _ in
        help
      }
    }
    guard CommandExecution.polledCommand(search.commands[service])?.startsService == true else {
      let command = search.entries[service].command
      return report(
        "\"\(id.excerpt)\" is a \(command), which is not a service", requirement, of: index, &search)
    }
    guard service == index || !search.precedes(anyOf: [service], index) else { return }
    report(
      service == index
        ? "a service cannot be restarted with itself" : "\"\(id.excerpt)\" does not come before this service",
      requirement, of: index, &search
    ) {
      service == index ? nil : "run \"\($0)\" after \"\(id.excerpt)\""
    }
  }

  /// Reports a mistake at the place of a requirement.
  ///
  /// - Parameter help: A function that returns the help from the id of the entry; `nil` for no help.
  private mutating func report(
    _ message: String, _ requirement: ContextRequirement, of index: Int, _ search: inout RequirementSearch,
    help: (String) -> String? = { _ in nil }
  ) {
    let entry = search.entries[index]
    var problem = requirement.error(message, isShown: problems.total < Diagnostics.limit)
    if let text = requirement.text, let parameters = entry.parameters,
      let part = parameters.source.range(of: text, in: problem.range.moved(by: -parameters.start))
    {
      problem.range = part.moved(by: parameters.start)
    }
    if let help = help(entry.id) { problem.help.append(help) }
    problems.append(problem)
  }
}

/// A cache of facts about the steps of a list, which the check of their requirements needs often.
struct RequirementSearch {
  let commands: [any Command]
  let entries: [ManifestEntry]
  /// True if the order of the entries has no mistake.
  let isOrdered: Bool
  private let graph: DependencyGraph
  /// The index of the first entry with each id.
  private lazy var ids = Dictionary(entries.enumerated().map { ($1.id, $0) }) { first, _ in first }
  private lazy var names = NameSuggestions(amongIdsOf: entries)
  /// The indices of the commands that declare each context value, by the value's name.
  private var providers: [String: [Int]] = [:]
  /// The last step for which ``precedes(anyOf:_:)`` was called, and a flag for each step that ends before it starts.
  private var ancestors: (step: Int, isOne: [Bool]) = (-1, [])
  /// A flag for each step, by the name of a context value: true if the step comes after one that provides the value.
  private var followers: [String: [Bool]] = [:]
  /// The types as which commands provide each context value, by the value's name.
  private var types: [String: [any Any.Type]] = [:]
  private var outputs: Set<Int> = []

  init(_ commands: [any Command], _ entries: [ManifestEntry], _ graph: DependencyGraph?) {
    (self.commands, self.entries, isOrdered) = (commands, entries, graph != nil)
    self.graph = graph ?? DependencyGraph(sequenceOf: entries.count)
  }

  mutating func entry(withID id: String) -> Int? { ids[id] }

  mutating func help(forID id: String) -> String { names.help(for: id) }

  /// Returns true at the first call for a step whose output is inserted.
  mutating func isNewOutput(of step: Int) -> Bool { outputs.insert(step).inserted }

  mutating func providers(of value: String) -> [Int] {
    if let known = providers[value] { return known }
    let found = commands.indices.filter { commands[$0].providedKeys[value] != nil }
    providers[value] = found
    return found
  }

  /// Returns whether at least one of the steps ends before the step `last` starts.
  mutating func precedes(anyOf steps: [Int], _ last: Int) -> Bool {
    if ancestors.step != last { ancestors = (last, graph.ancestors(of: last)) }
    return steps.contains { ancestors.isOne[$0] }
  }

  /// Returns a type, other than that of the key, as which a command provides the key's value; `nil` if there is none.
  mutating func otherType(of key: ContextKeys.Key) -> (any Any.Type)? {
    if types[key.name] == nil {
      var found: [any Any.Type] = []
      for step in providers(of: key.name) {
        guard let type = commands[step].providedKeys[key.name]?.type else { continue }
        if !found.contains(where: { $0 == type }) { found.append(type) }
      }
      types[key.name] = found
    }
    return types[key.name]?.first { $0 != key.type }
  }

  /// Returns whether a step comes after another one that provides a value.
  mutating func follows(providerOf value: String, _ step: Int) -> Bool {
    if let known = followers[value] { return known[step] }
    let found = graph.followers(of: providers(of: value))
    followers[value] = found
    return found[step]
  }

}

extension ContextRequirement {
  /// The subject of an error message: the text that needs the value, or the value's name.
  fileprivate var subject: String { text ?? "the context value \"\(value)\"" }
}

extension SourceText {
  /// Returns the first place of a text in a range; `nil` if the range does not contain it, or has it with escapes.
  fileprivate func range(of text: String, in range: SourceRange) -> SourceRange? {
    let text = Array(text.utf8)
    let last = Int(range.end) - text.count
    guard !text.isEmpty, last >= Int(range.start) else { return nil }
    return (Int(range.start)...last).first { bytes[$0...].starts(with: text) }
      .map { SourceRange($0, $0 + text.count) }
  }
}

extension DependencyGraph {
  /// Returns a flag for each step: true if the step comes after at least one of the given steps.
  func followers(of steps: [Int]) -> [Bool] {
    var isKnown = [Bool](repeating: false, count: count)
    var pending = steps
    while let step = pending.popLast() {
      for successor in successors(of: step) where !isKnown[Int(successor)] {
        isKnown[Int(successor)] = true
        pending.append(Int(successor))
      }
    }
    return isKnown
  }

  /// Returns a flag for each step: true if the step ends before the step `last` starts.
  fileprivate func ancestors(of last: Int) -> [Bool] {
    var isKnown = [Bool](repeating: false, count: count)
    var pending = [last]
    while let step = pending.popLast() {
      for predecessor in predecessors(of: step) where !isKnown[Int(predecessor)] {
        isKnown[Int(predecessor)] = true
        pending.append(Int(predecessor))
      }
    }
    return isKnown
  }
}
