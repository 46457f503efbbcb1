/// The forms in which text can contain a secret: literal, with JSON escapes, percent-encoded and in base64.
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
      let forms = [value, written(value)] + escaped(value) + percentEncoded(value)
      return value.count >= shortestEncoded ? forms + base64(value) : forms
    }
  }

  /// Returns the bytes without white space at both ends.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }
    var rest = bytes.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return Array(rest)
  }

  /// Returns the value as the content of a JSON string of AppBoot, which escapes more than RFC 8259 requires.
  private static func written(_ value: [UInt8]) -> [UInt8] {
    var json: [UInt8] = []
    json.append(quoted: String(decoding: value, as: UTF8.self))
    return Array(json.dropFirst().dropLast())
  }

  /// Returns the value as the content of a JSON string (RFC 8259), in the forms that common encoders write.
  ///
  /// They write `/` or `\/`, and a non-ASCII character unescaped, as `\u00e9` or as `\u00E9`.
  private static func escaped(_ value: [UInt8]) -> [[UInt8]] {
    let scalars = String(decoding: value, as: UTF8.self).unicodeScalars
    return [nil, 0x20, 0].flatMap { (letterCase: UInt8?) -> [[UInt8]] in
      [
        scalars.flatMap { escaped($0, letterCase) },
        scalars.flatMap { $0 == "/" ? Array("\\/".utf8) : escaped($0, letterCase) },
      ]
    }
  }

  /// Returns a character as a part of a JSON string.
  ///
  /// - Parameter letterCase: 0x20 for lower-case hexadecimal letters, and 0 for upper-case ones; `nil` to leave
  ///   non-ASCII characters unescaped.
  private static func escaped(_ scalar: Unicode.Scalar, _ letterCase: UInt8?) -> [UInt8] {
    switch scalar {
    case "\"", "\\": [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
    case "\n": Array("\\n".utf8)
    case "\r": Array("\\r".utf8)
    case "\t": Array("\\t".utf8)
    case "\u{8}": Array("\\b".utf8)
    case "\u{C}": Array("\\f".utf8)
    case _ where scalar.value < 0x20 || (letterCase != nil && !scalar.isASCII):
      scalar.utf16.flatMap { unit in
        Array("\\u".utf8) + [12, 8, 4, 0].map { digits[Int(unit >> $0 & 15)] | (letterCase ?? 0x20) }
      }
    default: Array(scalar.utf8)
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Returns the value percent-encoded, in the forms that common encoders write.
  ///
  /// They escape all but unreserved characters (RFC 3986). Some leave `/` unescaped, and some write `+` for a space
  /// (`application/x-www-form-urlencoded`).
  private static func percentEncoded(_ value: [UInt8]) -> [[UInt8]] {
    let (slash, space) = (UInt8(ascii: "/"), UInt8(ascii: " "))
    return [
      value.flatMap { percentEncoded($0) },
      value.flatMap { $0 == slash ? [slash] : percentEncoded($0) },
      value.flatMap { $0 == space ? [UInt8(ascii: "+")] : percentEncoded($0) },
    ]
  }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      [byte]
    default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// Returns the base64 digits that depend only on the value (RFC 4648), in both alphabets.
  ///
  /// They differ for the three offsets that the value can have in a group of three bytes.
  private static func base64(_ value: [UInt8]) -> [[UInt8]] {
    let bits = value.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    return (0..<3).flatMap { offset -> [[UInt8]] in
      // The first digit also has bits of the previous byte.
      let first = (6 - 8 * offset % 6) % 6
      let groups = stride(from: first, through: bits.count - 6, by: 6).map { start in
        bits[start..<(start + 6)].reduce(0) { $0 << 1 | Int($1) }
      }
      return ["+/", "-_"].map { marks in
        let alphabet = alphabet + Array(marks.utf8)
        return groups.map { alphabet[$0] }
      }
    }
  }
}
