/// The steps that are ready, the one that goes first in front.
///
/// Steps that arrive in the order in which they leave, as those of a launch without edges do, cost
/// constant time; the others go through a binary heap.
struct ReadyQueue: Sendable {
  private let ranks: [Int32]?
  private var run: [Int32] = []
  private var front = 0
  private var heap: [Int32] = []

  init(ranks: [Int32]?) {
    self.ranks = ranks
  }

  var isEmpty: Bool { front == run.count && heap.isEmpty }

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

/// A binary heap in an array: logarithmic insertion and removal.
enum Heap {
  static func insert<Element>(
    _ element: Element, into heap: inout [Element], by precedes: (Element, Element) -> Bool
  ) {
    heap.append(element)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(heap[child], heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  static func removeFirst<Element>(from heap: inout [Element], by precedes: (Element, Element) -> Bool) {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var smallest = parent
      for child in (2 * parent + 1)...(2 * parent + 2) where child < heap.count {
        if precedes(heap[child], heap[smallest]) { smallest = child }
      }
      guard smallest != parent else { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
