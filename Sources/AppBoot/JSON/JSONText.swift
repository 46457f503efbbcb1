import AppBootSystem

extension [UInt8] {
  /// Appends a whole number as decimal digits, in one operation.
  package mutating func append(decimal number: UInt64) {
    append(upTo: ByteWriter.longestNumber) { $0.write(decimal: number) }
  }

  /// Appends a text as a JSON string, with its quotation marks and escapes.
  ///
  /// All control characters are escaped, also U+007F to U+009F, and the bracket of `##[`, `##vso[` and `##teamcity[`: a
  /// line of JSON is neither a command for a terminal nor for a CI system (``VisibleText/inert(_:)``).
  mutating func append(quoted text: String) {
    text.withBytes { utf8 in
      // Most texts are short and plain: they go in as one piece.
      let isPlain = append(upTo: ByteWriter.longestPlainText + 2) { $0.write(quoted: utf8) }
      if !isPlain { appendEscaped(utf8) }
    }
  }

  /// Appends the bytes that a closure writes, at most `capacity`. Returns the closure's result.
  ///
  /// The closure writes into memory on the stack.
  @inline(__always)
  mutating func append<Result>(upTo capacity: Int, _ write: (inout ByteWriter) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { bytes in
      var pen = ByteWriter(bytes)
      let result = write(&pen)
      append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<pen.count]))
      return result
    }
  }

  private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    var start = 0
    for index in utf8.indices {
      guard let (byte, length) = Self.escaped(at: index, in: utf8) else { continue }
      append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
      append(escaped: byte)
      start = index + length
    }
    append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    append(UInt8(ascii: "\""))
  }

  /// Returns the code of the character at an index, if it must be escaped, and its length in bytes.
  private static func escaped(
    at index: Int, in utf8: UnsafeBufferPointer<UInt8>
  ) -> (code: UInt8, length: Int)? {
    let byte = utf8[index]
    switch byte {
    case _ where PlainBytes.mustEscape(byte): return (byte, 1)
    // U+0080 to U+009F are C2 80 to C2 9F: the second byte is the code.
    case 0xC2 where index + 1 < utf8.count && utf8[index + 1] < 0xA0: return (utf8[index + 1], 2)
    case UInt8(ascii: "[") where endsCommand(utf8[..<index]): return (byte, 1)
    default: return nil
    }
  }

  /// Returns true if a text ends in `##` and letters.
  private static func endsCommand(_ utf8: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let name = utf8.reversed().prefix { letters.contains($0 | 0x20) }.count
    return utf8.dropLast(name).suffix(2).elementsEqual("##".utf8)
  }

  private mutating func append(escaped byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    default:
      // Also the bracket of a command: JSON has no shorter escape for it.
      let digits = String(byte, radix: 16)
      append(contentsOf: (digits.utf8.count == 1 ? "u000" : "u00").utf8)
      append(contentsOf: digits.utf8)
    }
  }
}
