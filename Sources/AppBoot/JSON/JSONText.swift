extension [UInt8] {
  /// Appends a text as a JSON string, with its quotation marks and escapes.
  ///
  /// Escaped is what RFC 8259 requires, what terminals and CI systems act on, and the bracket of a logging command.
  package mutating func append(quoted text: String) {
    append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && !"\"\\#".utf8.contains($0) }) {
      append(contentsOf: text.utf8)
    } else {
      var command = LoggingCommand()
      for scalar in text.unicodeScalars {
        let isBracket = command.isBracket(scalar.value)
        append(contentsOf: (scalar.jsonEscape(isBracket || scalar.isActedOn) ?? String(scalar)).utf8)
      }
    }
    append(UInt8(ascii: "\""))
  }
}

extension String {
  /// The text as a JSON string, with its quotation marks and escapes.
  package var asJSON: String {
    var bytes: [UInt8] = []
    bytes.append(quoted: self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Returns the escape of the character in a JSON string (RFC 8259 section 7); `nil` if it is written as it is.
  ///
  /// - Parameters:
  ///   - isWanted: True to escape a character that needs no escape.
  ///   - isUpper: True for hexadecimal digits in upper case.
  func jsonEscape(_ isWanted: Bool, isUpper: Bool = false) -> String? {
    switch self {
    case "\"" where isWanted: "\\u0022"
    case "\"", "\\": "\\\(self)"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\u{8}": "\\b"
    case "\u{C}": "\\f"
    case "/" where isWanted: "\\/"
    default:
      value < 0x20 || isWanted
        ? String(self).utf16.map { unit in
          let digits = String(unit, radix: 16, uppercase: isUpper)
          return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined() : nil
    }
  }

  /// True for a character that JSON allows, but that terminals and CI systems act on: DEL and C1 controls, separators
  /// of lines, and direction controls (UAX #9).
  var isActedOn: Bool {
    switch value {
    case 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
