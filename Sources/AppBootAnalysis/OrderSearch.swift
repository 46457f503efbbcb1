package import AppBoot

/// A search for dependencies that a plan does not declare. Each launch runs one step at a time, in another order.
///
/// The search tries orders until each two steps without a declared order have run in both orders. If one order succeeds
/// and another fails, it bisects between them, until a single swap of adjacent steps decides. It repeats those two
/// launches until an exact test excludes chance, so a launch that fails at random proves nothing.
package struct OrderSearch {
  /// A dependency that the plan does not declare: the launch fails if `second` runs before `first`.
  package struct Dependency: Sendable, Hashable {
    /// The index of the step that must run first.
    package let first: Int
    /// The index of the other step.
    package let second: Int
  }

  /// The dependencies found so far.
  package private(set) var dependencies: [Dependency] = []
  /// True if the same order failed and succeeded.
  package private(set) var isFlaky = false
  /// The flaky steps in manifest order: they failed although the launch succeeded in the same order.
  package private(set) var flakySteps: [Int] = []
  /// True if the maximum number of launches ended the search for the two steps that decide.
  package private(set) var isCut = false
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

  /// An error that reports that the search has run its maximum number of launches.
  private struct Exhausted: Error {}

  /// Runs launches until each pair of steps has run in both orders, or until a launch is flaky.
  ///
  /// - Parameters:
  ///   - most: The maximum number of launches.
  ///   - launch: A function that runs the steps in an order. It returns the failed steps, or `nil` after a success. A
  ///     launch can time out without a failed step.
  package mutating func run(most: Int, _ launch: ([Int]) throws -> [Int]?) throws {
    var left = most
    func failure(_ order: [Int]) throws -> [Int]? {
      guard left > 0 else { throw Exhausted() }
      left -= 1
      return try launch(order)
    }
    var passed: [[Int]] = []
    var lastFailed: (order: [Int], steps: [Int])?
    var (number, failures) = (0, 0)
    var untried = UntriedPairs(graph, runs)
    while !isFlaky {
      untriedCount = untried.count
      guard left > 0, let order = nextOrder(untried, number: number, fails: passed.isEmpty)
      else { return }
      untried.remove(order)
      number += 1
      if let steps = try failure(order) {
        failures += 1
        lastFailed = (order, steps)
      } else {
        passed.append(order)
      }
      guard failures > 0, let good = passed.last, let bad = lastFailed else { continue }
      do {
        guard let before = try decide(good, bad.order, bad.steps, failure) else { continue }
        passed.append(before)
      } catch is Exhausted {
        isCut = true
      }
      // The steps after a failure did not run.
      failures = 0
      untried = UntriedPairs(graph, runs)
      for order in passed { untried.remove(order) }
    }
  }

  // MARK: - The two steps that decide

  /// Finds the two steps whose order decides between two launches. Returns an order that succeeds; `nil` if chance may
  /// explain the difference.
  private mutating func decide(
    _ good: [Int], _ bad: [Int], _ steps: [Int], _ failure: ([Int]) throws -> [Int]?
  ) throws -> [Int]? {
    // The first steps of the failed order, then the others as in the good one. Both respect the graph, so this does.
    func mixed(_ count: Int) -> [Int] {
      let first = Set(bad.prefix(count))
      return Array(bad.prefix(count)) + good.filter { !first.contains($0) }
    }
    var failed = steps
    var (low, high) = (0, bad.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if let steps = try failure(mixed(middle)) { (high, failed) = (middle, steps) } else { low = middle }
    }
    var rest = mixed(low)
    let step = bad[low]
    guard var passes = rest.firstIndex(of: step), passes > low else {
      (isFlaky, flakySteps) = (true, failed.sorted())
      return nil
    }
    rest.remove(at: passes)
    func moved(_ place: Int) -> [Int] { Array(rest[..<place]) + [step] + rest[place...] }
    var fails = low
    while passes - fails > 1 {
      let middle = (passes + fails) / 2
      if let steps = try failure(moved(middle)) { (fails, failed) = (middle, steps) } else { passes = middle }
    }
    guard try isCertain(moved(passes), moved(fails), Set(failed), failure) else { return nil }
    let dependency = Dependency(first: rest[fails], second: step)
    dependencies.append(dependency)
    graph = DependencyGraph(
      predecessors: (0..<graph.count).map { step in
        graph.predecessors(of: step) + (step == dependency.second ? [dependency.first] : [])
      })
    return moved(passes)
  }

  /// The maximum probability that the launches of two orders differ by chance.
  private static let level = 0.005
  /// The minimum and the maximum number of launches in each of two orders.
  private static let tries = 4...12

  /// Repeats two orders. Returns whether the second one always fails, and the first one so seldom that chance does not
  /// explain the difference (Fisher's exact test).
  private mutating func isCertain(
    _ good: [Int], _ bad: [Int], _ steps: Set<Int>, _ failure: ([Int]) throws -> [Int]?
  ) throws -> Bool {
    var (failed, byChance): (Set<Int>, Set<Int>) = (steps, [])
    var failures = 0
    for count in 1...Self.tries.upperBound {
      guard let steps = try failure(bad) else {
        byChance.formUnion(failed)
        break
      }
      failed.formUnion(steps)
      if let steps = try failure(good) {
        failures += 1
        byChance.formUnion(steps)
      }
      let probability = (1...count).reduce(1.0) { $0 * Double(failures + $1) / Double(count + $1) }
      if count >= Self.tries.lowerBound, probability <= Self.level { return true }
    }
    isFlaky = true
    flakySteps = byChance.sorted()
    return false
  }

  // MARK: - The next order

  /// The number of orders to try if all fail.
  private static let mostFailures = 8

  /// Returns the next order to try; `nil` if no pair is left.
  ///
  /// The first order is that of the manifest, and the second one its reverse. Then each order delays one step that has
  /// untried predecessors, so it tries at least one new pair. Random orders try more pairs if many are left, and follow
  /// if all orders fail.
  ///
  /// - Parameters:
  ///   - number: The number of orders tried so far.
  ///   - fails: True if no order has succeeded so far.
  private func nextOrder(_ untried: UntriedPairs, number: Int, fails: Bool) -> [Int]? {
    if number == 0 { return order { $0 } }
    let missing = untried.missing
    let last = missing.indices.max { missing[$0] < missing[$1] }.flatMap { missing[$0] > 0 ? $0 : nil }
    guard last != nil || (fails && number < Self.mostFailures) else { return nil }
    if number == 1 { return order { -$0 } }
    guard let last, untriedCount <= 4 * graph.count || number.isMultiple(of: 2) else {
      let ranks = ShuffledOrder.ranks(count: graph.count, seed: number)
      return order { Int(ranks[$0]) }
    }
    let isLate = graph.followers(of: [last])
    let counts = untried.counts
    return order { step in (step == last || isLate[step] ? graph.count + 1 : 0) - counts[step] }
  }

  /// Returns an order of the graph. Of the steps that can be next, the one with the smallest key is next, or the last
  /// one in the manifest of those with the same key.
  private func order(by key: (_ step: Int) -> Int) -> [Int] {
    let keys = runs.indices.map(key)
    let preferred = runs.indices.sorted { (keys[$0], $1) < (keys[$1], $0) }
    let ranks = ShuffledOrder.ranks(of: preferred)
    var missing = runs.indices.map { graph.predecessors(of: $0).count }
    // The last element has the smallest rank.
    var ready = runs.indices.filter { missing[$0] == 0 }.map { ranks[$0] }.sorted(by: >)
    var order: [Int] = []
    while let rank = ready.popLast() {
      let step = preferred[Int(rank)]
      order.append(step)
      for successor in graph.successors(of: step) {
        missing[successor] -= 1
        guard missing[successor] == 0 else { continue }
        ready.insert(ranks[successor], at: ready.index(forInserting: ranks[successor], by: >))
      }
    }
    return order
  }
}

/// A bit set for each step: the steps that it could run before, but has not run before in any order.
private struct UntriedPairs {
  private var rows: [[UInt64]]

  init(_ graph: DependencyGraph, _ runs: [Bool]) {
    let none = [UInt64](repeating: 0, count: (runs.count + 63) / 64)
    let order = graph.topologicalOrder()
    var related = [[UInt64]](repeating: none, count: runs.count)
    // The steps before each step, then those after it.
    for (order, neighbours) in [(order, graph.predecessors), (order.reversed(), graph.successors)] {
      var reached = [[UInt64]](repeating: none, count: runs.count)
      for step in order {
        for neighbour in neighbours(step) {
          Self.insert(neighbour, in: &reached[step])
          for word in none.indices { reached[step][word] |= reached[neighbour][word] }
        }
        for word in none.indices { related[step][word] |= reached[step][word] }
      }
    }
    var all = none
    for step in runs.indices where runs[step] { Self.insert(step, in: &all) }
    rows = runs.indices.map { step in
      guard runs[step] else { return none }
      Self.insert(step, in: &related[step])
      return none.indices.map { all[$0] & ~related[step][$0] }
    }
  }

  private static func insert(_ step: Int, in row: inout [UInt64]) { row[step / 64] |= 1 << UInt64(step % 64) }

  /// The number of pairs that have not run in both orders.
  var count: Int { counts.reduce(0, +) }

  /// For each step, the number of steps that it could run before, but has not.
  var counts: [Int] { rows.map { $0.reduce(0) { $0 + $1.nonzeroBitCount } } }

  /// For each step, the number of steps that could run before it, but have not.
  var missing: [Int] {
    var missing = [Int](repeating: 0, count: rows.count)
    for row in rows {
      for (word, bits) in row.enumerated() {
        var bits = bits
        while bits != 0 {
          missing[64 * word + bits.trailingZeroBitCount] += 1
          bits &= bits - 1
        }
      }
    }
    return missing
  }

  /// Removes the pairs of an order.
  mutating func remove(_ order: [Int]) {
    var later = [UInt64](repeating: 0, count: (rows.count + 63) / 64)
    for step in order.reversed() {
      for word in later.indices { rows[step][word] &= ~later[word] }
      Self.insert(step, in: &later)
    }
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
