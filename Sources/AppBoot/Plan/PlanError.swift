/// A mistake in a plan that is made in code.
public enum PlanError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Two steps have this id.
  case doubledID(String)
  /// A step comes after an id that no step has.
  case unknownID(String, in: String, suggestion: String?)
  /// These steps wait for each other, each for the next and the last for the first.
  case cycle([String])

  /// The mistake and its remedy.
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
  /// Creates the graph of steps that name their predecessors by id; a step without a list comes after the one above it.
  init(of steps: [(id: String, after: [String]?)]) throws(PlanError) {
    var indices: [String: Int] = [:]
    for (index, step) in steps.enumerated() {
      guard indices.updateValue(index, forKey: step.id) == nil else { throw .doubledID(step.id) }
    }
    var builder = Builder(capacity: steps.count)
    for (index, step) in steps.enumerated() {
      for id in step.after ?? [] {
        guard let target = indices[id] else {
          throw .unknownID(id, in: step.id, suggestion: ClosestName.to(id, among: steps.map(\.id)))
        }
        builder.addEdge(from: target)
      }
      if step.after == nil, index > 0 { builder.addEdge(from: index - 1) }
      builder.endStep()
    }
    self = builder.graph()
    if let cycle = shortestCycles(atMost: 1).first { throw .cycle(cycle.map { steps[$0].id }) }
  }
}
