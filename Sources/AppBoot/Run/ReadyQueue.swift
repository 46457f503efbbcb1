/// A queue of ready steps. The step that starts first is at the front.
struct ReadyQueue: Sendable {
  private struct Entry: Comparable {
    let rank: Int32
    let step: Int

    static func < (left: Entry, right: Entry) -> Bool { (left.rank, left.step) < (right.rank, right.step) }
  }

  private let ranks: [Int32]?
  private var entries = Heap<Entry>()

  init(ranks: [Int32]?) {
    self.ranks = ranks
  }

  var first: Int? { entries.first?.step }

  /// Returns whether the left step starts before the right one.
  func precedes(_ left: Int, _ right: Int) -> Bool { entry(left) < entry(right) }

  mutating func insert(_ step: Int) { entries.insert(entry(step)) }

  mutating func removeFirst() -> Int? { entries.removeFirst()?.step }

  /// Returns the entry of a step. Without ranks, steps start in manifest order.
  private func entry(_ step: Int) -> Entry { Entry(rank: ranks?[step] ?? 0, step: step) }
}
