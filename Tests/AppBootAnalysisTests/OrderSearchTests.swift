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
    _ graph: DependencyGraph, hidden: [Dependency], runs: [Bool]? = nil
  ) throws -> (search: OrderSearch, launches: Int) {
    var search = OrderSearch(graph, runs: runs ?? [Bool](repeating: true, count: graph.count))
    var launches = 0
    try search.run(most: 40) { order in
      launches += 1
      let ranks = ShuffledOrder.ranks(of: order)
      #expect(order.sorted() == Array(0..<graph.count))
      for step in order {
        #expect(graph.predecessors(of: step).allSatisfy { ranks[$0] < ranks[step] })
      }
      return hidden.allSatisfy { ranks[$0.first] < ranks[$0.second] }
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

  @Test("A launch that fails at random does not name a dependency")
  func flaky() throws {
    let graph = DependencyGraph(predecessors: [[Int]](repeating: [], count: 4))
    var search = OrderSearch(graph, runs: [Bool](repeating: true, count: 4))
    var launches = 0
    try search.run(most: 40) { _ in
      launches += 1
      return launches != 2
    }
    #expect(search.isFlaky && search.dependencies.isEmpty)
  }

  @Test("A launch that fails in eight orders ends the search without a dependency")
  func failing() throws {
    let graph = DependencyGraph(predecessors: [[Int]](repeating: [], count: 4))
    var search = OrderSearch(graph, runs: [Bool](repeating: true, count: 4))
    var launches = 0
    try search.run(most: 40) { _ in
      launches += 1
      return false
    }
    #expect(launches == 8 && search.dependencies.isEmpty)
  }
}
