extension JSONValue {
  /// A member of an object: its key and its value.
  package typealias Member = (key: JSONKey, value: JSONValue)

  /// The elements of an array; empty for other values.
  package var elements: [JSONValue] {
    guard node.kind == .array else { return [] }
    var elements: [JSONValue] = []
    var place = Int(index) + 1
    while place < node.next {
      let element = JSONValue(storage: storage, index: place)
      elements.append(element)
      place = Int(element.node.next)
    }
    return elements
  }

  /// The members of an object in the order of the text; empty for other values.
  package var members: [Member] {
    guard node.kind == .object else { return [] }
    var members: [Member] = []
    var place = Int(index) + 1
    while place < node.next {
      let value = JSONValue(storage: storage, index: place + 1)
      members.append((JSONKey(storage: storage, index: UInt32(place)), value))
      place = Int(value.node.next)
    }
    return members
  }
}
