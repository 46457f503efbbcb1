/// The text and the tape of a ``JSONDocument``. All values of the document share them.
final class JSONStorage: Sendable {
  let source: SourceText
  let nodes: [JSONNode]
  /// The offset of the text's first byte in a ``SourceRange``. It is 0 unless another text includes this one.
  let start: UInt32

  init(source: SourceText, nodes: [JSONNode], start: Int) {
    self.source = source
    self.nodes = nodes
    self.start = UInt32(clamping: start)
  }

  /// Returns the place of a node.
  func range(of node: JSONNode) -> SourceRange {
    SourceRange(start: node.start &+ start, end: node.end &+ start)
  }
}

/// A node on the tape of a ``JSONDocument``: a value or a key. Children follow their container; a value follows its
/// key.
struct JSONNode: Sendable {
  enum Kind {
    case object, array, string, number, `true`, `false`, null
  }

  /// The offset of the first byte.
  let start: UInt32
  /// The offset after the last byte.
  var end: UInt32
  /// The index of the first node that is not inside this one.
  var next: UInt32
  let kind: Kind
  /// True for a string with escapes.
  let hasEscapes: Bool

  init(_ kind: Kind, start: Int, end: Int, next: Int, escapes: Bool = false) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    self.kind = kind
    hasEscapes = escapes
  }

  /// The place of the node, with offsets in the text itself.
  var range: SourceRange { SourceRange(start: start, end: end) }
  /// The bytes of the node in its text.
  var bytes: Range<Int> { Int(start)..<max(Int(start), Int(end)) }
  /// The bytes of a string between its quotation marks.
  var content: Range<Int> { Int(start) + 1..<max(Int(start) + 1, Int(end) - 1) }
}
