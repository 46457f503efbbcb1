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
