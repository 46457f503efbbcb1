/// Which of two ready steps goes first: the one with the longer way still before it.
enum LongestPath {
  /// The rank of each step, 0 first; `nil` for manifest order, where nothing is known of earlier launches.
  ///
  /// Steps that no earlier launch knows count as the median of those that are known. Ties go to the
  /// step that stands first in the manifest. O((steps + edges) + steps × log steps).
  static func ranks(of plan: StartupPlan, history: [String: Int64]) -> [Int32]? {
    let known = plan.steps.map { history[$0.id] }
    let durations = known.compactMap(\.self).sorted()
    guard !durations.isEmpty else { return nil }
    let median = durations[durations.count / 2]
    let remaining = remainingPaths(plan.graph, known.map { $0 ?? median })
    let order = remaining.indices.sorted { (remaining[$1], $0) < (remaining[$0], $1) }
    var ranks = [Int32](repeating: 0, count: plan.count)
    for (rank, step) in order.enumerated() { ranks[step] = Int32(rank) }
    return ranks
  }

  /// For each step, its own duration and the longest of those after it.
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
  /// An order in which every step stands behind those it comes after.
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
