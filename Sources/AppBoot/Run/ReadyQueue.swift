/// A queue of ready steps. The step that starts first is at the front.
struct ReadyQueue: Sendable {
  private let ranks: [Int32]?
  private var steps: ArraySlice<Int> = []

  init(ranks: [Int32]?) {
    self.ranks = ranks
  }

  var first: Int? { steps.first }

  /// Returns whether the left step starts before the right one.
  func precedes(_ left: Int, _ right: Int) -> Bool {
    (ranks?[left] ?? 0, left) < (ranks?[right] ?? 0, right)
  }

  mutating func insert(_ step: Int) {
    steps.insert(step, at: steps.index(forInserting: step, by: precedes))
  }

  mutating func removeFirst() -> Int? { steps.popFirst() }
}
