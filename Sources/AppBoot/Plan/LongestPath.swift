/// The rule for the start order: of two ready steps, the one with the longest remaining path starts first.
package enum LongestPath {
  /// Returns the rank of each step; the step with rank 0 is first. `nil` means manifest order.
  ///
  /// The result is `nil` if no step has a recorded duration. Of steps with equal paths, the first one in manifest order
  /// is first. Takes O((steps + edges) + steps × log steps).
  package static func ranks(of plan: StartupPlan, history: [String: Int64]) -> [Int32]? {
    guard let durations = durations(of: plan, history: history) else { return nil }
    let remaining = remainingPaths(plan.graph, durations)
    let order = remaining.indices.sorted { (remaining[$1], $0) < (remaining[$0], $1) }
    var ranks = [Int32](repeating: 0, count: plan.count)
    for (rank, step) in order.enumerated() { ranks[step] = Int32(rank) }
    return ranks
  }

  /// Returns the duration of each step in nanoseconds; `nil` if no step has a recorded duration.
  ///
  /// A step without a recorded duration gets the median of the others.
  package static func durations(of plan: StartupPlan, history: [String: Int64]) -> [Int64]? {
    guard !history.isEmpty else { return nil }
    let known = plan.outline.steps.map { history[$0.id] }
    let durations = known.compactMap(\.self).sorted()
    guard !durations.isEmpty else { return nil }
    let median = durations[durations.count / 2]
    return known.map { $0 ?? median }
  }

  /// Returns the length of each step's remaining path: its duration and the longest path of the steps that come after
  /// it.
  package static func remainingPaths(_ graph: DependencyGraph, _ durations: [Int64]) -> [Int64] {
    var remaining = durations
    for step in graph.topologicalOrder().reversed() {
      let longest = graph.successors(of: step).lazy.map { remaining[$0] }.max() ?? 0
      remaining[step] = durations[step] &+ longest
    }
    return remaining
  }
}
