@testable import AppBoot
import Testing

@Suite("The dependency graph")
struct DependencyGraphTests {
  /// The graph in which each step comes after the listed ones.
  private func graph(_ after: [[Int32]]) -> DependencyGraph {
    var offsets: [Int32] = [0]
    for list in after { offsets.append((offsets.last ?? 0) + Int32(list.count)) }
    return DependencyGraph(offsets: offsets, edges: after.flatMap { $0 })
  }

  @Test("A list in which each comes after the one above is a sequence, however it is written")
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

  @Test("A sequence answers as the same graph in full does")
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

  @Test("No cycle is found where there is none")
  func acyclic() {
    #expect(DependencyGraph(sequenceOf: 5).shortestCycles().isEmpty)
    #expect(graph([[], [0], [0], [1, 2]]).shortestCycles().isEmpty)
    #expect(graph([[1, 2, 3], [2, 3], [3], []]).shortestCycles().isEmpty)
  }

  @Test("Cycles begin with their first step, and no two share one")
  func cycles() {
    #expect(graph([[0]]).shortestCycles() == [[0]])
    #expect(graph([[], [2], [1]]).shortestCycles() == [[1, 2]])
    #expect(graph([[2], [0], [1]]).shortestCycles() == [[0, 2, 1]])
    #expect(graph([[1], [0, 2], [1], [4], [3]]).shortestCycles() == [[0, 1], [3, 4]])
    #expect(graph([[1], [0], [3], [2]]).shortestCycles(atMost: 1) == [[0, 1]])
  }

  @Test("What is left of a knot after its shortest cycle is searched again")
  func knot() {
    // 0 ⇄ 1 is the shortest; 2 → 3 → 4 → 2 hangs on it both ways.
    #expect(
      graph([[1, 2], [0], [3], [4], [2, 1]]).shortestCycles().map { $0.sorted() } == [[0, 1], [2, 3, 4]])
  }

  private static let count = 100_000

  @Test("A ring of 100,000 is one cycle")
  func ring() {
    let last = Int32(Self.count - 1)
    let ring = graph((0...last).map { [$0 == 0 ? last : $0 - 1] })
    let cycles = ring.shortestCycles()
    #expect(cycles.count == 1)
    #expect(cycles.first?.count == Self.count)
    #expect(cycles.first?.prefix(2) == [0, Int(last)])
  }

  @Test("100,000 steps between two cycles cost no search each")
  func betweenCycles() {
    let last = Int32(Self.count - 1)
    var after: [[Int32]] = (0...last).map { $0 == 0 ? [1] : [$0 - 1] }
    after[1] = [0]
    after[Int(last) - 1] += [last]
    #expect(graph(after).shortestCycles() == [[0, 1], [Int(last) - 1, Int(last)]])
  }

  @Test("A knot of 100,000 steps with many ways round is searched to an end")
  func bigKnot() {
    let count = Int32(Self.count)
    let knot = graph((0..<count).map { [($0 + 1) % count, ($0 + 7) % count, ($0 &* 31 + 5) % count] })
    let cycles = knot.shortestCycles()
    #expect(cycles.count == 16)
    #expect(Set(cycles.flatMap { $0 }).count == cycles.reduce(0) { $0 + $1.count })
  }

  @Test("A graph of 100,000 without a cycle has an order")
  func order() {
    let count = Int32(Self.count)
    let graph = graph((0..<count).map { $0 < 2 ? [] : [$0 / 2, $0 - 1] })
    #expect(graph.shortestCycles().isEmpty)
    #expect(graph.topologicalOrder().count == Self.count)
  }
}

@Suite("The longest path")
struct LongestPathTests {
  private func plan(_ after: [(String, [String]?)]) throws -> StartupPlan {
    try StartupPlan(steps: after.map { (step: StartupStep(Plain(), id: $0.0), after: $0.1) })
  }

  @Test("Without history there is nothing to rank by")
  func nothing() throws {
    #expect(LongestPath.ranks(of: try plan([("a", nil), ("b", nil)]), history: [:]) == nil)
    #expect(LongestPath.ranks(of: try plan([("a", nil)]), history: ["z": 1]) == nil)
  }

  @Test("The step with the longer way before it comes first, the first in the manifest on a tie")
  func ranks() throws {
    let plan = try plan([("a", []), ("b", []), ("c", ["b"]), ("d", []), ("e", [])])
    #expect(
      LongestPath.ranks(of: plan, history: ["a": 5, "b": 1, "c": 9, "d": 5, "e": 100]) == [3, 1, 2, 4, 0])
  }

  @Test("A step that no earlier launch knows counts as the median")
  func median() throws {
    let plan = try plan([("a", []), ("new", []), ("c", []), ("d", [])])
    #expect(LongestPath.ranks(of: plan, history: ["a": 1, "c": 10, "d": 100]) == [3, 1, 2, 0])
  }
}
