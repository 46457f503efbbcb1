/// A value in a `JSONDocument`, with its place in the text.
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

  enum Content: Sendable {
    case object([Member]), array([JSONValue]), string(String), number, bool(Bool), null
  }

  private let content: Content
  /// The place of the value, with its quotation marks or brackets.
  package let range: SourceRange
  private let origin: JSONOrigin

  init(_ content: Content, at range: SourceRange, in origin: JSONOrigin) {
    self.content = content
    self.range = range
    self.origin = origin
  }

  /// The value `null` without a place in a text.
  static let null = JSONValue(
    .null, at: SourceRange(0, 4), in: JSONOrigin(source: SourceText(name: "", text: "null"), start: 0))

  /// Returns an object with one key, whose value is this value or a list of strings.
  ///
  /// The object, the key and the list have the place of this value, so that messages about them show it.
  package func wrapped(in key: String, asList strings: [String]? = nil) -> JSONValue {
    func here(_ content: Content) -> JSONValue { JSONValue(content, at: range, in: origin) }
    let list = strings.map { strings in here(.array(strings.map { here(.string($0)) })) }
    return here(.object([(JSONKey(string: key, range: range), list ?? self)]))
  }

  /// The kind of the value.
  package var kind: Kind {
    switch content {
    case .object: .object
    case .array: .array
    case .string: .string
    case .number: .number
    case .bool: .bool
    case .null: .null
    }
  }

  /// The text that contains the value.
  package var source: SourceText { origin.source }

  /// The bytes of the value in ``source``.
  var bytes: ArraySlice<UInt8> {
    source.bytes[Int(range.start) - origin.start..<Int(range.end) - origin.start]
  }

  /// The JSON of the value as it is written in the text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The string with its escapes decoded; `nil` for other values.
  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The Boolean; `nil` for other values.
  package var bool: Bool? {
    if case .bool(let flag) = content { flag } else { nil }
  }

  /// True if the value is `null`.
  package var isNull: Bool { kind == .null }

  /// Returns whether the value is a string that is equal to a text, code point by code point.
  package func isString(_ text: String) -> Bool { string?.utf8.elementsEqual(text.utf8) == true }

  /// The elements of an array; empty for other values.
  package var elements: [JSONValue] {
    if case .array(let elements) = content { elements } else { [] }
  }

  /// The members of an object in the order of the text; empty for other values.
  package var members: [Member] {
    if case .object(let members) = content { members } else { [] }
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
  package static func == (key: JSONKey, text: String) -> Bool {
    key.string.utf8.count == text.utf8.count && key.string.utf8.elementsEqual(text.utf8)
  }

  /// Returns whether the key begins with a text.
  package func hasPrefix(_ prefix: String) -> Bool { string.utf8.starts(with: prefix.utf8) }
}

/// The text of a ``JSONDocument``. All values of the document share it.
final class JSONOrigin: Sendable {
  let source: SourceText
  /// The offset of the text's first byte in a ``SourceRange``.
  let start: Int

  init(source: SourceText, start: Int) {
    self.source = source
    self.start = start
  }
}
