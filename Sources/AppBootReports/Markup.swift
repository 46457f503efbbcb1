import AppBoot

/// Foreign text made safe for XML and HTML, as an element's text and as an attribute's value alike.
enum Markup {
  /// For people to read: control and direction characters are shown as `<U+001B>`, on one line.
  static func visible(_ text: String) -> String {
    escaped(VisibleText.of(String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })))
  }

  /// For people to read, with its line breaks.
  static func visibleLines(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { visible(String($0)) }.joined(separator: "\n")
  }

  /// For programs: only what XML 1.0 does not allow is left out (production `Char`), and DEL and C1 controls.
  ///
  /// Line breaks and tabs are written as references, which an attribute's value keeps.
  static func xml(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: result += "&#\(scalar.value);"
      case 0..<0x20, 0x7F..<0xA0: continue
      case let value where value & 0xFFFE == 0xFFFE: continue
      default: append(scalar, to: &result)
      }
    }
    return result
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      // XML 1.0 knows no non-characters, not even as references.
      append(scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar, to: &result)
    }
    return result
  }

  private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    default: result.unicodeScalars.append(scalar)
    }
  }
}
