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
  /// of lines, and invisible controls.
  var isActedOn: Bool {
    switch value {
    case 0x7F...0x9F, 0x2028, 0x2029: true
    default: isInvisibleControl
    }
  }

  /// True for a direction control (UAX #9), and for a tag that only programs see (Unicode, chapter 23.9).
  package var isInvisibleControl: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: true
    default: false
    }
  }
}

/// A namespace for functions that make texts safe for a terminal.
///
/// Safe texts cannot move the cursor, change colours or hide text.
package enum VisibleText {
  /// Returns the text with control and format characters shown as `<U+001B>`.
  @Sendable
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isHidden(scalar) { result += "<\(scalar.codePoint)>" } else { result.unicodeScalars.append(scalar) }
    }
  }

  /// Returns whether a scalar has an effect but no shape: controls, direction overrides and others.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value >= 0x20, scalar.value < 0x7F { return false }
    switch scalar.value {
    // Joiners are parts of emoji and of words in several scripts.
    case 0x200C, 0x200D: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }
}

extension Unicode.Scalar {
  /// The code point, for example `U+001B`.
  package var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

extension String {
  /// Returns the text. A text of more than `count` Unicode scalars is cut to that number, and ends with an ellipsis.
  package func cut(toScalars count: Int) -> String {
    guard utf8.count > count, unicodeScalars.dropFirst(count).first != nil else { return self }
    return String(unicodeScalars.prefix(count - 1)) + "…"
  }
}

/// A search for the bracket of `##[`, `##vso[` or `##teamcity[`, with which a command of a CI system begins.
///
/// Runners find them anywhere in a line (GitHub, "Workflow commands"; Microsoft, "Logging commands"; JetBrains,
/// "Service messages").
package struct LoggingCommand: Sendable {
  private var hashes = 0

  package init() {}

  /// Returns true if the next character is the bracket of a command.
  package mutating func isBracket(_ character: UInt32) -> Bool {
    if character == 0x5B {
      defer { hashes = 0 }
      return hashes >= 2
    }
    // A letter in upper or lower case.
    let isLetter = (0x61...0x7A).contains(character | 0x20)
    if character == 0x23 { hashes += 1 } else if hashes < 2 || !isLetter { hashes = 0 }
    return false
  }
}
