/// A queue of ready steps. The step that starts first is at the front.
///
/// If steps arrive in their final order, as in a launch without edges, inserting takes constant time. Other steps are
/// stored in a binary heap.
struct ReadyQueue: Sendable {
  private let ranks: [Int32]?
  private var run: [Int32] = []
  private var front = 0
  private var heap: [Int32] = []

  init(ranks: [Int32]?) {
    self.ranks = ranks
  }

  var isEmpty: Bool { front == run.count && heap.isEmpty }

  /// Returns whether the left step starts before the right one.
  func precedes(_ left: Int, _ right: Int) -> Bool { precedes(Int32(left), Int32(right)) }

  private func precedes(_ left: Int32, _ right: Int32) -> Bool {
    guard let ranks else { return left < right }
    let (first, second) = (ranks[Int(left)], ranks[Int(right)])
    return first == second ? left < right : first < second
  }

  mutating func insert(_ step: Int) {
    let step = Int32(step)
    if front == run.count {
      run.removeAll(keepingCapacity: true)
      front = 0
    }
    if let last = run.last, precedes(step, last) {
      Heap.insert(step, into: &heap, by: precedes)
    } else {
      run.append(step)
    }
  }

  var first: Int? {
    if let first = heap.first, front == run.count || precedes(first, run[front]) { return Int(first) }
    return front < run.count ? Int(run[front]) : nil
  }

  mutating func removeFirst() -> Int? {
    if let first = heap.first, front == run.count || precedes(first, run[front]) {
      Heap.removeFirst(from: &heap, by: precedes)
      return Int(first)
    }
    guard front < run.count else { return nil }
    defer { front += 1 }
    return Int(run[front])
  }
}
