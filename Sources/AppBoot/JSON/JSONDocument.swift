/// A JSON text that was parsed strictly (RFC 8259), with the place of each value.
///
/// All values are stored in one array of 16-byte nodes, the tape.
package struct JSONDocument: Sendable {
  /// The maximum nesting of arrays and objects. An array in an array has depth 2.
  package static let depthLimit = 512

  let storage: JSONStorage
  /// The keys that occur twice in one object, in the order of their second occurrence.
  package let duplicateKeys: [JSONDuplicateKey]

  /// Parses a text. Takes O(n).
  ///
  /// - Parameter start: The offset of the text's first byte in a ``SourceRange``. It is 0 unless another text includes
  ///   this one.
  /// - Throws: ``JSONError`` with the mistakes that can be distinguished, at most 100, each with its place.
  package init(parsing source: SourceText, from start: Int = 0) throws(JSONError) {
    let parsed = JSONParser.parse(source)
    guard parsed.problems.isEmpty else {
      throw JSONError(source: source, diagnostics: parsed.problems.map { $0.moved(by: start) })
    }
    storage = JSONStorage(source: source, nodes: parsed.nodes, start: start)
    duplicateKeys = parsed.duplicates.map { $0.moved(by: start) }
  }

  /// The text that was parsed.
  package var source: SourceText { storage.source }

  /// The root value.
  package var root: JSONValue { JSONValue(storage: storage, index: 0) }
}

/// A key that occurs twice in one object. Keys are compared code point by code point, after unescaping.
package struct JSONDuplicateKey: Sendable, Equatable {
  /// The key.
  package let key: String
  /// The place of the key's first occurrence, with its quotation marks.
  package let first: SourceRange
  /// The place of the key's second occurrence, with its quotation marks.
  package let second: SourceRange

  fileprivate func moved(by offset: Int) -> JSONDuplicateKey {
    JSONDuplicateKey(key: key, first: first.moved(by: offset), second: second.moved(by: offset))
  }

  /// The error about the key: at its second place, with a note at its first place.
  package var diagnostic: Diagnostic {
    Diagnostic.error(
      "duplicate key \"\(key.excerpt)\"", at: second, help: "remove one of the two, or rename it"
    )
    .noting("the first is here", at: first)
  }
}
