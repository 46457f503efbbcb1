/// A calculator of a text's terminal columns, after UAX #11 (East Asian Width) and UTS #51 (emoji).
///
/// Ambiguous characters count as one column, as UAX #11 advises outside East Asian legacy encodings.
package enum DisplayWidth {
  /// Returns the columns of a text on one line. Control characters have no width.
  package static func of(_ text: String) -> Int {
    isPrintableASCII(text) ? text.utf8.count : text.reduce(0) { $0 + of($1) }
  }

  /// Returns whether all characters are printable ASCII, as in most texts.
  package static func isPrintableASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// Returns the columns of a character (grapheme cluster).
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    if isEmojiSequence(scalars) { return 2 }
    return scalars.reduce(0) { $0 + of($1) }
  }

  /// Returns the columns of a scalar: 0 for marks, controls and formats, 2 for wide scalars and emoji, otherwise 1.
  package static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 {
      return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1
    }
    if isZeroWidth(scalar) { return 0 }
    guard value >= 0x1100 else { return 1 }
    return isWide(value) || scalar.properties.isEmojiPresentation ? 2 : 1
  }

  /// Returns the text padded with spaces on the right. A text that is too long is returned unchanged.
  package static func pad(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - of(text)))
  }

  /// Returns whether scalars are one emoji: with a presentation selector, a keycap, a flag, or several joined into one.
  private static func isEmojiSequence(_ scalars: Character.UnicodeScalarView) -> Bool {
    guard scalars.count > 1, let first = scalars.first else { return false }
    if (0x1F1E6...0x1F1FF).contains(first.value) { return true }
    guard first.properties.isEmoji else { return false }
    return scalars.dropFirst().contains { scalar in
      scalar.value == 0xFE0F || scalar.value == 0x200D || scalar.properties.isEmojiModifier
    }
  }

  private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Hangul vowels and final consonants join the wide initial before them.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return true
    // Number signs and similar formats are visible nevertheless.
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }

  /// Returns whether a scalar is wide: classes W and F in `EastAsianWidth.txt` of Unicode 16.
  ///
  /// Emoji are left out, because Swift has a property for them. Unassigned gaps inside the blocks count as wide.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
      0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1D300...0x1D356, 0x1D360...0x1D376,
      0x1F200...0x1F265, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
