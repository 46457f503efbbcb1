// The check of the context values that the types of commands declare. Values that single parameters need, for example
// in placeholders, are checked in PlanAssembly+Context.swift.

extension PlanAssembly {
  /// Reports the commands whose required values nothing provides before they start.
  mutating func checkKeys(_ search: inout RequirementSearch) {
    for (index, command) in search.commands.enumerated() {
      for key in type(of: command).requires.keys { check(key, of: index, &search) }
    }
  }

  private mutating func check(_ key: ContextKeys.Key, of index: Int, _ search: inout RequirementSearch) {
    let reader = search.entries[index].id.excerpt
    let value = "the value \"\(key.name.excerpt)\""
    let given = builder.environment.provided[key.name]
    let own = search.providers(of: key.name).filter { $0 != index }
    let types = own.compactMap { type(of: search.commands[$0]).provides[key.name]?.type }
    if given.map({ !key.accepts($0) }) == true || types.contains(where: { $0 != key.type }) {
      let found = given.map { "\(type(of: $0))" } ?? types.first { $0 != key.type }.map { "\($0)" } ?? ""
      report(
        "\"\(reader)\" requires \(value) as \(key.type), but it is provided as \(found)", of: index, search,
        help: "two keys share one name: give one of them another")
    } else if !judgesConditions {
      // The launch, an earlier event and code can provide the values of an event's handlers.
      return
    } else if given == nil, own.isEmpty {
      let known = builder.registry.commands.filter { $0.provides.contains(key.name) }.map(\.name)
      report(
        "\"\(reader)\" requires \(value), and nothing provides it", of: index, search,
        help: known.isEmpty
          ? "declare it in \"provides\" of a command, or provide it in code"
          : "add \(known.quotedList) before it")
    } else if given == nil, !search.follows(providerOf: key.name, index) {
      let names = own.map { search.entries[$0].id }.quoted
      report(
        "\"\(reader)\" requires \(value), but does not wait for \(names), which provides it", of: index,
        search,
        help: "run \"\(reader)\" after \(names)")
    }
  }

  private mutating func report(
    _ message: String, of index: Int, _ search: RequirementSearch, help: String
  ) {
    problems.append(.error(message, at: search.entries[index].commandRange, help: help))
  }
}
