/// The order of a plan's steps: the predecessors and the successors of each step.
package struct DependencyGraph: Sendable {
  private let before: [[Int]]
  private let after: [[Int]]

  /// Creates a graph from the predecessors of each step. A predecessor is a step that must end before the step starts.
  package init(predecessors: some Sequence<[Int]>) {
    before = Array(predecessors)
    var after = before.map { _ in [Int]() }
    for (step, list) in before.enumerated() {
      for source in list { after[source].append(step) }
    }
    self.after = after
  }

  /// Creates a sequence, in which each step comes after the step before it.
  package init(sequenceOf count: Int) {
    self.init(predecessors: (0..<count).map { $0 == 0 ? [] : [$0 - 1] })
  }

  /// The number of steps.
  package var count: Int { before.count }

  /// Returns the predecessors of a step: the steps that must end before it starts.
  package func predecessors(of step: Int) -> [Int] { before[step] }

  /// Returns the successors of a step in ascending order: the steps of which it is a predecessor.
  package func successors(of step: Int) -> [Int] { after[step] }

  /// Returns the number of predecessors of each step.
  func inDegrees() -> [Int] { before.map { $0.count } }
}

extension DependencyGraph {
  /// Returns the steps in an order in which each step comes after its predecessors. Steps that come after a cycle are
  /// left out.
  package func topologicalOrder() -> [Int] { order(of: [Bool](repeating: true, count: count)) }

  private func order(of isIncluded: [Bool]) -> [Int] {
    var degrees = (0..<count).map { step in predecessors(of: step).count { isIncluded[$0] } }
    var order = (0..<count).filter { isIncluded[$0] && degrees[$0] == 0 }
    var position = 0
    while position < order.count {
      for successor in successors(of: order[position]) where isIncluded[successor] {
        degrees[successor] -= 1
        if degrees[successor] == 0 { order.append(successor) }
      }
      position += 1
    }
    return order
  }

  /// Returns a flag for each step: true if the step comes after at least one of the given steps.
  package func followers(of steps: [Int]) -> [Bool] { reached(from: steps, by: successors) }

  /// Returns a flag for each step: true if it must end, directly or indirectly, before one of the given steps starts.
  /// Takes O(steps + edges).
  func ancestors(of steps: [Int]) -> [Bool] { reached(from: steps, by: predecessors) }

  private func reached(from steps: [Int], by next: (Int) -> [Int]) -> [Bool] {
    var isKnown = [Bool](repeating: false, count: count)
    var pending = steps
    while let step = pending.popLast() {
      for other in next(step) where !isKnown[other] {
        isKnown[other] = true
        pending.append(other)
      }
    }
    return isKnown
  }

  // MARK: - Cycles

  /// Returns cycles that have no step in common. Each begins with its first step in manifest order.
  ///
  /// Each is the shortest cycle through one of its steps, among the steps of no earlier cycle. Takes O(steps + edges)
  /// for each cycle.
  package func cycles(atMost limit: Int = 16) -> [[Int]] {
    var isLeft = [Bool](repeating: true, count: count)
    var cycles: [[Int]] = []
    while cycles.count < limit, let step = stepInCycle(&isLeft) {
      let cycle = shortestCycle(through: step, isLeft)
      for step in cycle { isLeft[step] = false }
      let first = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
      cycles.append(Array(cycle[first...] + cycle[..<first]))
    }
    return cycles
  }

  /// Returns a step of a cycle among the steps that are left; `nil` if there is none. Leaves out the steps that come
  /// after no cycle.
  private func stepInCycle(_ isLeft: inout [Bool]) -> Int? {
    for step in order(of: isLeft) { isLeft[step] = false }
    guard var step = isLeft.firstIndex(of: true) else { return nil }
    var visited: Set<Int> = []
    // Each step that is left has a predecessor that is left, so the way back ends in a cycle.
    while visited.insert(step).inserted, let before = predecessors(of: step).first(where: { isLeft[$0] }) {
      step = before
    }
    return step
  }

  /// Returns the shortest cycle through a step, along `after`. It is a breadth-first search.
  private func shortestCycle(through start: Int, _ isLeft: [Bool]) -> [Int] {
    var cameFrom = [Int](repeating: -1, count: count)
    var queue = [start]
    var position = 0
    while position < queue.count {
      let step = queue[position]
      position += 1
      for predecessor in predecessors(of: step) where isLeft[predecessor] {
        if predecessor == start {
          var path = [step]
          while let last = path.last, last != start { path.append(cameFrom[last]) }
          return path.reversed()
        }
        guard cameFrom[predecessor] < 0 else { continue }
        cameFrom[predecessor] = step
        queue.append(predecessor)
      }
    }
    return [start]
  }
}

/// The rule for the start order: of two ready steps, the one with the longest remaining path starts first.
package enum LongestPath {
  /// Returns the rank of each step; the step with rank 0 is first. `nil` means manifest order.
  ///
  /// The result is `nil` if no step has a recorded duration. Of steps with equal paths, the first one in manifest order
  /// is first. Takes O((steps + edges) + steps × log steps).
  package static func ranks(of outline: LaunchOutline, history: [String: Int64]) -> [Int32]? {
    guard let durations = durations(of: outline, history: history) else { return nil }
    let remaining = remainingPaths(outline.graph, durations)
    let order = remaining.indices.sorted { (remaining[$1], $0) < (remaining[$0], $1) }
    var ranks = [Int32](repeating: 0, count: outline.count)
    for (rank, step) in order.enumerated() { ranks[step] = Int32(rank) }
    return ranks
  }

  /// Returns the duration of each step in nanoseconds; `nil` if no step has a recorded duration.
  ///
  /// A step without a recorded duration gets the median of the others.
  package static func durations(of outline: LaunchOutline, history: [String: Int64]) -> [Int64]? {
    guard !history.isEmpty else { return nil }
    let known = outline.steps.map { history[$0.id] }
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
