/// The order of a plan's steps, as two flat arrays: the edges into each step, and the edges out of each step.
///
/// A sequence, which is the most frequent launch, needs no arrays of edges.
package struct DependencyGraph: Sendable {
  /// The number of steps.
  package let count: Int
  private let isSequence: Bool
  private let sequence: [Int32]
  private let inOffsets: [Int32]
  private let inEdges: [Int32]
  private let outOffsets: [Int32]
  private let outEdges: [Int32]

  /// Creates a sequence, in which each step comes after the step before it.
  init(sequenceOf count: Int) {
    self.count = count
    isSequence = true
    sequence = (0..<Int32(count)).map { $0 }
    (inOffsets, inEdges, outOffsets, outEdges) = ([], [], [], [])
  }

  /// Creates a graph from the predecessors of each step. A predecessor is a step that must end before the step starts.
  package init(predecessors: [[Int]]) {
    var builder = Builder(capacity: predecessors.count)
    for list in predecessors {
      for predecessor in list { builder.addEdge(from: predecessor) }
      builder.endStep()
    }
    self = builder.graph()
  }

  /// Creates a graph from flat arrays.
  ///
  /// - Parameter offsets: For each step, the index in `edges` at which its predecessors begin. A last element is the
  ///   length of `edges`.
  fileprivate init(offsets: [Int32], edges: [Int32]) {
    count = offsets.count - 1
    isSequence = Self.isSequence(offsets: offsets, edges: edges)
    if isSequence {
      sequence = (0..<Int32(count)).map { $0 }
      (inOffsets, inEdges, outOffsets, outEdges) = ([], [], [], [])
      return
    }
    sequence = []
    inOffsets = offsets
    inEdges = edges
    (outOffsets, outEdges) = Self.reversed(offsets: offsets, edges: edges)
  }

  /// True if the graph is a sequence: each step comes after exactly the step before it.
  package var isPureSequence: Bool { isSequence }

  /// True if each step comes only after earlier steps, so that there can be no cycle. Takes O(edges).
  var isInOrder: Bool {
    guard !isSequence else { return true }
    for step in 0..<count {
      for edge in Int(inOffsets[step])..<Int(inOffsets[step + 1]) where inEdges[edge] >= step { return false }
    }
    return true
  }

  /// Returns the predecessors of a step: the steps that must end before it starts.
  package func predecessors(of step: Int) -> ArraySlice<Int32> {
    if isSequence { return step == 0 ? [] : sequence[(step - 1)..<step] }
    return inEdges[Int(inOffsets[step])..<Int(inOffsets[step + 1])]
  }

  /// Returns the successors of a step in ascending order: the steps of which it is a predecessor.
  package func successors(of step: Int) -> ArraySlice<Int32> {
    if isSequence { return step + 1 < count ? sequence[(step + 1)..<(step + 2)] : [] }
    return outEdges[Int(outOffsets[step])..<Int(outOffsets[step + 1])]
  }

  /// Returns the number of predecessors of each step.
  func inDegrees() -> [Int32] {
    if isSequence { return (0..<count).map { $0 == 0 ? 0 : 1 } }
    return (0..<count).map { inOffsets[$0 + 1] - inOffsets[$0] }
  }

  private static func isSequence(offsets: [Int32], edges: [Int32]) -> Bool {
    guard edges.count == Swift.max(0, offsets.count - 2) else { return false }
    for (index, edge) in edges.enumerated() {
      if offsets[index + 1] != Int32(index) || edge != Int32(index) { return false }
    }
    return true
  }

  private static func reversed(offsets: [Int32], edges: [Int32]) -> (offsets: [Int32], edges: [Int32]) {
    let count = offsets.count - 1
    var starts = [Int32](repeating: 0, count: count + 1)
    for edge in edges { starts[Int(edge) + 1] += 1 }
    for index in 0..<count { starts[index + 1] += starts[index] }
    var next = starts
    var reversed = [Int32](repeating: 0, count: edges.count)
    for step in 0..<count {
      for position in offsets[step]..<offsets[step + 1] {
        let source = Int(edges[Int(position)])
        reversed[Int(next[source])] = Int32(step)
        next[source] += 1
      }
    }
    return (starts, reversed)
  }
}

extension DependencyGraph {
  /// A builder of a graph. It adds the steps in manifest order.
  package struct Builder {
    private var offsets: [Int32] = [0]
    private var edges: [Int32] = []

    /// Creates a builder without steps.
    ///
    /// - Parameter capacity: The number of steps for which memory is reserved.
    package init(capacity: Int) {
      offsets.reserveCapacity(capacity + 1)
      edges.reserveCapacity(capacity)
    }

    /// Adds a predecessor to the current step. The predecessor may come later in the manifest.
    @inline(__always)
    package mutating func addEdge(from predecessor: Int) { edges.append(Int32(predecessor)) }

    /// Ends the current step. Later edges belong to the next step.
    @inline(__always)
    package mutating func endStep() { offsets.append(Int32(edges.count)) }

    /// Returns the graph of the steps so far.
    package func graph() -> DependencyGraph { DependencyGraph(offsets: offsets, edges: edges) }
  }
}
