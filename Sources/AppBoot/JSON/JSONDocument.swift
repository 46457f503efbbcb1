/// A JSON text that was read strictly (RFC 8259), with the place of every value in it.
///
/// All values lie on one flat tape of 16-byte nodes beside the bytes; nothing is allocated per value.
public struct JSONDocument: Sendable {
  /// How deep arrays and objects may nest; an array in an array is two deep.
  public static let depthLimit = 512

  let storage: JSONStorage
  /// Keys that stand twice in one object, in the order of the second ones.
  public let duplicateKeys: [JSONDuplicateKey]

  /// Reads a text; throws every mistake that could be told apart, each with its place. O(n).
  public init(parsing source: SourceText) throws(JSONError) {
    let parsed = JSONParser.parse(source)
    guard parsed.problems.isEmpty else {
      throw JSONError(source: source, diagnostics: parsed.problems)
    }
    storage = JSONStorage(source: source, nodes: parsed.nodes)
    duplicateKeys = parsed.duplicates
  }

  /// The text that was read.
  public var source: SourceText { storage.source }

  /// The one value that the text is.
  public var root: JSONValue { JSONValue(storage: storage, index: 0) }
}

/// A key that stands twice in one object; keys are compared code point by code point, after unescaping.
public struct JSONDuplicateKey: Sendable, Equatable {
  /// The key.
  public let key: String
  /// Where it stands first, with its quotation marks.
  public let first: SourceRange
  /// Where it stands again.
  public let second: SourceRange

  /// The error to report: at the second place, with a note at the first.
  public var diagnostic: Diagnostic {
    let name = key.utf8.count > 80 ? "\(key.prefix(60))…" : key
    return Diagnostic.error(
      "duplicate key \"\(name)\"", at: second, help: "remove one of the two, or rename it"
    )
    .noting("the first stands here", at: first)
  }
}
