/// Bytes as hexadecimal digits and back.
package enum Hexadecimal {
  /// Two lower-case digits a byte.
  package static func text(of bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
      for (index, byte) in bytes.enumerated() {
        digits.initializeElement(at: 2 * index, to: digit(byte >> 4))
        digits.initializeElement(at: 2 * index + 1, to: digit(byte & 15))
      }
      return 2 * bytes.count
    }
  }

  /// `nil` where the text has an odd number of characters, or any that is no hexadecimal digit.
  package static func bytes(of text: String) -> [UInt8]? {
    let digits = text.map(\.hexDigitValue)
    guard digits.count.isMultiple(of: 2), !digits.isEmpty else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: high << 4 | low))
    }
    return bytes
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
