package import AppBoot

/// A search for dependencies that a plan does not declare. Each launch runs one step at a time, in another order.
///
/// The search tries orders until each two steps without a declared order have run in both orders. If one order succeeds
/// and another fails, it bisects the swaps of adjacent steps between them, until a single swap decides. It repeats
/// those two launches, so a launch that fails at random proves nothing.
package struct OrderSearch {
  /// A dependency that the plan does not declare: the launch fails if `second` runs before `first`.
  package struct Dependency: Sendable, Hashable {
    /// The index of the step that must run first.
    package let first: Int
    /// The index of the other step.
    package let second: Int

    /// Creates a dependency.
    package init(first: Int, second: Int) {
      (self.first, self.second) = (first, second)
    }
  }

  /// The dependencies found so far.
  package private(set) var dependencies: [Dependency] = []
  /// True if the same order failed once and succeeded once.
  package private(set) var isFlaky = false
  /// The number of pairs of steps that had not run in both orders when the search ended.
  package private(set) var untriedCount = 0
  /// The declared graph with the found dependencies.
  private var graph: DependencyGraph
  /// A flag for each step: true if it runs.
  private let runs: [Bool]

  /// Creates a search.
  ///
  /// - Parameter runs: A flag for each step: false if the plan skips it.
  package init(_ graph: DependencyGraph, runs: [Bool]) {
    (self.graph, self.runs) = (graph, runs)
  }

  /// Runs launches until each pair of steps has run in both orders, or until a launch is flaky.
  ///
  /// - Parameters:
  ///   - most: The number of launches after which no further order is tried.
  ///   - launch: A function that runs the steps in an order, and returns whether the launch succeeded.
  package mutating func run(most: Int, _ launch: ([Int]) throws -> Bool) throws {
    var (launches, passed, failed) = (0, [[Int]](), [[Int]]())
    func succeeds(_ order: [Int]) throws -> Bool {
      launches += 1
      return try launch(order)
    }
    while true {
      let untried = untriedPairs(in: passed + failed)
      untriedCount = untried.reduce(0) { $0 + $1.count }
      guard launches < most, let order = nextOrder(untried, failures: passed.isEmpty ? failed.count : nil)
      else { return }
      if try succeeds(order) { passed.append(order) } else { failed.append(order) }
      guard let good = passed.last, let bad = failed.last else { continue }
      let swaps = Self.swaps(from: good, to: bad)
      var (low, high) = (0, swaps.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if try succeeds(Self.order(good, swaps[..<middle])) { low = middle } else { high = middle }
      }
      let before = Self.order(good, swaps[..<low])
      guard try !succeeds(Self.order(good, swaps[..<high])), try succeeds(before) else {
        isFlaky = true
        return
      }
      add(Dependency(first: before[swaps[low]], second: before[swaps[low] + 1]))
      passed.append(before)
      // The steps after a failure did not run.
      failed = []
    }
  }

  private mutating func add(_ dependency: Dependency) {
    dependencies.append(dependency)
    graph = DependencyGraph(
      predecessors: (0..<graph.count).map { step in
        graph.predecessors(of: step) + (step == dependency.second ? [dependency.first] : [])
      })
  }

  /// Returns, for each step, the steps that it could run before, but did not in any of the orders.
  private func untriedPairs(in orders: [[Int]]) -> [Set<Int>] {
    let steps = runs.indices.filter { runs[$0] }
    var untried = runs.map { $0 ? Set(steps) : [] }
    for step in steps {
      untried[step].remove(step)
      for (later, comesLater) in graph.followers(of: [step]).enumerated() where comesLater {
        untried[step].remove(later)
        untried[later].remove(step)
      }
    }
    for order in orders {
      for (place, step) in order.enumerated() { untried[step].subtract(order[(place + 1)...]) }
    }
    return untried
  }

  /// The number of orders to try if all fail.
  private static let mostFailures = 8

  /// Returns the next order to try; `nil` if no pair is left. The first order is that of the manifest.
  ///
  /// Each order delays one step that has untried predecessors, so it tries at least one new pair. If all orders fail,
  /// random orders follow.
  ///
  /// - Parameter failures: The number of orders that failed; `nil` if one succeeded.
  private func nextOrder(_ untried: [Set<Int>], failures: Int?) -> [Int]? {
    if failures == 0 { return order { step, _ in [-step] } }
    let missing = untried.indices.map { step in untried.count { $0.contains(step) } }
    if let last = missing.indices.max(by: { missing[$0] < missing[$1] }), missing[last] > 0 {
      let isLate = graph.followers(of: [last])
      return order { step, rest in
        [step == last || isLate[step] ? 0 : 1, untried[step].intersection(rest).count, step]
      }
    }
    guard let failures, (2..<Self.mostFailures).contains(failures) else { return nil }
    let ranks = ShuffledOrder.ranks(count: graph.count, seed: failures)
    return order { step, _ in [Int(ranks[step])] }
  }

  /// Returns an order of the graph. Of the steps that can be next, the one with the highest priority is next.
  private func order(by priority: (_ step: Int, _ rest: Set<Int>) -> [Int]) -> [Int] {
    var rest = Set(runs.indices)
    var order: [Int] = []
    while let next = rest.filter({ graph.predecessors(of: $0).allSatisfy { !rest.contains($0) } })
      .max(by: { priority($0, rest).lexicographicallyPrecedes(priority($1, rest)) })
    {
      rest.remove(next)
      order.append(next)
    }
    return order
  }

  /// Returns the swaps of adjacent steps that turn one order into another, each as the place of its first step.
  ///
  /// Each pair is in the order of one of the two, so every order in between respects the graph too.
  private static func swaps(from start: [Int], to end: [Int]) -> [Int] {
    let ranks = ShuffledOrder.ranks(of: end)
    var order = start
    var swaps: [Int] = []
    for place in order.indices {
      var index = place
      while index > 0, ranks[order[index]] < ranks[order[index - 1]] {
        order.swapAt(index, index - 1)
        index -= 1
        swaps.append(index)
      }
    }
    return swaps
  }

  private static func order(_ start: [Int], _ swaps: ArraySlice<Int>) -> [Int] {
    swaps.reduce(into: start) { $0.swapAt($1, $1 + 1) }
  }
}

/// A start order in place of the longest path, to find dependencies that the plan does not declare.
package enum ShuffledOrder {
  /// Returns the random rank of each step. The same seed gives the same ranks.
  ///
  /// Source: SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
  package static func ranks(count: Int, seed: Int) -> [Int32] {
    let keys = (0..<count).map { step -> UInt64 in
      var key = (UInt64(seed) &* 1_000_003 &+ UInt64(step)) &* 0x9E37_79B9_7F4A_7C15
      key = (key ^ (key >> 30)) &* 0xBF58_476D_1CE4_E5B9
      key = (key ^ (key >> 27)) &* 0x94D0_49BB_1331_11EB
      return key ^ (key >> 31)
    }
    return ranks(of: keys.indices.sorted { keys[$0] < keys[$1] })
  }

  /// Returns the rank of each step in an order of all steps.
  package static func ranks(of order: [Int]) -> [Int32] {
    var ranks = [Int32](repeating: 0, count: order.count)
    for (rank, step) in order.enumerated() { ranks[step] = Int32(rank) }
    return ranks
  }
}
