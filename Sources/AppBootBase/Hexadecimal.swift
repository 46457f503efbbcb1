/// A converter between bytes and hexadecimal digits.
package enum Hexadecimal {
  /// Returns the value of a hexadecimal digit, from 0 to 15; `nil` for any other byte.
  package static func value(of digit: UInt8) -> UInt8? {
    Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
  }
}
