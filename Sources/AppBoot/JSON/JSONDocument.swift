/// A JSON text parsed strictly (RFC 8259), with the place of every value.
///
/// All values are stored on a flat tape of 16-byte nodes next to the bytes; no value allocates.
package struct JSONDocument: Sendable {
  /// The deepest nesting of arrays and objects; an array in an array has depth 2.
  package static let depthLimit = 512

  let storage: JSONStorage
  /// The keys that occur twice in one object, in the order of their second occurrence.
  package let duplicateKeys: [JSONDuplicateKey]

  /// Parses a text; throws every mistake that can be distinguished, each with its place. O(n)
  ///
  /// - Parameter start: The offset at which places begin, for a text that another one includes.
  package init(parsing source: SourceText, from start: Int = 0) throws(JSONError) {
    let parsed = JSONParser.parse(source)
    guard parsed.problems.isEmpty else {
      throw JSONError(source: source, diagnostics: parsed.problems.map { $0.moved(by: start) })
    }
    storage = JSONStorage(source: source, nodes: parsed.nodes, start: start)
    duplicateKeys = parsed.duplicates.map { $0.moved(by: start) }
  }

  /// The text.
  package var source: SourceText { storage.source }

  /// The root value.
  package var root: JSONValue { JSONValue(storage: storage, index: 0) }
}

/// A key that occurs twice in one object; keys are compared code point by code point, after unescaping.
package struct JSONDuplicateKey: Sendable, Equatable {
  /// The key.
  package let key: String
  /// The place of its first occurrence, with its quotation marks.
  package let first: SourceRange
  /// The place of its second occurrence.
  package let second: SourceRange

  fileprivate func moved(by offset: Int) -> JSONDuplicateKey {
    JSONDuplicateKey(key: key, first: first.moved(by: offset), second: second.moved(by: offset))
  }

  /// The error to report: at the second place, with a note at the first.
  package var diagnostic: Diagnostic {
    Diagnostic.error(
      "duplicate key \"\(key.excerpt)\"", at: second, help: "remove one of the two, or rename it"
    )
    .noting("the first is here", at: first)
  }
}
