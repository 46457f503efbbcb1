import AppBootBase

/// A namespace for functions that decode the escapes in JSON strings.
enum JSONEscape {
  /// Returns the value of the four hexadecimal digits at an offset; `nil` if there are not four digits.
  static func hexUnit(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard start + 4 <= bytes.count else { return nil }
    var unit: UInt32 = 0
    for index in start..<start + 4 {
      guard let digit = Hexadecimal.value(of: bytes[index]) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// Returns the UTF-8 of a string's content with its escapes decoded. The escapes must be valid.
  static func unescape(_ content: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var index = content.lowerBound
    while index < content.upperBound {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < content.upperBound else {
        result.append(byte)
        index += 1
        continue
      }
      let letter = bytes[index + 1]
      if letter == UInt8(ascii: "u") {
        index += appendUnicode(at: index, in: bytes, to: &result)
      } else {
        result.append(plain(letter))
        index += 2
      }
    }
    return result
  }

  private static func plain(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  /// Appends the character of one `\u` escape or of a pair of them. Returns the number of bytes of the escapes.
  private static func appendUnicode(
    at index: Int, in bytes: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]
  ) -> Int {
    var value = hexUnit(at: index + 2, in: bytes) ?? 0xFFFD
    var length = 6
    if value & 0xFC00 == 0xD800, let low = hexUnit(at: index + 8, in: bytes), low & 0xFC00 == 0xDC00 {
      value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00)
      length = 12
    }
    result.append(contentsOf: Character(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
    return length
  }
}
