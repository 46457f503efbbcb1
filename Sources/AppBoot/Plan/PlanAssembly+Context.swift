extension PlanAssembly {
  /// Reports each command that needs a context value and does not come after a command that provides it.
  ///
  /// If no command of the launch or event declares the value, code may still provide it, so that is not reported.
  mutating func checkRequirements(
    of commands: [any Command], _ entries: [ManifestEntry], _ graph: DependencyGraph
  ) {
    for (index, requirement) in requirements {
      let providers = commands.indices.filter {
        $0 != index && type(of: commands[$0]).provides.contains(requirement.value)
      }
      guard !providers.isEmpty, !graph.precedes(anyOf: providers, index) else { continue }
      let names = providers.map { entries[$0].id }.quoted
      let subject = requirement.text ?? "the context value \"\(requirement.value)\""
      let error = DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: requirement.path,
          debugDescription: "\(subject) has no value before \(names) provides it"))
      for var problem in DecodingFailure.diagnostics(error, in: entries[index], beside: []) {
        if let text = requirement.text, let parameters = entries[index].parameters,
          let part = parameters.source.range(of: text, in: problem.range.moved(by: -parameters.start))
        {
          problem.range = part.moved(by: parameters.start)
        }
        problem.help.append("run \"\(entries[index].id)\" after \(names)")
        problems.append(problem)
      }
    }
  }
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
