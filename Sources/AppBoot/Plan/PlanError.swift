/// What is wrong with a plan that is made in code.
public enum PlanError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Two steps have this id.
  case doubledID(String)
  /// A step comes after an id that no step has.
  case unknownID(String, in: String, suggestion: String?)
  /// These steps wait for each other, each for the next and the last for the first.
  case cycle([String])

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .doubledID(let id): "two steps have the id \"\(id)\": give one of them another"
    case .unknownID(let id, let step, let suggestion):
      "\"\(step)\" comes after \"\(id)\", and no step has that id"
        + (suggestion.map { ": did you mean \"\($0)\"?" } ?? "")
    case .cycle(let ids): "these steps wait for each other: \((ids + ids.prefix(1)).joined(separator: " → "))"
    }
  }
}

extension DependencyGraph {
  /// The graph of steps by id; one that names nothing comes after the one above it.
  init(of steps: [(id: String, after: [String]?)]) throws(PlanError) {
    var indices: [String: Int32] = [:]
    for (index, step) in steps.enumerated() {
      guard indices.updateValue(Int32(index), forKey: step.id) == nil else { throw .doubledID(step.id) }
    }
    var offsets: [Int32] = [0]
    var edges: [Int32] = []
    for (index, step) in steps.enumerated() {
      for id in step.after ?? [] {
        guard let target = indices[id] else {
          throw .unknownID(id, in: step.id, suggestion: ClosestName.to(id, among: steps.map(\.id)))
        }
        edges.append(target)
      }
      if step.after == nil, index > 0 { edges.append(Int32(index - 1)) }
      offsets.append(Int32(edges.count))
    }
    self.init(offsets: offsets, edges: edges)
    if let cycle = shortestCycles(atMost: 1).first { throw .cycle(cycle.map { steps[$0].id }) }
  }
}
