extension JSONValue {
  /// A position in ``Elements`` or ``Members``.
  package struct Index: Comparable, Sendable {
    let node: Int

    /// Returns whether a position comes before another one in the text.
    package static func < (left: Index, right: Index) -> Bool { left.node < right.node }
  }

  /// The elements of an array. Iterating over them allocates no memory.
  package struct Elements: Collection, Sendable {
    let storage: JSONStorage
    /// The position of the first element.
    package let startIndex: Index
    /// The position after the last element.
    package let endIndex: Index

    init(storage: JSONStorage, container: Int, isEmpty: Bool) {
      self.storage = storage
      startIndex = Index(node: container + 1)
      endIndex = isEmpty ? startIndex : Index(node: Int(storage.nodes[container].next))
    }

    /// Returns the position of the next element. Takes O(1).
    package func index(after index: Index) -> Index { Index(node: Int(storage.nodes[index.node].next)) }

    /// Returns the element at a position. Takes O(1).
    package subscript(position: Index) -> JSONValue { JSONValue(storage: storage, index: position.node) }
  }

  /// A member of an object.
  package struct Member: Sendable {
    /// The key.
    package let key: JSONKey
    /// The value.
    package let value: JSONValue
  }

  /// The members of an object. Iterating over them allocates no memory.
  package struct Members: Collection, Sendable {
    let storage: JSONStorage
    /// The position of the first member.
    package let startIndex: Index
    /// The position after the last member.
    package let endIndex: Index

    init(storage: JSONStorage, container: Int, isEmpty: Bool) {
      self.storage = storage
      startIndex = Index(node: container + 1)
      endIndex = isEmpty ? startIndex : Index(node: Int(storage.nodes[container].next))
    }

    /// Returns the position of the next member. Takes O(1).
    package func index(after index: Index) -> Index {
      Index(node: Int(storage.nodes[index.node + 1].next))
    }

    /// Returns the member at a position. Takes O(1).
    package subscript(position: Index) -> Member {
      Member(
        key: JSONKey(storage: storage, index: UInt32(truncatingIfNeeded: position.node)),
        value: JSONValue(storage: storage, index: position.node + 1))
    }
  }
}

extension JSONValue {
  /// Calls `body` for each element of an array.
  ///
  /// Unlike a loop over ``elements``, it retains and releases nothing, which saves time for 100,000 elements.
  @inline(__always)
  func forEachElement(_ body: (JSONValue) -> Void) {
    guard node.kind == .array else { return }
    let storage = storage
    var (place, end) = storage.places(inside: index)
    while place < end {
      body(JSONValue(storage: storage, index: place))
      place = Int(storage.nodes[place].next)
    }
  }

  /// Calls `body` for each member of an object, as ``forEachElement(_:)`` does for elements.
  @inline(__always)
  func forEachMember(_ body: (JSONKey, JSONValue) -> Void) {
    guard node.kind == .object else { return }
    let storage = storage
    var (place, end) = storage.places(inside: index)
    while place < end {
      body(
        JSONKey(storage: storage, index: UInt32(truncatingIfNeeded: place)),
        JSONValue(storage: storage, index: place + 1))
      place = Int(storage.nodes[place + 1].next)
    }
  }
}

extension JSONStorage {
  /// Returns the position of the first value inside a container, and the position after the last one.
  ///
  /// Both are equal for an empty container.
  fileprivate func places(inside container: UInt32) -> (first: Int, end: Int) {
    let first = Int(container) + 1
    return (first, max(first, Int(nodes[Int(container)].next)))
  }
}

extension JSONValue {
  /// The members as pairs of key and value, for loops.
  var pairs: some Sequence<(key: JSONKey, value: JSONValue)> {
    members.lazy.map { (key: $0.key, value: $0.value) }
  }
}
