import AppBoot
import AppBootTestSupport
import Testing

@testable import AppBootAnalysis

@Suite("A search for undeclared dependencies", .ownThread)
struct OrderSearchTests {
  private typealias Dependency = OrderSearch.Dependency

  /// Returns a random graph with at most two predecessors for each step.
  private func graph(_ count: Int, _ generator: inout SeededGenerator) -> DependencyGraph {
    DependencyGraph(
      predecessors: (0..<count).map { step in
        Array(
          Set(
            (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
              (0..<step).randomElement(using: &generator)
            })
        ).sorted()
      })
  }

  /// Returns a search whose launches fail if they break a hidden dependency, and the number of launches.
  private func search(
    _ graph: DependencyGraph, hidden: [Dependency], runs: [Bool]? = nil, most: Int = 40
  ) throws -> (search: OrderSearch, launches: Int) {
    var search = OrderSearch(graph, runs: runs ?? [Bool](repeating: true, count: graph.count))
    var launches = 0
    try search.run(most: most) { order in
      launches += 1
      let ranks = ShuffledOrder.ranks(of: order)
      #expect(order.sorted() == Array(0..<graph.count))
      for step in order {
        #expect(graph.predecessors(of: step).allSatisfy { ranks[$0] < ranks[step] })
      }
      let failed = hidden.filter { ranks[$0.first] > ranks[$0.second] }.map(\.second)
      return failed.isEmpty ? nil : failed
    }
    return (search, launches)
  }

  /// Returns a random dependency between two steps without a declared order.
  private func dependency(
    _ graph: DependencyGraph, _ generator: inout SeededGenerator
  ) -> Dependency? {
    var pairs: [Dependency] = []
    for first in 0..<graph.count {
      let followers = graph.followers(of: [first])
      for second in 0..<graph.count where second != first && !followers[second] {
        if !graph.followers(of: [second])[first] { pairs.append(Dependency(first: first, second: second)) }
      }
    }
    return pairs.randomElement(using: &generator)
  }

  @Test("A search finds each of 100 dependencies in plans of 20 steps within 40 launches, and no other one")
  func planted() throws {
    var generator = SeededGenerator(seed: 20)
    for _ in 0..<100 {
      let graph = graph(20, &generator)
      let hidden = try #require(dependency(graph, &generator))
      let (search, launches) = try search(graph, hidden: [hidden])
      #expect(search.dependencies == [hidden] && search.untriedCount == 0 && !search.isFlaky)
      #expect(launches <= 40)
    }
  }

  @Test("A search without hidden dependencies finds none and tries both orders of each pair")
  func none() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<100 {
      let (search, launches) = try search(graph(20, &generator), hidden: [])
      #expect(search.dependencies.isEmpty && search.untriedCount == 0)
      #expect(launches <= 20)
    }
  }

  @Test("A search finds several dependencies, also if the order of the manifest fails")
  func several() throws {
    let graph = DependencyGraph(predecessors: [[Int]](repeating: [], count: 6))
    let hidden = [Dependency(first: 4, second: 1), Dependency(first: 0, second: 3)]
    let (search, _) = try search(graph, hidden: hidden)
    #expect(Set(search.dependencies) == Set(hidden) && search.untriedCount == 0)
  }

  @Test("A search tries steps in both orders only if both run")
  func skipped() throws {
    let graph = DependencyGraph(predecessors: [[Int]](repeating: [], count: 3))
    let (search, launches) = try search(graph, hidden: [], runs: [true, false, false])
    #expect(launches == 1 && search.untriedCount == 0)
  }

  @Test("A search names a step that fails at random as flaky, and names no dependency", arguments: [2, 3])
  func flaky(part: Int) throws {
    var (named, invented) = (0, 0)
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let graph = graph(12, &random)
      var search = OrderSearch(graph, runs: [Bool](repeating: true, count: graph.count))
      try search.run(most: 60) { _ in Int.random(in: 0..<part, using: &random) == 0 ? [7] : nil }
      invented += search.dependencies.count
      if search.isFlaky {
        named += 1
        #expect(search.flakySteps == [7], "seed \(seed)")
      }
    }
    #expect(invented <= 1)
    #expect(named > 85)
  }

  @Test("A search in 1,600 steps finds a dependency in at most 60 launches")
  func many() throws {
    var random = SeededGenerator(seed: 5)
    let graph = graph(1600, &random)
    let hidden = Dependency(first: 1100, second: 300)
    try #require(!graph.followers(of: [300])[1100])
    let (search, launches) = try search(graph, hidden: [hidden], most: 60)
    #expect(search.dependencies == [hidden] && launches <= 60)
  }

  @Test("The maximum number of launches ends a search between two orders")
  func limit() throws {
    let graph = DependencyGraph(predecessors: [[Int]](repeating: [], count: 20))
    for most in 1...12 {
      let (search, launches) = try search(graph, hidden: [Dependency(first: 3, second: 17)], most: most)
      #expect(launches <= most && search.dependencies.isEmpty)
      #expect(search.isCut == (most > 1))
    }
  }

  @Test("A launch that fails in eight orders ends the search without a dependency")
  func failing() throws {
    let graph = DependencyGraph(predecessors: [[Int]](repeating: [], count: 4))
    var search = OrderSearch(graph, runs: [Bool](repeating: true, count: 4))
    var launches = 0
    try search.run(most: 40) { _ in
      launches += 1
      return []
    }
    #expect(launches == 8 && search.dependencies.isEmpty)
  }
}
