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
    Diagnostic.error("duplicate key \"\(key)\"", at: second, help: "remove one of the two, or rename it")
      .noting("the first stands here", at: first)
  }
}

/// Why a text is not JSON: all mistakes that were found, in the order of their places.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text.
  public let source: SourceText
  /// The mistakes; never empty.
  public let diagnostics: [Diagnostic]

  /// The mistakes with their lines, as a terminal would show them.
  public var description: String {
    DiagnosticRenderer().text(diagnostics, in: source)
  }
}

/// The bytes and the tape; shared by all values of a document.
final class JSONStorage: Sendable {
  let source: SourceText
  let nodes: [JSONNode]

  init(source: SourceText, nodes: [JSONNode]) {
    self.source = source
    self.nodes = nodes
  }
}

/// One value on the tape. Children follow their container; a key is followed by its value.
struct JSONNode: Sendable {
  enum Kind: UInt8 {
    case object, array, string, number, `true`, `false`, null
  }

  /// Offset of the first byte.
  var start: UInt32
  /// Offset past the last byte.
  var end: UInt32
  /// Index of the first node that is not inside this one.
  var next: UInt32
  /// Kind in bits 0-2, "has escapes" in bit 3, number of elements or members above.
  private var bits: UInt32

  /// The largest element count that has room; what has more is counted by walking.
  private static let countLimit: UInt32 = 0x0FFF_FFFF

  @inline(__always)
  init(_ kind: Kind, start: Int, end: Int, next: Int, escapes: Bool = false) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    bits = UInt32(kind.rawValue) | (escapes ? 8 : 0)
  }

  @inline(__always)
  var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits & 7)) ?? .null }
  @inline(__always)
  var hasEscapes: Bool { bits & 8 != 0 }
  var range: SourceRange { SourceRange(start: start, end: end) }
  /// The bytes between the quotation marks.
  var content: Range<Int> { Int(start) + 1..<max(Int(start) + 1, Int(end) - 1) }

  /// Elements or members; nil when there are too many for the field.
  var count: Int? {
    let count = bits >> 4
    return count < JSONNode.countLimit ? Int(count) : nil
  }

  mutating func close(end: Int, next: Int, count: UInt32) {
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    bits |= min(count, JSONNode.countLimit) << 4
  }
}
