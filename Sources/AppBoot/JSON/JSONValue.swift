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

  /// Returns the object with one more member, which comes from another place.
  func adding(_ key: String, _ value: JSONValue) -> JSONValue {
    JSONValue(.object(members + [(JSONKey(string: key, range: value.range), value)]), at: range, in: origin)
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

/// An error in the conversion of a value to a number.
package struct JSONNumberError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The mistake, in one line.
  package let description: String
}

extension JSONValue {
  /// Returns the number as an integer.
  ///
  /// `1.0` and `1e2` are integers (JSON Schema 2020-12), `1.5` is not. A number with a decimal point or an exponent is
  /// read as a `Double`.
  ///
  /// - Throws: ``JSONNumberError`` if the value is not an integer, or does not fit in the type.
  package func integer<T: FixedWidthInteger>(as type: T.Type = T.self) throws(JSONNumberError) -> T {
    let (signed, unsigned) = try integer()
    if let value = signed.flatMap(T.init(exactly:)) ?? unsigned.flatMap(T.init(exactly:)) { return value }
    throw JSONNumberError(description: "\(shortText) is not between \(T.min) and \(T.max)")
  }

  /// Returns the number in the two types that hold all integers of 64 bits; `nil` if it does not fit in the type.
  private func integer() throws(JSONNumberError) -> (signed: Int64?, unsigned: UInt64?) {
    try checkKind()
    if text.utf8.contains(where: { ".eE".utf8.contains($0) }), let number = Double(text), number.isFinite {
      guard number == number.rounded() else {
        throw JSONNumberError(description: "\(shortText) is not a whole number")
      }
      return (Int64(exactly: number), UInt64(exactly: number))
    }
    return (Int64(text), UInt64(text))
  }

  /// Returns the nearest `Double`.
  ///
  /// - Throws: ``JSONNumberError`` if the value is not a number, or if the `Double` would be infinite.
  package func double() throws(JSONNumberError) -> Double {
    try checkKind()
    guard let value = Double(text), value.isFinite else {
      let limit = Double.greatestFiniteMagnitude
      throw JSONNumberError(description: "\(shortText) is not between \(-limit) and \(limit)")
    }
    return value
  }

  private func checkKind() throws(JSONNumberError) {
    if kind != .number { throw JSONNumberError(description: "expected a number, found \(kind)") }
  }

  /// The number as it is written in the text. A very long number is shortened.
  private var shortText: String {
    bytes.count > 40 ? String(decoding: bytes.prefix(40), as: UTF8.self) + "…" : text
  }
}

/// A JSON text that was parsed strictly (RFC 8259), with the place of each value.
package struct JSONDocument: Sendable {
  /// The maximum nesting of arrays and objects. An array in an array has depth 2.
  package static let depthLimit = 512

  /// The text that was parsed.
  package let source: SourceText
  /// The root value.
  package let root: JSONValue
  /// The keys that occur twice in one object, in the order of their second occurrence.
  package let duplicateKeys: [JSONDuplicateKey]

  /// Parses a text. Takes O(n).
  ///
  /// - Parameter start: The offset of the text's first byte in a ``SourceRange``. It is 0 unless another text includes
  ///   this one.
  /// - Throws: ``JSONError`` with the mistakes that can be distinguished, at most 100, each with its place.
  package init(parsing source: SourceText, from start: Int = 0) throws(JSONError) {
    var parser = JSONParser(source, from: start)
    try? parser.readDocument()
    guard parser.problems.isEmpty, let root = parser.root else {
      throw JSONError(source: source, diagnostics: parser.problems.sortedByPosition())
    }
    self.source = source
    self.root = root
    duplicateKeys = parser.duplicates
  }
}

/// A key that occurs twice in one object. Keys are compared code point by code point, after unescaping.
package struct JSONDuplicateKey: Sendable, Equatable {
  /// The key.
  package let key: String
  /// The place of the key's first occurrence, with its quotation marks.
  package let first: SourceRange
  /// The place of the key's second occurrence, with its quotation marks.
  package let second: SourceRange

  /// The error about the key: at its second place, with a note at its first place.
  package var diagnostic: Diagnostic {
    Diagnostic.error(
      "duplicate key \"\(key.excerpt)\"", at: second, help: "remove one of the two, or rename it"
    )
    .noting("the first is here", at: first)
  }
}

/// An error that reports that a text is not JSON. It has the mistakes in the order of their places.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text that is not JSON.
  package let source: SourceText
  /// The mistakes; at least one.
  package let diagnostics: [Diagnostic]

  /// The mistakes with their places and their help.
  package var description: String { diagnostics.text(in: source) }
}
