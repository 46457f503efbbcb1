import AppBootSystem

extension [UInt8] {
  /// Appends a whole number as decimal digits, in one operation.
  package mutating func append(decimal number: UInt64) {
    append(upTo: ByteWriter.longestNumber) { $0.write(decimal: number) }
  }

  /// Appends a text as a JSON string, with its quotation marks and escapes.
  mutating func append(quoted text: String) {
    var text = text
    text.withUTF8 { utf8 in
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

  /// Appends a text with what RFC 8259 requires to be escaped, and what terminals and CI systems act on: C1 controls,
  /// direction controls, separators of lines, and the brackets of logging commands.
  private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    var start = 0
    var command = LoggingCommand()
    for index in utf8.indices {
      let byte = utf8[index]
      let isBracket = command.isBracket(UInt32(byte))
      let control = byte >= 0x80 ? PlainBytes.control(in: utf8, at: index) : nil
      guard isBracket || control != nil || PlainBytes.mustEscape(byte) else { continue }
      append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
      if let control {
        append(codeUnit: control.codeUnit)
      } else if isBracket {
        append(codeUnit: UInt16(byte))
      } else {
        append(escaped: byte)
      }
      start = index + (control?.count ?? 1)
    }
    append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    append(UInt8(ascii: "\""))
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append(contentsOf: "\\\"".utf8)
    case UInt8(ascii: "\\"): append(contentsOf: "\\\\".utf8)
    case 0x08: append(contentsOf: "\\b".utf8)
    case 0x09: append(contentsOf: "\\t".utf8)
    case 0x0A: append(contentsOf: "\\n".utf8)
    case 0x0C: append(contentsOf: "\\f".utf8)
    case 0x0D: append(contentsOf: "\\r".utf8)
    default: append(codeUnit: UInt16(byte))
    }
  }

  /// Appends `\u` and four digits.
  private mutating func append(codeUnit: UInt16) {
    append(contentsOf: "\\u".utf8)
    let digits = String(codeUnit, radix: 16)
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
    append(contentsOf: digits.utf8)
  }
}
