import AppBoot

/// The order in which one worker would run a plan: manifest order among what is ready.
enum RunOrder {
  /// The indices of the plan's steps in that order.
  static func of(_ plan: StartupPlan) -> [Int] {
    if plan.isInManifestOrder { return Array(0..<plan.count) }
    var unmet = plan.indices.map { plan.outline.predecessors(of: $0).count }
    var ready = MinimumHeap((0..<plan.count).filter { unmet[$0] == 0 })
    var order: [Int] = []
    order.reserveCapacity(plan.count)
    while let step = ready.popFirst() {
      order.append(step)
      for successor in plan.outline.successors(of: step) {
        unmet[successor] -= 1
        if unmet[successor] == 0 { ready.insert(successor) }
      }
    }
    return order
  }
}

/// A binary heap whose first element is the smallest.
struct MinimumHeap {
  private var elements: [Int]

  /// Elements in ascending order are a heap already.
  init(_ ascending: [Int]) { elements = ascending }

  mutating func insert(_ element: Int) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, elements[child] < elements[(child - 1) / 2] {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func popFirst() -> Int? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return first }
    elements[0] = last
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < elements.count {
        if elements[child] < elements[smallest] { smallest = child }
      }
      guard smallest != parent else { return first }
      elements.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
