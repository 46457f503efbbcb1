/// Objects in the order in which they were added. Adding and removing one takes constant time on average.
///
/// A removed object leaves an empty slot. The table closes the empty slots when they are more than half of all.
struct SubscriberTable<Element: AnyObject & Sendable>: Sendable {
  private(set) var slots: [Element?] = []
  private var positions: [ObjectIdentifier: Int] = [:]

  /// The objects, oldest first.
  var elements: [Element] { slots.compactMap(\.self) }

  /// Adds an object after all others.
  mutating func add(_ element: Element) {
    positions[ObjectIdentifier(element)] = slots.count
    slots.append(element)
  }

  /// Removes an object. Does nothing if the table does not contain it.
  mutating func remove(_ element: ObjectIdentifier) {
    guard let position = positions.removeValue(forKey: element) else { return }
    slots[position] = nil
    guard positions.count * 2 < slots.count else { return }
    slots.removeAll { $0 == nil }
    for (position, element) in slots.enumerated() {
      if let element { positions[ObjectIdentifier(element)] = position }
    }
  }
}
