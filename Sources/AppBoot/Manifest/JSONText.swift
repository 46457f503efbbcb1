extension [UInt8] {
  /// Appends a whole number in decimal digits, in one piece.
  package mutating func append(decimal number: UInt64) {
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
    write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  private mutating func write(_ source: UnsafeBufferPointer<UInt8>) {
    let end = count + source.count
    _ = UnsafeMutableBufferPointer(rebasing: bytes[count..<end]).initialize(fromContentsOf: source)
    count = end
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

  /// A text in quotation marks; false, and nothing is written, where it is long or not all plain.
  @inline(__always)
  mutating func write(quoted utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count <= Self.longestPlainText, PlainBytes.isPlain(utf8) else { return false }
    write(UInt8(ascii: "\""))
    write(utf8)
    write(UInt8(ascii: "\""))
    return true
  }
}

/// What a JSON string holds as it is, eight bytes at a time.
enum PlainBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The high bit of each byte that is a quotation mark, a backslash, a control or not ASCII.
  ///
  /// A borrow can only set bits above the first true one: it tells the first, and whether there is any.
  @inline(__always)
  static func unusualBytes(_ word: UInt64) -> UInt64 {
    let quotes = (word ^ (ones &* 0x22)) &- ones
    let backslashes = (word ^ (ones &* 0x5C)) &- ones
    let controls = word &- ones &* 0x20
    return (quotes | backslashes | controls | word) & (ones &* 0x80)
  }

  /// Whether a text is ASCII and nothing in it must be escaped.
  @inline(__always)
  static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = UnsafeRawPointer(utf8.baseAddress) else { return true }
    var index = 0
    while index + 8 <= utf8.count {
      let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // Of bytes that are ASCII, only DEL reaches the high bit by one more.
      if (unusualBytes(word) | (word &+ ones)) & (ones &* 0x80) != 0 { return false }
      index += 8
    }
    while index < utf8.count {
      let byte = utf8[index]
      if byte >= 0x80 || mustEscape(byte) { return false }
      index += 1
    }
    return true
  }
}

/// RFC 8259 section 7; DEL besides, so that no control byte reaches a terminal.
@inline(__always)
private func mustEscape(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
}
