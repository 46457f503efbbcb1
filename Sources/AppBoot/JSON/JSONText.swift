import AppBootSystem

extension [UInt8] {
  /// Appends a whole number as decimal digits, in one operation.
  package mutating func append(decimal number: UInt64) {
    append(upTo: ByteWriter.longestNumber) { $0.write(decimal: number) }
  }

  /// Appends a text as a JSON string, with its quotation marks and escapes.
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
    for index in utf8.indices where PlainBytes.mustEscape(utf8[index]) {
      append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
      append(escaped: utf8[index])
      start = index + 1
    }
    append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    append(UInt8(ascii: "\""))
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
      let digits = String(byte, radix: 16)
      append(contentsOf: (digits.utf8.count == 1 ? "u000" : "u00").utf8)
      append(contentsOf: digits.utf8)
    }
  }
}
