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
