import AppBootBase

/// A value in a `JSONDocument`. It has 16 bytes, and refers to the document's tape.
package struct JSONValue: Sendable {
  /// The kind of a value.
  package enum Kind: Sendable, CaseIterable, CustomStringConvertible {
    /// An object: `{ … }`.
    case object
    /// An array: `[ … ]`.
    case array
    /// A string: `"…"`.
    case string
    /// A number of any size.
    case number
    /// A Boolean: `true` or `false`.
    case bool
    /// The value `null`.
    case null

    /// The kind for messages: `an object`, `a string`, `true or false`, `null`, ….
    package var description: String {
      switch self {
      case .object: "an object"
      case .array: "an array"
      case .string: "a string"
      case .number: "a number"
      case .bool: "true or false"
      case .null: "null"
      }
    }
  }

  let storage: JSONStorage
  let index: UInt32

  @inline(__always)
  init(storage: JSONStorage, index: Int) {
    self.storage = storage
    self.index = UInt32(truncatingIfNeeded: index)
  }

  var node: JSONNode { storage.nodes[Int(index)] }

  /// The kind of the value.
  package var kind: Kind {
    switch node.kind {
    case .object: .object
    case .array: .array
    case .string: .string
    case .number: .number
    case .true, .false: .bool
    case .null: .null
    }
  }

  /// The place of the value, with its quotation marks or brackets.
  package var range: SourceRange { storage.range(of: node) }

  /// The text that contains the value.
  package var source: SourceText { storage.source }

  /// The offset of the first byte of ``source`` in a ``SourceRange``.
  var start: Int { Int(storage.start) }

  /// The bytes of the value in ``source``.
  var bytes: Range<Int> { node.bytes }

  /// The JSON of the value as it is written in the text.
  package var text: String { String(decoding: storage.source.bytes[bytes], as: UTF8.self) }

  /// The string with its escapes decoded; `nil` for other values. Takes O(length).
  package var string: String? {
    node.kind == .string ? storage.string(node) : nil
  }

  /// The Boolean; `nil` for other values.
  package var bool: Bool? {
    switch node.kind {
    case .true: true
    case .false: false
    case .object, .array, .string, .number, .null: nil
    }
  }

  /// True if the value is `null`.
  package var isNull: Bool { node.kind == .null }

  /// Returns whether the value is a string that is equal to a text, code point by code point.
  ///
  /// It allocates memory only to decode escapes.
  package func isString(_ text: String) -> Bool {
    let node = node
    return node.kind == .string && storage.matches(node, text)
  }

  /// Returns the value of a key; `nil` if no member has the key. If the key occurs twice, the first value counts.
  ///
  /// Takes O(members).
  package subscript(key: String) -> JSONValue? { members.first { $0.key == key }?.value }
}

/// A key of an object.
package struct JSONKey: Sendable, CustomStringConvertible {
  let storage: JSONStorage
  let index: UInt32

  /// The key with its escapes decoded. Takes O(length).
  package var string: String { storage.string(storage.nodes[Int(index)]) }

  /// The place of the key, with its quotation marks.
  package var range: SourceRange { storage.range(of: storage.nodes[Int(index)]) }

  /// The key with its escapes decoded.
  package var description: String { string }

  /// Returns whether the key is equal to a text, code point by code point. It allocates memory only to decode escapes.
  package static func == (key: JSONKey, text: String) -> Bool {
    key.storage.matches(key.storage.nodes[Int(key.index)], text)
  }

  /// Returns whether the key begins with a text. It allocates memory only to decode escapes.
  package func hasPrefix(_ prefix: String) -> Bool {
    let node = storage.nodes[Int(index)]
    if node.hasEscapes { return string.utf8.starts(with: prefix.utf8) }
    return storage.source.bytes[node.content].starts(with: prefix.utf8)
  }
}

extension JSONStorage {
  func string(_ node: JSONNode) -> String {
    source.bytes.withUnsafeBufferPointer { bytes in
      if node.hasEscapes {
        return String(decoding: JSONEscape.unescape(node.content, in: bytes), as: UTF8.self)
      }
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[node.content]), as: UTF8.self)
    }
  }

  func matches(_ node: JSONNode, _ text: String) -> Bool {
    if node.hasEscapes { return string(node) == text }
    return source.bytes[node.content].elementsEqual(text.utf8)
  }
}
