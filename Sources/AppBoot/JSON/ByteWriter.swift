/// Writes bytes one behind the other into memory that somebody else has, and that has room for them.
struct ByteWriter {
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
