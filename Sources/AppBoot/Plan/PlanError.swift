/// An error in a plan that is created in code.
public enum PlanError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Two steps have the same id.
  case doubledID(String)
  /// A step comes after an id that no step has. The values are the id, the step, and the closest id if one is close.
  case unknownID(String, in: String, suggestion: String?)
  /// The steps with these ids wait for each other: each waits for the next one, and the last one for the first.
  case cycle([String])
  /// A step requires a context value that other steps provide, and waits for none of them. The values are the name of
  /// the value, the step, and the ids of those that provide it.
  case unordered(value: String, in: String, providers: [String])

  /// The error message: the mistake and its correction.
  public var description: String {
    switch self {
    case .doubledID(let id): "two steps have the id \"\(id)\": give one of them another"
    case .unknownID(let id, let step, let suggestion):
      "\"\(step)\" comes after \"\(id)\", and no step has that id"
        + (suggestion.map { ": did you mean \"\($0)\"?" } ?? "")
    case .cycle(let ids): "these steps wait for each other: \((ids + ids.prefix(1)).joined(separator: " → "))"
    case .unordered(let value, let step, let providers):
      "\"\(step)\" requires the value \"\(value)\", but does not wait for \(providers.quoted), which provides it"
    }
  }
}

extension DependencyGraph {
  /// Creates the graph of steps with the ids of their predecessors.
  ///
  /// If `after` is `nil`, the step comes after the step before it.
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
    if let cycle = cycles(atMost: 1).first { throw .cycle(cycle.map { steps[$0].id }) }
  }
}
