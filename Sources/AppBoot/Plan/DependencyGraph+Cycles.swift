extension DependencyGraph {
  /// Returns short cycles that have no step in common. Each begins with its first step in manifest order.
  ///
  /// If several cycles have a step in common, only the shortest is returned. Its steps are left out of the next search.
  /// Takes O(steps + edges) if the graph has no cycle.
  package func shortestCycles(atMost limit: Int = 16) -> [[Int]] {
    guard !isInOrder else { return [] }
    var isLeft = [Bool](repeating: true, count: count)
    var cycles: [[Int]] = []
    while cycles.count < limit {
      let knots = knots(within: isLeft)
      if knots.isEmpty { break }
      var isInKnot = [Bool](repeating: false, count: count)
      for knot in knots.prefix(limit - cycles.count) {
        for step in knot { isInKnot[Int(step)] = true }
        let cycle = shortestCycle(in: knot, isInKnot)
        for step in knot { isInKnot[Int(step)] = false }
        for step in cycle { isLeft[step] = false }
        cycles.append(cycle)
      }
    }
    return cycles
  }

  // MARK: - Knots

  /// Returns the strongly connected components (knots) that contain a cycle. It is Tarjan's algorithm without
  /// recursion.
  private func knots(within isLeft: [Bool]) -> [[Int32]] {
    var search = ComponentSearch(count: count)
    for root in 0..<count where isLeft[root] && !search.isKnown(root) {
      search.enter(root)
      while let step = search.current {
        guard let next = nextPredecessor(of: step, &search, isLeft) else {
          search.leave(step)
          continue
        }
        search.enter(next)
      }
    }
    return search.knots.filter { $0.count > 1 || predecessors(of: Int($0[0])).contains($0[0]) }
  }

  /// Returns the next predecessor that the search has not visited; `nil` if there is none. Records the visited ones.
  private func nextPredecessor(of step: Int, _ search: inout ComponentSearch, _ isLeft: [Bool]) -> Int? {
    let predecessors = predecessors(of: step)
    while let position = search.takeEdge(of: step, among: predecessors.count) {
      let neighbour = Int(predecessors[predecessors.startIndex + position])
      guard isLeft[neighbour] else { continue }
      if !search.isKnown(neighbour) { return neighbour }
      search.see(neighbour, from: step)
    }
    return nil
  }

  // MARK: - The shortest cycle

  /// The maximum number of edges that are followed to find a shorter cycle. The first cycle is found without a limit.
  private static let searchLimit = 4_000_000

  /// Returns the shortest cycle in a strongly connected component. It runs a breadth-first search from each of its
  /// steps.
  private func shortestCycle(in knot: [Int32], _ isInKnot: [Bool]) -> [Int] {
    var search = CycleSearch(count: count)
    var best: [Int] = []
    for start in knot.sorted() {
      let limit = best.isEmpty ? Int.max : best.count - 1
      if let cycle = search.cycle(through: Int(start), atMost: limit, in: self, isInKnot) { best = cycle }
      if best.count == 1 || (!best.isEmpty && search.edgesFollowed > Self.searchLimit) { break }
    }
    let first = best.indices.min { best[$0] < best[$1] } ?? 0
    return Array(best[first...] + best[..<first])
  }
}

/// The state of Tarjan's search for strongly connected components.
private struct ComponentSearch {
  private(set) var knots: [[Int32]] = []
  /// The number of each step in the order of the first visits, from 1; 0 for a step that was not visited.
  private var order: [Int32]
  /// The lowest number of a step on the stack that each step can reach.
  private var lowest: [Int32]
  private var nextEdge: [Int32]
  private var isOnStack: [Bool]
  private var stack: [Int32] = []
  private var path: [Int32] = []
  private var time: Int32 = 0

  init(count: Int) {
    order = [Int32](repeating: 0, count: count)
    (lowest, nextEdge) = (order, order)
    isOnStack = [Bool](repeating: false, count: count)
  }

  var current: Int? { path.last.map { Int($0) } }

  func isKnown(_ step: Int) -> Bool { order[step] > 0 }

  mutating func enter(_ step: Int) {
    time += 1
    order[step] = time
    lowest[step] = time
    isOnStack[step] = true
    stack.append(Int32(step))
    path.append(Int32(step))
  }

  mutating func takeEdge(of step: Int, among count: Int) -> Int? {
    let edge = Int(nextEdge[step])
    guard edge < count else { return nil }
    nextEdge[step] += 1
    return edge
  }

  mutating func see(_ neighbour: Int, from step: Int) {
    if isOnStack[neighbour] { lowest[step] = min(lowest[step], order[neighbour]) }
  }

  mutating func leave(_ step: Int) {
    path.removeLast()
    if let parent = current { lowest[parent] = min(lowest[parent], lowest[step]) }
    guard lowest[step] == order[step] else { return }
    var knot: [Int32] = []
    while let member = stack.popLast() {
      isOnStack[Int(member)] = false
      knot.append(member)
      if member == step { break }
    }
    knots.append(knot)
  }
}

/// A sequence of breadth-first searches, which share their memory.
private struct CycleSearch {
  private(set) var edgesFollowed = 0
  /// The step from which each step was reached; -1 for a step that the current search has not reached.
  private var cameFrom: [Int32]
  private var queue: [Int32] = []

  init(count: Int) {
    cameFrom = [Int32](repeating: -1, count: count)
  }

  /// Returns the shortest cycle through a step, along `after`; `nil` if it is longer than the limit.
  mutating func cycle(
    through start: Int, atMost limit: Int, in graph: DependencyGraph, _ isAllowed: [Bool]
  ) -> [Int]? {
    queue = [Int32(start)]
    defer { for step in queue { cameFrom[Int(step)] = -1 } }
    var (position, length, endOfLevel) = (0, 1, 1)
    while position < queue.count, length <= limit {
      let step = Int(queue[position])
      for predecessor in graph.predecessors(of: step) where isAllowed[Int(predecessor)] {
        edgesFollowed += 1
        if predecessor == start { return path(from: start, to: step) }
        guard cameFrom[Int(predecessor)] < 0 else { continue }
        cameFrom[Int(predecessor)] = Int32(step)
        queue.append(predecessor)
      }
      position += 1
      if position == endOfLevel { (length, endOfLevel) = (length + 1, queue.count) }
    }
    return nil
  }

  private func path(from start: Int, to end: Int) -> [Int] {
    var path = [end]
    while let last = path.last, last != start { path.append(Int(cameFrom[last])) }
    return path.reversed()
  }
}
