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
  enum Kind: UInt8 {
    case object, array, string, number, `true`, `false`, null
  }

  /// The offset of the first byte.
  var start: UInt32
  /// The offset after the last byte.
  var end: UInt32
  /// The index of the first node that is not inside this one.
  var next: UInt32
  /// The kind in bits 0 to 2, "has escapes" in bit 3, and the number of elements or members in the other bits.
  private var bits: UInt32

  /// The smallest number of elements that ``bits`` does not store. From there on, elements are counted by iterating.
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
  /// The place of the node, with offsets in the text itself.
  var range: SourceRange { SourceRange(start: start, end: end) }
  /// The bytes of the node in its text.
  var bytes: Range<Int> { Int(start)..<max(Int(start), Int(end)) }
  /// The bytes of a string between its quotation marks.
  var content: Range<Int> { Int(start) + 1..<max(Int(start) + 1, Int(end) - 1) }

  /// The number of elements or members; `nil` if ``bits`` does not store it.
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
