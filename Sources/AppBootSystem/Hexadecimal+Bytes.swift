extension Hexadecimal {
  /// Returns bytes as text, with two lower-case digits for each byte.
  package static func text(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
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
}

/// A generator of unpredictable bytes. It uses the system's generator.
package enum SecureRandom {
  /// Returns `count` random bytes as hexadecimal text, with two lower-case digits for each byte.
  package static func hexadecimal(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return Hexadecimal.text(of: (0..<count).map { _ in generator.next() })
  }
}
