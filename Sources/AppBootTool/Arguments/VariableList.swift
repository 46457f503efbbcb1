import AppBootSystem

extension String {
  /// The members of a list in an environment variable: `NAME=VALUE,NAME=VALUE`, without the spaces around them.
  ///
  /// The value of a member without `=` is `nil`. In a value, `%2C` is a comma (W3C Baggage).
  var members: [(name: String, value: String?)] {
    split(separator: ",").compactMap { member in
      let (name, value) = String(member).splitAtEquals()
      let trimmed = name.trimmed
      return trimmed.isEmpty && value == nil ? nil : (trimmed, value?.trimmed.percentDecoded)
    }
  }

  private var trimmed: String {
    String(String(drop { $0 == " " }.reversed()).drop { $0 == " " }.reversed())
  }

  /// The text with `%41` as `A`. A `%` without two hexadecimal digits stays.
  private var percentDecoded: String {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap(Hexadecimal.value(of:))
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        bytes.append(digits[0] << 4 | digits[1])
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
