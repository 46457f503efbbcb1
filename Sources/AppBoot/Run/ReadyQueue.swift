/// A queue of ready steps. The step that starts first is at the front.
struct ReadyQueue: Sendable {
  private let ranks: [Int32]?
  private var heap: [Int] = []

  init(ranks: [Int32]?) {
    self.ranks = ranks
  }

  var first: Int? { heap.first }

  /// Returns whether the left step starts before the right one.
  func precedes(_ left: Int, _ right: Int) -> Bool { Self.precedes(left, right, ranks) }

  // Static, because a closure that holds the queue would make each change copy the heap.
  private static func precedes(_ left: Int, _ right: Int, _ ranks: [Int32]?) -> Bool {
    guard let ranks, ranks[left] != ranks[right] else { return left < right }
    return ranks[left] < ranks[right]
  }

  mutating func insert(_ step: Int) {
    Heap.insert(step, into: &heap) { [ranks] in Self.precedes($0, $1, ranks) }
  }

  mutating func removeFirst() -> Int? {
    let first = heap.first
    Heap.removeFirst(from: &heap) { [ranks] in Self.precedes($0, $1, ranks) }
    return first
  }
}
