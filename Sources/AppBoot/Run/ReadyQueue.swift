/// A queue of ready steps. The step that starts first is at the front.
struct ReadyQueue: Sendable {
  private let ranks: [Int32]?
  private var steps: [Int] = []
  /// The index of the first step in ``steps``. Those before it were removed.
  private var front = 0

  init(ranks: [Int32]?) {
    self.ranks = ranks
  }

  var first: Int? { front < steps.count ? steps[front] : nil }

  /// Returns whether the left step starts before the right one.
  func precedes(_ left: Int, _ right: Int) -> Bool {
    (ranks?[left] ?? 0, left) < (ranks?[right] ?? 0, right)
  }

  mutating func insert(_ step: Int) {
    // Most steps become ready in their order.
    guard let last = steps.last, front < steps.count, precedes(step, last) else { return steps.append(step) }
    steps.insert(step, at: steps[front...].index(forInserting: step) { precedes($0, $1) })
  }

  mutating func removeFirst() -> Int? {
    guard let step = first else { return nil }
    front += 1
    if front == steps.count {
      steps.removeAll(keepingCapacity: true)
      front = 0
    }
    return step
  }
}
