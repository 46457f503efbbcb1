extension DependencyGraph {
  /// Returns cycles that have no step in common. Each begins with its first step in manifest order.
  ///
  /// Each is the shortest cycle through one of its steps, among the steps of no earlier cycle. Takes O(steps + edges)
  /// for each cycle.
  package func cycles(atMost limit: Int = 16) -> [[Int]] {
    guard !isInOrder else { return [] }
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

  /// Returns a step of a cycle; `nil` if there is no cycle. It is a depth-first search without recursion.
  ///
  /// - Parameter isLeft: False for the steps to leave out. The search adds steps that are in no cycle.
  private func stepInCycle(_ isLeft: inout [Bool]) -> Int? {
    var isOnPath = [Bool](repeating: false, count: count)
    for root in 0..<count where isLeft[root] {
      var path = [(step: root, nextEdge: 0)]
      isOnPath[root] = true
      while let (step, edge) = path.last {
        let predecessors = predecessors(of: step)
        guard edge < predecessors.count else {
          path.removeLast()
          (isOnPath[step], isLeft[step]) = (false, false)
          continue
        }
        path[path.count - 1].nextEdge += 1
        let next = Int(predecessors[predecessors.startIndex + edge])
        if isOnPath[next] { return next }
        guard isLeft[next] else { continue }
        isOnPath[next] = true
        path.append((next, 0))
      }
    }
    return nil
  }

  /// Returns the shortest cycle through a step, along `after`. It is a breadth-first search.
  private func shortestCycle(through start: Int, _ isLeft: [Bool]) -> [Int] {
    var cameFrom = [Int](repeating: -1, count: count)
    var queue = [start]
    var position = 0
    while position < queue.count {
      let step = queue[position]
      position += 1
      for predecessor in predecessors(of: step).map({ Int($0) }) where isLeft[predecessor] {
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
