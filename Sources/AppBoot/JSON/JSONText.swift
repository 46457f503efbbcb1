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
      for scalar in text.unicodeScalars { append(scalar, isBracket: command.isBracket(scalar.value)) }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(_ scalar: Unicode.Scalar, isBracket: Bool) {
    switch scalar {
    case "\"": append(contentsOf: "\\\"".utf8)
    case "\\": append(contentsOf: "\\\\".utf8)
    case "\u{8}": append(contentsOf: "\\b".utf8)
    case "\t": append(contentsOf: "\\t".utf8)
    case "\n": append(contentsOf: "\\n".utf8)
    case "\u{C}": append(contentsOf: "\\f".utf8)
    case "\r": append(contentsOf: "\\r".utf8)
    case _ where isBracket || scalar.value < 0x20 || scalar.isActedOn:
      let digits = String(scalar.value, radix: 16)
      append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    default: append(contentsOf: String(scalar).utf8)
    }
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
  /// True for a character that JSON allows, but that terminals and CI systems act on: DEL and C1 controls, separators
  /// of lines, and direction controls (UAX #9).
  var isActedOn: Bool {
    switch value {
    case 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
