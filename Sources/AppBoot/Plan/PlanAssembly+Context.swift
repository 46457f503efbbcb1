extension PlanAssembly {
  /// Reports each command that needs a context value and does not come after a command that provides it.
  ///
  /// If no command of the launch or event declares the value, code may still provide it, so that is not reported.
  mutating func checkRequirements(
    of commands: [any Command], _ entries: [ManifestEntry], _ graph: DependencyGraph
  ) {
    for (index, requirement) in requirements {
      if let id = ContextKey<String>.step(ofOutput: requirement.value) {
        checkOutput(of: id, for: requirement, of: index, commands, entries, graph)
        continue
      }
      // An event's handlers also see the values of the launch.
      guard judgesConditions else { continue }
      let providers = commands.indices.filter {
        $0 != index && type(of: commands[$0]).provides.contains(requirement.value)
      }
      guard !providers.isEmpty, !graph.precedes(anyOf: providers, index) else { continue }
      let names = providers.map { entries[$0].id }.quoted
      report("\(requirement.subject) has no value before \(names) provides it", requirement, entries[index]) {
        "run \"\($0)\" after \(names)"
      }
    }
  }

  /// Returns whether an event handler may insert the output of a step of the launch.
  private func launchProvidesOutput(of id: String) -> Bool {
    // A launch with mistakes has its own errors.
    guard let launchCommands else { return true }
    let step = builder.manifest.commands.firstIndex { $0.id == id }
    return step.map { launchCommands[$0] is any OutputProviding } ?? false
  }

  /// Reports the output of a step that has none, or has not ended by then.
  private mutating func checkOutput(
    of id: String, for requirement: ContextRequirement, of index: Int, _ commands: [any Command],
    _ entries: [ManifestEntry], _ graph: DependencyGraph
  ) {
    guard let provider = entries.firstIndex(where: { $0.id == id }) else {
      if !judgesConditions, launchProvidesOutput(of: id) { return launchOutputs.append(id) }
      var names = NameSuggestions(among: entries.map(\.id).filter { !$0.isEmpty }, called: "ids here")
      let help = names.help(for: id)
      return report("no entry has the id \"\(id.excerpt)\"", requirement, entries[index]) { _ in help }
    }
    if !insertedOutputs.contains(id) { insertedOutputs.append(id) }
    guard commands[provider] is any OutputProviding else {
      let command = entries[provider].command
      return report(
        "\"\(id.excerpt)\" is a \(command), which has no output to insert", requirement, entries[index])
    }
    if provider == index {
      return report("a step cannot insert its own output", requirement, entries[index])
    }
    guard !graph.precedes(anyOf: [provider], index) else { return }
    report("\(requirement.subject) has no value before \"\(id.excerpt)\" ends", requirement, entries[index]) {
      "run \"\($0)\" after \"\(id.excerpt)\""
    }
  }

  /// Reports a mistake at the place of a requirement; the help is made from the entry's id.
  private mutating func report(
    _ message: String, _ requirement: ContextRequirement, _ entry: ManifestEntry,
    help: (String) -> String? = { _ in nil }
  ) {
    let error = DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: requirement.path, debugDescription: message))
    for var problem in DecodingFailure.diagnostics(error, in: entry, beside: []) {
      if let text = requirement.text, let parameters = entry.parameters,
        let part = parameters.source.range(of: text, in: problem.range.moved(by: -parameters.start))
      {
        problem.range = part.moved(by: parameters.start)
      }
      if let help = help(entry.id) { problem.help.append(help) }
      problems.append(problem)
    }
  }
}

extension ContextRequirement {
  /// The value in an error: the text that needs it, or its name.
  fileprivate var subject: String { text ?? "the context value \"\(value)\"" }
}

extension SourceText {
  /// Returns the first place of a text inside a range; `nil` if it is not there, or written with escapes.
  fileprivate func range(of text: String, in range: SourceRange) -> SourceRange? {
    let text = Array(text.utf8)
    let last = Int(range.end) - text.count
    guard !text.isEmpty, last >= Int(range.start) else { return nil }
    return (Int(range.start)...last).first { bytes[$0...].starts(with: text) }
      .map { SourceRange($0, $0 + text.count) }
  }
}

extension DependencyGraph {
  /// Returns whether one of the steps ends before another one starts.
  fileprivate func precedes(anyOf steps: [Int], _ last: Int) -> Bool {
    var isKnown = [Bool](repeating: false, count: count)
    var pending = [last]
    while let step = pending.popLast() {
      for predecessor in predecessors(of: step) where !isKnown[Int(predecessor)] {
        if steps.contains(Int(predecessor)) { return true }
        isKnown[Int(predecessor)] = true
        pending.append(Int(predecessor))
      }
    }
    return false
  }
}
