extension PlanAssembly {
  /// The graph; `nil` where ids are doubled or unknown, or where the entries wait for each other.
  ///
  /// References that are wrong or doubtful are left out of the graph, so that cycles beside them are still found.
  mutating func resolve(_ entries: [ManifestEntry]) -> DependencyGraph? {
    let before = problems.count
    let indices = indices(of: entries)
    if entries.allSatisfy({ $0.after == nil }) {
      return problems.count == before ? DependencyGraph(sequenceOf: entries.count) : nil
    }
    let graph = graph(of: entries, indices)
    for cycle in graph.shortestCycles() { reportCycle(cycle, entries) }
    return problems.count == before ? graph : nil
  }

  /// The entries by id; those that share one are reported, and have the index -1.
  private mutating func indices(of entries: [ManifestEntry]) -> [String: Int32] {
    var indices = [String: Int32](minimumCapacity: entries.count)
    var repeated: [String: Int] = [:]
    for (index, entry) in entries.enumerated() where !entry.id.isEmpty {
      guard let first = indices.updateValue(Int32(index), forKey: entry.id) else { continue }
      let place = repeated[entry.id] ?? Int(first)
      repeated[entry.id] = place
      problems.append(
        Diagnostic.error(
          "two entries have the id \"\(entry.id.excerpt)\"", at: entry.idRange,
          help: "give one of them an \"id\" of its own"
        ).noting("the first one", at: entries[place].idRange))
    }
    for id in repeated.keys { indices[id] = -1 }
    return indices
  }

  private mutating func graph(of entries: [ManifestEntry], _ indices: [String: Int32]) -> DependencyGraph {
    var offsets: [Int32] = [0]
    var edges: [Int32] = []
    offsets.reserveCapacity(entries.count + 1)
    edges.reserveCapacity(entries.count)
    var names: NameSuggestions?
    for (index, entry) in entries.enumerated() {
      if let after = entry.after {
        for reference in after {
          if let target = indices[reference.id] {
            if target >= 0 { edges.append(target) }
          } else {
            reportUnknown(reference, entries, &names)
          }
        }
      } else if index > 0 {
        edges.append(Int32(index - 1))
      }
      offsets.append(Int32(edges.count))
    }
    return DependencyGraph(offsets: offsets, edges: edges)
  }

  private mutating func reportUnknown(
    _ reference: ManifestEntry.Reference, _ entries: [ManifestEntry], _ names: inout NameSuggestions?
  ) {
    var suggestions =
      names ?? NameSuggestions(among: entries.map(\.id).filter { !$0.isEmpty }, called: "ids here")
    let help = suggestions.help(for: reference.id)
    names = suggestions
    problems.append(
      .error("no entry has the id \"\(reference.id.excerpt)\"", at: reference.range, help: help))
  }

  /// A cycle of 100,000 is shown whole; that many explanations would help nobody.
  private static let noteLimit = 16

  private mutating func reportCycle(_ cycle: [Int], _ entries: [ManifestEntry]) {
    let ids = cycle.map { entries[$0].id.isEmpty ? "(no name)" : entries[$0].id }
    let path = (ids + ids.prefix(1)).joined(separator: " → ")
    let first = entries[cycle[0]]
    if cycle.count == 1, first.after != nil {
      problems.append(
        .error(
          "this entry waits for itself: \(path)", at: first.idRange,
          help: "take its own id out of its \"after\""))
      return
    }
    var problem = Diagnostic.error(
      "these entries wait for each other: \(path)", at: first.idRange,
      help: "each comes after the next; take one id out of an \"after\"")
    for index in cycle.lazy.filter({ entries[$0].after == nil }).prefix(Self.noteLimit) {
      problem = problem.noting(
        "\"\(entries[index].id)\" has no \"after\", so it comes after the entry above it",
        at: entries[index].idRange)
    }
    problems.append(problem)
  }
}
