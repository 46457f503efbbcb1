extension PlanAssembly {
  /// Reports each context value that a command needs before the command that provides it.
  ///
  /// A value that no command of the list declares may still be provided by code, so it is no error here.
  mutating func checkRequirements(
    of commands: [any Command], _ entries: [ManifestEntry], _ graph: DependencyGraph
  ) {
    for (index, requirement) in requirements {
      let providers = commands.indices.filter {
        $0 != index && type(of: commands[$0]).provides.contains(requirement.value)
      }
      guard !providers.isEmpty, !graph.precedes(anyOf: providers, index) else { continue }
      let names = providers.map { entries[$0].id }.quoted
      let error = DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: requirement.path,
          debugDescription: "needs the context value \"\(requirement.value)\" before \(names) provides it: "
            + "run this command after \(names)"))
      problems += DecodingFailure.diagnostics(error, in: entries[index], beside: [])
    }
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
