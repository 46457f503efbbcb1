// The check of the context values that the types of commands declare. Values that single parameters need, for example
// in placeholders, are checked in PlanAssembly+Context.swift.

extension PlanAssembly {
  /// Reports the commands whose required values nothing provides before they start.
  mutating func checkKeys(_ search: inout RequirementSearch) {
    for (index, command) in search.commands.enumerated() {
      for key in command.requiredKeys.keys { check(key, of: index, &search) }
    }
  }

  private mutating func check(_ key: ContextKeys.Key, of index: Int, _ search: inout RequirementSearch) {
    let given = builder.environment.provided[key.name]
    let otherType = given.map { key.accepts($0) ? nil : type(of: $0) } ?? search.otherType(of: key)
    if let otherType { return reportTypes(of: key, index, otherType, search) }
    // The launch, an earlier event and code can provide the values of an event's handlers.
    guard judgesConditions, given == nil, !search.follows(providerOf: key.name, index) else { return }
    let providers = search.providers(of: key.name)
    if providers.isEmpty || providers == [index] { return reportMissing(key, index, search) }
    guard search.isOrdered else { return }
    let entry = search.entries[index]
    problems.append(at: entry.commandRange) {
      let ids = providers.filter { $0 != index }.map { search.entries[$0].id }
      return .error(
        "\"\(entry.id.excerpt)\" requires the value \"\(key.name.excerpt)\", but does not wait for "
          + "\(ids.quoted), which provides it",
        at: entry.commandRange, help: "run \"\(entry.id.excerpt)\" after \(ids.quoted)")
    }
  }

  private mutating func reportTypes(
    of key: ContextKeys.Key, _ index: Int, _ other: any Any.Type, _ search: RequirementSearch
  ) {
    let entry = search.entries[index]
    problems.append(at: entry.commandRange) {
      .error(
        "\"\(entry.id.excerpt)\" requires the value \"\(key.name.excerpt)\" as \(key.type), "
          + "but it is provided as \(other)",
        at: entry.commandRange, help: "two keys share one name: give one of them another")
    }
  }

  private mutating func reportMissing(_ key: ContextKeys.Key, _ index: Int, _ search: RequirementSearch) {
    let entry = search.entries[index]
    let commands = builder.registry.commands
    problems.append(at: entry.commandRange) {
      let known = commands.filter { $0.provides.contains(key.name) }.map(\.name)
      return .error(
        "\"\(entry.id.excerpt)\" requires the value \"\(key.name.excerpt)\", and nothing provides it",
        at: entry.commandRange,
        help: known.isEmpty
          ? "declare it in \"provides\" of a command, or provide it in code"
          : "add \(known.quotedList) before it")
    }
  }
}
