extension Sequence {
  /// Returns the elements sorted by a measure, largest first. Elements with the same measure keep their order.
  func ranked(by measure: (Element) -> Int64) -> [Element] {
    enumerated().map { (measure: measure($1), place: $0, element: $1) }
      .sorted { ($1.measure, $0.place) < ($0.measure, $1.place) }.map(\.element)
  }
}
