/// A test for the bytes that a JSON string can contain without an escape. It tests eight bytes at a time.
enum PlainBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Returns eight bytes whose high bits mark the unusual bytes: a quotation mark, a backslash, a control or not ASCII.
  ///
  /// Only the lowest high bit is reliable: a borrow in the subtraction can set wrong bits above it.
  @inline(__always)
  static func unusualBytes(_ word: UInt64) -> UInt64 {
    let quotes = (word ^ (ones &* 0x22)) &- ones
    let backslashes = (word ^ (ones &* 0x5C)) &- ones
    let controls = word &- ones &* 0x20
    return (quotes | backslashes | controls | word) & (ones &* 0x80)
  }

  /// Returns whether a text is ASCII without characters that need an escape, and without `#`, which can begin a
  /// command of a CI system (``VisibleText/inert(_:)``).
  @inline(__always)
  static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = UnsafeRawPointer(utf8.baseAddress) else { return true }
    var index = 0
    while index + 8 <= utf8.count {
      let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // Of bytes that are ASCII, only DEL reaches the high bit by one more.
      let hashes = (word ^ (ones &* 0x23)) &- ones
      if (unusualBytes(word) | hashes | (word &+ ones)) & (ones &* 0x80) != 0 { return false }
      index += 8
    }
    while index < utf8.count {
      let byte = utf8[index]
      if byte >= 0x80 || byte == UInt8(ascii: "#") || mustEscape(byte) { return false }
      index += 1
    }
    return true
  }

  /// Returns whether a byte needs an escape: as in RFC 8259 section 7, and the control byte DEL.
  @inline(__always)
  static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }
}
