/// The text and the tape of a ``JSONDocument``, shared by all its values.
final class JSONStorage: Sendable {
  let source: SourceText
  let nodes: [JSONNode]
  /// The offset at which places begin; 0 unless another text includes this one.
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

/// A value or a key on the tape of a ``JSONDocument``. Children follow their container; a value follows its key.
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
  /// The place in the value's own text.
  var range: SourceRange { SourceRange(start: start, end: end) }
  /// The bytes of the value in its text.
  var bytes: Range<Int> { Int(start)..<max(Int(start), Int(end)) }
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
