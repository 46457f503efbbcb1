/// A value in a `JSONDocument`. It has 16 bytes, and refers to the nodes of the document.
package struct JSONValue: Sendable {
  /// The kind of a value. Its raw value is the kind for messages.
  package enum Kind: String, Sendable, CaseIterable, CustomStringConvertible {
    /// An object: `{ … }`.
    case object = "an object"
    /// An array: `[ … ]`.
    case array = "an array"
    /// A string: `"…"`.
    case string = "a string"
    /// A number of any size.
    case number = "a number"
    /// A Boolean: `true` or `false`.
    case bool = "true or false"
    /// The value `null`.
    case null

    /// The kind for messages: `an object`, `a string`, `true or false`, `null`, ….
    package var description: String { rawValue }
  }

  /// A member of an object: its key and its value.
  package typealias Member = (key: JSONKey, value: JSONValue)

  private let storage: JSONStorage
  private let index: Int

  init(storage: JSONStorage, index: Int) {
    self.storage = storage
    self.index = index
  }

  /// The value `null` without a place in a text.
  static let null = JSONValue(
    storage: JSONStorage(
      source: SourceText(name: "", text: "null"),
      nodes: [JSONNode(content: .null, range: SourceRange(0, 4), next: 1)], start: 0),
    index: 0)

  /// Returns an object with one key, whose value is this value or a list of strings.
  ///
  /// The object, the key and the list have the place of this value, so that messages about them show it.
  func wrapped(in key: String, asList strings: [String]? = nil) -> JSONValue {
    let offset = 2 - index
    var value = storage.nodes[index..<node.next].map { node in
      JSONNode(content: node.content, range: node.range, next: node.next + offset)
    }
    if let strings {
      value = [JSONNode(content: .array, range: range, next: strings.count + 3)]
      value += strings.indices.map { JSONNode(content: .string(strings[$0]), range: range, next: $0 + 4) }
    }
    let object = JSONNode(content: .object, range: range, next: value.count + 2)
    let nodes = [object, JSONNode(content: .string(key), range: range, next: 2)] + value
    return JSONValue(storage: JSONStorage(source: source, nodes: nodes, start: start), index: 0)
  }

  private var node: JSONNode { storage.nodes[index] }

  /// The kind of the value.
  package var kind: Kind {
    switch node.content {
    case .object: .object
    case .array: .array
    case .string: .string
    case .number: .number
    case .bool: .bool
    case .null: .null
    }
  }

  /// The place of the value, with its quotation marks or brackets.
  package var range: SourceRange { node.range }

  /// The text that contains the value.
  package var source: SourceText { storage.source }

  /// The offset of the first byte of ``source`` in a ``SourceRange``.
  var start: Int { storage.start }

  /// The bytes of the value in ``source``.
  var bytes: ArraySlice<UInt8> { source.bytes[Int(range.start) - start..<Int(range.end) - start] }

  /// The JSON of the value as it is written in the text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The string with its escapes decoded; `nil` for other values.
  package var string: String? {
    if case .string(let text) = node.content { text } else { nil }
  }

  /// The Boolean; `nil` for other values.
  package var bool: Bool? {
    if case .bool(let flag) = node.content { flag } else { nil }
  }

  /// True if the value is `null`.
  package var isNull: Bool { kind == .null }

  /// Returns whether the value is a string that is equal to a text, code point by code point.
  package func isString(_ text: String) -> Bool { string?.utf8.elementsEqual(text.utf8) == true }

  /// The elements of an array; empty for other values.
  package var elements: [JSONValue] { kind == .array ? children : [] }

  /// The members of an object in the order of the text; empty for other values.
  package var members: [Member] {
    guard kind == .object else { return [] }
    let children = children
    return stride(from: 0, to: children.count, by: 2).map { place in
      let key = children[place]
      return (JSONKey(string: key.string ?? "", range: key.range), children[place + 1])
    }
  }

  /// The elements of an array; the keys of an object, each with its value after it.
  private var children: [JSONValue] {
    var children: [JSONValue] = []
    var place = index + 1
    while place < node.next {
      children.append(JSONValue(storage: storage, index: place))
      place = storage.nodes[place].next
    }
    return children
  }

  /// Returns the value of a key; `nil` if no member has the key. If the key occurs twice, the first value counts.
  ///
  /// Takes O(members).
  package subscript(key: String) -> JSONValue? { members.first { $0.key == key }?.value }
}

/// A key of an object.
package struct JSONKey: Sendable {
  /// The key with its escapes decoded.
  package let string: String
  /// The place of the key, with its quotation marks.
  package let range: SourceRange

  /// Returns whether the key is equal to a text, code point by code point.
  package static func == (key: JSONKey, text: String) -> Bool { key.string.utf8.elementsEqual(text.utf8) }

  /// Returns whether the key begins with a text.
  package func hasPrefix(_ prefix: String) -> Bool { string.utf8.starts(with: prefix.utf8) }
}

/// The text and the nodes of a ``JSONDocument``. All values of the document share them.
final class JSONStorage: Sendable {
  let source: SourceText
  let nodes: [JSONNode]
  /// The offset of the text's first byte in a ``SourceRange``.
  let start: Int

  init(source: SourceText, nodes: [JSONNode], start: Int) {
    self.source = source
    self.nodes = nodes
    self.start = start
  }
}

/// A value or a key of a ``JSONDocument``. Children follow their container; a value follows its key.
struct JSONNode: Sendable {
  enum Content {
    case object, array, string(String), number, bool(Bool), null
  }

  let content: Content
  var range: SourceRange
  /// The index of the first node that is not inside this one.
  var next: Int
}
