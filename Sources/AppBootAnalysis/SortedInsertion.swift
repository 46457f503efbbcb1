extension BidirectionalCollection {
  /// Returns the index at which a sorted collection gets a new element. Elements with the same order keep the order in
  /// which they were added. Elements are usually added at the end, which is fast.
  func index(forInserting element: Element, by precedes: (Element, Element) -> Bool) -> Index {
    lastIndex { !precedes(element, $0) }.map { index(after: $0) } ?? startIndex
  }
}
