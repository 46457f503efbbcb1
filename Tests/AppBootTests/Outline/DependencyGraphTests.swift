import AppBootAnalysis
import AppBootTestSupport
@testable import AppBoot
import Testing

@Suite("The dependency graph")
struct DependencyGraphTests {
  private func graph(_ after: [[Int]]) -> DependencyGraph { DependencyGraph(predecessors: after) }

  @Test("A list of steps that each come after the one above is a sequence, in every spelling")
  func sequence() {
    #expect(DependencyGraph(sequenceOf: 3).isPureSequence)
    #expect(graph([]).isPureSequence)
    #expect(graph([[]]).isPureSequence)
    #expect(graph([[], [0], [1]]).isPureSequence)
    #expect(!graph([[], [0], [0]]).isPureSequence)
    #expect(!graph([[], []]).isPureSequence)
    #expect(!graph([[], [0], [1, 0]]).isPureSequence)
    #expect(!graph([[0]]).isPureSequence)
    #expect(!graph([[1], []]).isPureSequence)
  }

  @Test("A sequence has the same neighbors as the same graph in full")
  func neighbours() {
    let sequence = DependencyGraph(sequenceOf: 4)
    #expect((0..<4).map { Array(sequence.predecessors(of: $0)) } == [[], [0], [1], [2]])
    #expect((0..<4).map { Array(sequence.successors(of: $0)) } == [[1], [2], [3], []])
    #expect(sequence.inDegrees() == [0, 1, 1, 1])
    #expect(sequence.topologicalOrder() == [0, 1, 2, 3])
    let other = graph([[], [0], [], [2, 0, 1]])
    #expect((0..<4).map { Array(other.predecessors(of: $0)) } == [[], [0], [], [2, 0, 1]])
    #expect((0..<4).map { Array(other.successors(of: $0)) } == [[1, 3], [3], [3], []])
    #expect(other.inDegrees() == [0, 1, 0, 3])
    #expect(other.topologicalOrder() == [0, 2, 1, 3])
  }

  @Test("A graph without a cycle reports no cycle")
  func acyclic() {
    #expect(DependencyGraph(sequenceOf: 5).cycles().isEmpty)
    #expect(graph([[], [0], [0], [1, 2]]).cycles().isEmpty)
    #expect(graph([[1, 2, 3], [2, 3], [3], []]).cycles().isEmpty)
  }

  @Test("A cycle begins with its first step, and no two cycles share a step")
  func cycles() {
    #expect(graph([[0]]).cycles() == [[0]])
    #expect(graph([[], [2], [1]]).cycles() == [[1, 2]])
    #expect(graph([[2], [0], [1]]).cycles() == [[0, 2, 1]])
    #expect(graph([[1], [0, 2], [1], [4], [3]]).cycles() == [[0, 1], [3, 4]])
    #expect(graph([[1], [0], [3], [2]]).cycles(atMost: 1) == [[0, 1]])
  }

  @Test("After a cycle, the rest of the steps that wait for each other is searched again")
  func knot() {
    // 0 ⇄ 1 is the shortest cycle through 0; 2 → 3 → 4 → 2 is connected to it both ways.
    #expect(
      graph([[1, 2], [0], [3], [4], [2, 1]]).cycles().map { $0.sorted() } == [[0, 1], [2, 3, 4]])
  }

  private static let count = 10_000

  @Test("A ring of 10,000 is one cycle")
  func ring() {
    let last = Self.count - 1
    let ring = graph((0...last).map { [$0 == 0 ? last : $0 - 1] })
    let cycles = ring.cycles()
    #expect(cycles.count == 1)
    #expect(cycles.first?.count == Self.count)
    #expect(cycles.first?.prefix(2) == [0, last])
  }

  @Test("10,000 steps between two cycles need no search of their own")
  func betweenCycles() {
    let last = Self.count - 1
    var after: [[Int]] = (0...last).map { $0 == 0 ? [1] : [$0 - 1] }
    after[1] = [0]
    after[last - 1] += [last]
    #expect(graph(after).cycles() == [[0, 1], [last - 1, last]])
  }

  /// A knot with many ways round, so that its cycles share steps.
  private func knot(of count: Int) -> DependencyGraph {
    graph((0..<count).map { [($0 + 1) % count, ($0 + 7) % count, ($0 &* 31 + 5) % count] })
  }

  @Test("A knot with many cycles reports sixteen of them, and no two share a step")
  func manyCycles() {
    let cycles = knot(of: 1_000).cycles()
    #expect(cycles.count == 16)
    #expect(Set(cycles.flatMap { $0 }).count == cycles.reduce(0) { $0 + $1.count })
  }

  @Test("The search for short cycles ends in a knot of 10,000 steps, and in the rest of it")
  func bigKnot() {
    let cycles = knot(of: Self.count).cycles(atMost: 2)
    #expect(cycles.count == 2)
    #expect(Set(cycles.flatMap { $0 }).count == cycles.reduce(0) { $0 + $1.count })
  }

  @Test("A graph of 10,000 without a cycle has an order")
  func order() {
    let count = Self.count
    let graph = graph((0..<count).map { $0 < 2 ? [] : [$0 / 2, $0 - 1] })
    #expect(graph.cycles().isEmpty)
    #expect(graph.topologicalOrder().count == Self.count)
  }
}

@Suite("The longest path")
struct LongestPathTests {
  private func plan(_ after: [(String, [String]?)]) throws -> LaunchPlan {
    try LaunchPlan(steps: after.map { (step: LaunchStep(Plain(), id: $0.0), after: $0.1) })
  }

  @Test("Without recorded durations there are no ranks")
  func nothing() throws {
    #expect(LongestPath.ranks(of: try plan([("a", nil), ("b", nil)]).outline, history: [:]) == nil)
    #expect(LongestPath.ranks(of: try plan([("a", nil)]).outline, history: ["z": 1]) == nil)
  }

  @Test("The step with the longest remaining path comes first; a tie goes to the first in the manifest")
  func ranks() throws {
    let plan = try plan([("a", []), ("b", []), ("c", ["b"]), ("d", []), ("e", [])])
    let history: [String: Int64] = ["a": 5, "b": 1, "c": 9, "d": 5, "e": 100]
    #expect(LongestPath.ranks(of: plan.outline, history: history) == [3, 1, 2, 4, 0])
  }

  @Test("A step without a recorded duration counts as the median")
  func median() throws {
    let plan = try plan([("a", []), ("new", []), ("c", []), ("d", [])])
    #expect(LongestPath.ranks(of: plan.outline, history: ["a": 1, "c": 10, "d": 100]) == [3, 1, 2, 0])
  }
}
