/// The rule for what starts first: of two ready steps, the one with the longest remaining path.
enum LongestPath {
  /// Returns the rank of each step, 0 first; `nil` for manifest order, if no step has a recorded duration.
  ///
  /// Ties go to the step that comes first in the manifest. O((steps + edges) + steps × log steps).
  static func ranks(of plan: StartupPlan, history: [String: Int64]) -> [Int32]? {
    guard let durations = durations(of: plan, history: history) else { return nil }
    let remaining = remainingPaths(plan.graph, durations)
    let order = remaining.indices.sorted { (remaining[$1], $0) < (remaining[$0], $1) }
    var ranks = [Int32](repeating: 0, count: plan.count)
    for (rank, step) in order.enumerated() { ranks[step] = Int32(rank) }
    return ranks
  }

  /// Returns the duration of each step in nanoseconds; `nil` if no step has a recorded duration.
  ///
  /// A step without a recorded duration counts as the median of the others.
  static func durations(of plan: StartupPlan, history: [String: Int64]) -> [Int64]? {
    guard !history.isEmpty else { return nil }
    let known = plan.outline.steps.map { history[$0.id] }
    let durations = known.compactMap(\.self).sorted()
    guard !durations.isEmpty else { return nil }
    let median = durations[durations.count / 2]
    return known.map { $0 ?? median }
  }

  /// Returns the length of each step's remaining path: its own duration plus the longest path of the steps after it.
  static func remainingPaths(_ graph: DependencyGraph, _ durations: [Int64]) -> [Int64] {
    var remaining = durations
    for step in graph.topologicalOrder().reversed() {
      let longest = graph.successors(of: step).lazy.map { remaining[Int($0)] }.max() ?? 0
      remaining[step] = durations[step] &+ longest
    }
    return remaining
  }
}

extension DependencyGraph {
  /// Returns the steps sorted so that each follows its predecessors.
  func topologicalOrder() -> [Int] {
    var degrees = inDegrees()
    var order = (0..<count).filter { degrees[$0] == 0 }
    var position = 0
    while position < order.count {
      for successor in successors(of: order[position]).lazy.map({ Int($0) }) {
        degrees[successor] -= 1
        if degrees[successor] == 0 { order.append(successor) }
      }
      position += 1
    }
    return order
  }
}
