extension [UInt8] {
  /// Appends a whole number in decimal digits, in one piece.
  mutating func append(decimal number: UInt64) {
    guard number >= 10 else { return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)) }
    // No number of 64 bits has more than 20 digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var start = digits.count
      while rest > 0 {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Appends a text as a JSON string, with its quotation marks and what must be escaped.
  mutating func append(quoted text: String) {
    var text = text
    text.withUTF8 { utf8 in
      // Most texts are short and plain: they go in as one piece.
      if utf8.count > 62 || !appendPlain(utf8) { appendEscaped(utf8) }
    }
  }

  /// Appends a text of up to 62 bytes in quotation marks, unless something in it must be escaped.
  private mutating func appendPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { piece in
      piece.initializeElement(at: 0, to: UInt8(ascii: "\""))
      var end = 1
      for byte in utf8 {
        if mustEscape(byte) { return false }
        piece.initializeElement(at: end, to: byte)
        end += 1
      }
      piece.initializeElement(at: end, to: UInt8(ascii: "\""))
      append(contentsOf: UnsafeBufferPointer(rebasing: piece[...end]))
      return true
    }
  }

  private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    var start = 0
    for index in utf8.indices where mustEscape(utf8[index]) {
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

/// RFC 8259 section 7; DEL besides, so that no control byte reaches a terminal.
@inline(__always)
private func mustEscape(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
}
