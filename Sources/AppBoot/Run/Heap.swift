/// A binary heap in an array. Insertion and removal take logarithmic time.
package enum Heap {
  package static func insert<Element>(
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

  /// Removes the first element. Does nothing if the heap is empty.
  package static func removeFirst<Element>(
    from heap: inout [Element], by precedes: (Element, Element) -> Bool
  ) {
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
