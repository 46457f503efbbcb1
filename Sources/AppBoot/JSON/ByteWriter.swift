/// A writer of bytes into memory that the caller provides. The memory must be large enough.
struct ByteWriter {
  /// The maximum number of characters of a 64-bit integer in decimal form, including its sign.
  static let longestNumber = 20
  /// The maximum length in bytes of a text that ``write(quoted:)`` writes. Longer texts are copied in one piece
  /// instead.
  static let longestPlainText = 62

  private let bytes: UnsafeMutableBufferPointer<UInt8>
  /// The number of bytes written.
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

  /// Writes an integer.
  mutating func write(_ number: Int64) {
    if number < 0 { write(UInt8(ascii: "-")) }
    write(decimal: number.magnitude)
  }

  /// Writes an integer as decimal digits.
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

  /// Writes a text in quotation marks.
  ///
  /// Returns false and writes nothing if the text needs escapes, or is longer than ``longestPlainText``.
  @inline(__always)
  mutating func write(quoted utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count <= Self.longestPlainText, PlainBytes.isPlain(utf8) else { return false }
    write(UInt8(ascii: "\""))
    write(utf8)
    write(UInt8(ascii: "\""))
    return true
  }
}
