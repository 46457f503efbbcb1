extension [UInt8] {
  /// Appends a whole number in decimal digits, in one piece.
  mutating func append(decimal number: UInt64) {
    append(upTo: BytePen.longestNumber) { $0.write(decimal: number) }
  }

  /// Appends a text as a JSON string, with its quotation marks and what must be escaped.
  mutating func append(quoted text: String) {
    var text = text
    text.withUTF8 { utf8 in
      // Most texts are short and plain: they go in as one piece.
      let isPlain = append(upTo: BytePen.longestPlainText + 2) { $0.write(quoted: utf8) }
      if !isPlain { appendEscaped(utf8) }
    }
  }

  /// Appends up to so many bytes in one piece, put together on the stack; what the closure answers with is passed on.
  @inline(__always)
  mutating func append<Result>(upTo capacity: Int, _ write: (inout BytePen) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { bytes in
      var pen = BytePen(bytes)
      let result = write(&pen)
      append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<pen.count]))
      return result
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

/// Writes bytes one behind the other into memory that somebody else has, and that has room for them.
struct BytePen {
  /// No number of 64 bits has more digits, or a sign and more.
  static let longestNumber = 20
  /// Longer texts are better copied at once.
  static let longestPlainText = 62

  private let bytes: UnsafeMutableBufferPointer<UInt8>
  /// How many were written.
  private(set) var count = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func write(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    let source = UnsafeBufferPointer(start: text.utf8Start, count: count)
    _ = UnsafeMutableBufferPointer(rebasing: bytes[self.count..<self.count + count]).initialize(from: source)
    self.count += count
  }

  @inline(__always)
  private mutating func write(_ byte: UInt8) {
    bytes.initializeElement(at: count, to: byte)
    count += 1
  }

  /// A whole number.
  mutating func write(_ number: Int64) {
    if number < 0 { write(UInt8(ascii: "-")) }
    write(decimal: number.magnitude)
  }

  /// A whole number in decimal digits.
  mutating func write(decimal number: UInt64) {
    var end = count + 1
    var limit: UInt64 = 10
    while number >= limit {
      end += 1
      let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
      if overflow { break }
      limit = next
    }
    count = end
    var rest = number
    repeat {
      end -= 1
      bytes.initializeElement(at: end, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
  }

  /// A text in quotation marks; false, and nothing is written, where it is long or something in it must be escaped.
  mutating func write(quoted utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count <= Self.longestPlainText else { return false }
    let start = count
    write(UInt8(ascii: "\""))
    for byte in utf8 {
      if mustEscape(byte) {
        count = start
        return false
      }
      write(byte)
    }
    write(UInt8(ascii: "\""))
    return true
  }
}

/// RFC 8259 section 7; DEL besides, so that no control byte reaches a terminal.
@inline(__always)
private func mustEscape(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
}
