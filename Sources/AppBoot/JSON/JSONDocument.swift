/// A JSON text that was read strictly (RFC 8259), with the place of every value in it.
///
/// All values lie on one flat tape of 16-byte nodes beside the bytes; nothing is allocated per value.
package struct JSONDocument: Sendable {
  /// How deep arrays and objects may nest; an array in an array is two deep.
  package static let depthLimit = 512

  let storage: JSONStorage
  /// Keys that stand twice in one object, in the order of the second ones.
  package let duplicateKeys: [JSONDuplicateKey]

  /// Reads a text; throws every mistake that could be told apart, each with its place. O(n).
  package init(parsing source: SourceText) throws(JSONError) {
    let parsed = JSONParser.parse(source)
    guard parsed.problems.isEmpty else {
      throw JSONError(source: source, diagnostics: parsed.problems)
    }
    storage = JSONStorage(source: source, nodes: parsed.nodes)
    duplicateKeys = parsed.duplicates
  }

  /// The text that was read.
  package var source: SourceText { storage.source }

  /// The one value that the text is.
  package var root: JSONValue { JSONValue(storage: storage, index: 0) }
}

/// A key that stands twice in one object; keys are compared code point by code point, after unescaping.
package struct JSONDuplicateKey: Sendable, Equatable {
  /// The key.
  package let key: String
  /// Where it stands first, with its quotation marks.
  package let first: SourceRange
  /// Where it stands again.
  package let second: SourceRange

  /// The error to report: at the second place, with a note at the first.
  package var diagnostic: Diagnostic {
    let name = key.utf8.count > 80 ? "\(key.prefix(60))…" : key
    return Diagnostic.error(
      "duplicate key \"\(name)\"", at: second, help: "remove one of the two, or rename it"
    )
    .noting("the first stands here", at: first)
  }
}
