/// A queue whose first element is the smallest (a binary heap). Adding and removing an element take O(log n).
struct Heap<Element: Comparable> {
  private var elements: [Element] = []

  /// The smallest element; `nil` if the heap is empty.
  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child] < elements[parent] else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes and returns the smallest element; returns `nil` if the heap is empty.
  mutating func removeFirst() -> Element? {
    guard let last = elements.indices.last else { return nil }
    elements.swapAt(0, last)
    let first = elements.removeLast()
    var parent = 0
    while let child = smallerChild(of: parent), elements[child] < elements[parent] {
      elements.swapAt(child, parent)
      parent = child
    }
    return first
  }

  private func smallerChild(of parent: Int) -> Int? {
    let (left, right) = (2 * parent + 1, 2 * parent + 2)
    guard left < elements.count else { return nil }
    return right < elements.count && elements[right] < elements[left] ? right : left
  }
}

extension Heap: Sendable where Element: Sendable {}
