/// The forms of a secret that are searched: the value and its lines, each as it is, escaped and in base64.
enum SecretForms {
  /// The minimum length in bytes of a secret that is searched in base64. A shorter one determines too few base64
  /// digits.
  private static let shortestEncoded = 8

  /// Returns all forms of a value and of each of its lines; empty if the value is too short.
  ///
  /// White space at both ends of the value and of its lines is ignored.
  ///
  /// - Parameter shortest: The minimum length in bytes of a value or line.
  static func all(of value: String, shortest: Int) -> [[UInt8]] {
    let whole = trimmed(Array(value.utf8)[...])
    guard whole.count >= shortest else { return [] }
    let lines = whole.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map(trimmed)
    let values = lines.count > 1 ? [whole] + lines : [whole]
    return values.filter { $0.count >= shortest }.flatMap { value in
      let encoded = value.count >= shortestEncoded ? base64(value) : []
      let escaped = SecretEscapes.all(of: String(decoding: value, as: UTF8.self)).map { Array($0.utf8) }
      return [value] + (escaped + encoded).filter { $0 != value }
    }
  }

  /// Returns the bytes without white space at both ends.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }
    var rest = bytes.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return Array(rest)
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The last two digits of base64: in both alphabets, and as JSON and a URL escape them.
  private static let marks = [
    ("+", "/"), ("-", "_"), ("+", "\\/"), ("\\u002B", "/"),
    ("%2B", "%2F"), ("%2b", "%2f"), ("%2B", "/"), ("%2b", "/"),
  ]

  /// Returns the base64 digits that depend only on the value (RFC 4648), in both alphabets.
  ///
  /// They differ for the three offsets that the value can have in a group of three bytes.
  private static func base64(_ value: [UInt8]) -> Set<[UInt8]> {
    (0..<3).reduce(into: []) { forms, offset in
      // The first digit also has bits of the previous byte.
      let first = (6 - 8 * offset % 6) % 6
      let digits = stride(from: first, through: 8 * value.count - 6, by: 6).map { bit in
        let next = bit / 8 + 1 < value.count ? UInt16(value[bit / 8 + 1]) : 0
        return alphabet[Int((UInt16(value[bit / 8]) << 8 | next) >> (10 - bit % 8) & 63)]
      }
      forms.insert(digits)
      guard digits.contains(UInt8(ascii: "+")) || digits.contains(UInt8(ascii: "/")) else { return }
      for (plus, slash) in marks {
        forms.insert(
          digits.reduce(into: []) { form, digit in
            switch digit {
            case UInt8(ascii: "+"): form += plus.utf8
            case UInt8(ascii: "/"): form += slash.utf8
            default: form.append(digit)
            }
          })
      }
    }
  }
}
