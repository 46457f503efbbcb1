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
    // Joiners and tags are parts of emoji and of words in several scripts.
    case 0x200C, 0x200D, 0xE0020...0xE007F: return false
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
