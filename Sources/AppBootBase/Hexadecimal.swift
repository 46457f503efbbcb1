/// A converter between bytes and hexadecimal digits.
package enum Hexadecimal {
  /// Returns bytes as text, with two lower-case digits for each byte.
  package static func text(of bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
      for (index, byte) in bytes.enumerated() {
        digits.initializeElement(at: 2 * index, to: digit(byte >> 4))
        digits.initializeElement(at: 2 * index + 1, to: digit(byte & 15))
      }
      return 2 * bytes.count
    }
  }

  /// Returns the bytes of a text.
  ///
  /// Returns `nil` if the text is empty, has an odd length, or has a character that is not a hexadecimal digit.
  package static func bytes(of text: String) -> [UInt8]? {
    let digits = text.utf8.map(value(of:))
    guard digits.count.isMultiple(of: 2), !digits.isEmpty else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Returns the value of a hexadecimal digit, from 0 to 15; `nil` for any other byte.
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Returns the lower-case digit of a value from 0 to 15.
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
