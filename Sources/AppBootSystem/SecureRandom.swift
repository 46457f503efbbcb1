/// A generator of unpredictable bytes. It uses the system's generator.
package enum SecureRandom {
  /// Returns `count` random bytes as hexadecimal text, with two lower-case digits for each byte.
  package static func hexadecimal(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return Hexadecimal.text(of: (0..<count).map { _ in generator.next() })
  }
}
