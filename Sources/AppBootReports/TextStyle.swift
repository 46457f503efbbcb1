import AppBoot
import AppBootRecords

/// The width, colours and character set of a text report.
package struct TextStyle: Sendable, Hashable {
  /// The width in columns; `nil` for no limit.
  package var width: Int?
  /// True if text is coloured with escape sequences (ECMA-48, SGR).
  package var usesColor: Bool
  /// True if text is limited to ASCII.
  package var usesASCII: Bool
  /// True if workflow commands in text from other programs are disabled. Set it if a CI runner reads the output.
  package var breaksWorkflowCommands = false

  /// Creates a style. The default is UTF-8 without colours and with any width.
  package init(width: Int? = nil, usesColor: Bool = false, usesASCII: Bool = false) {
    self.width = width.map { max(20, $0) }
    self.usesColor = usesColor
    self.usesASCII = usesASCII
  }

  /// A role of text. Each role has a colour.
  package enum Role: String, Sendable {
    case success = "32"
    case failure = "1;31"
    case warning = "33"
    case accent = "36"
    case heading = "1"
    case faint = "2"
  }

  /// Returns the text in the role's colour, or unchanged if the style has no colours.
  package func paint(_ text: String, _ role: Role) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Returns the text in the colour of a step. It is the same in all lines of a launch.
  package func paint(_ text: String, asStep step: Int) -> String {
    usesColor ? "\u{1B}[\(Self.stepColors[step % Self.stepColors.count])m\(text)\u{1B}[0m" : text
  }

  /// The colours for steps. Red is not used, because it marks failures. The bright colours come last.
  private static let stepColors = ["36", "33", "32", "35", "34", "96", "93", "92", "95", "94"]

  /// Returns text from another program, for example its output, as one line that is safe for a terminal.
  ///
  /// The program's colours are removed, and line breaks and tabs become spaces.
  package func visible(_ text: String) -> String {
    let line = DisplayWidth.isPrintableASCII(text) ? text : shown(text)
    return breaksWorkflowCommands ? VisibleText.inert(line) : line
  }

  /// Returns a line of a program's output as a terminal shows it: its tabs, its colours if the style has colours, and
  /// only the part after the last carriage return.
  package func visibleOutput(_ line: String) -> String {
    if DisplayWidth.isPrintableASCII(line) { return visible(line) }
    let parts = VisibleText.lastDrawn(line).split(separator: "\t", omittingEmptySubsequences: false)
    let text = parts.map { shown(String($0), keepsColors: usesColor) }.joined(separator: "\t")
    return breaksWorkflowCommands ? VisibleText.inert(text) : text
  }

  private func shown(_ text: String, keepsColors: Bool = false) -> String {
    VisibleText.mapping(text, keepsColors: keepsColors) { plain in
      guard plain.utf8.contains(where: { $0 >= 0x80 || (0x09...0x0D).contains($0) }) else {
        return VisibleText.of(plain, ascii: usesASCII)
      }
      return VisibleText.of(String(plain.map { $0.isNewline || $0 == "\t" ? " " : $0 }), ascii: usesASCII)
    }
  }

  /// Returns a time in nanoseconds as text with about three digits and a unit.
  package func time(_ nanoseconds: Int64) -> String {
    DurationText.brief(nanoseconds: nanoseconds, ascii: usesASCII)
  }

  /// Returns the steps of a path with arrows between them, for example `a → … → y → z`.
  ///
  /// - Parameter count: The maximum number of steps, at least 2. Of a longer path, the first third and the last steps
  ///   are shown.
  func chain(_ steps: [String], atMost count: Int) -> String {
    let arrow = usesASCII ? " -> " : " → "
    guard steps.count > count else { return steps.joined(separator: arrow) }
    let head = max(1, count / 3)
    return (steps.prefix(head) + [usesASCII ? "..." : "…"] + steps.suffix(count - head)).joined(
      separator: arrow)
  }

  /// Returns the text cut to a number of columns. A text that was cut ends with an ellipsis.
  package func fit(_ text: String, to columns: Int) -> String {
    // No character takes more columns than bytes.
    guard text.utf8.count > columns, DisplayWidth.of(text) > columns else { return text }
    let ellipsis = usesASCII ? "..." : "…"
    let room = columns - ellipsis.count
    guard room > 0 else { return String(ellipsis.prefix(max(0, columns))) }
    var result = ""
    var used = 0
    for character in text {
      let width = DisplayWidth.of(character)
      guard used + width <= room else { break }
      result.append(character)
      used += width
    }
    return TimeWords.dropCutTime(of: result, in: text) + ellipsis
  }

  /// Returns the lines of text from another program, each made safe for a terminal.
  package func lines(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { visible(String($0)) }
  }

  /// Returns the lines of a text, wrapped between words to a number of columns.
  package func wrap(_ text: String, to columns: Int) -> [String] {
    let lines = lines(text).flatMap { wrap(line: $0, to: max(1, columns)) }
    return breaksWorkflowCommands ? lines.map(VisibleText.inert) : lines
  }

  private func wrap(line: String, to columns: Int) -> [String] {
    guard DisplayWidth.of(line) > columns else { return [line] }
    let indent = line.prefix { $0 == " " }.prefix(columns / 2)
    var result: [String] = []
    var current = String(indent)
    var isEmpty = true
    // Within a line, runs of spaces stay: the text may be a table.
    var gap = ""
    for word in TimeWords.of(line.drop { $0 == " " }) {
      for piece in pieces(of: word, columns: columns - indent.count) where !piece.isEmpty {
        if !isEmpty, DisplayWidth.of(current) + gap.count + DisplayWidth.of(piece) > columns {
          result.append(current)
          current = String(indent)
          isEmpty = true
        }
        current += isEmpty ? piece : gap + piece
        isEmpty = false
        gap = ""
      }
      gap += " "
    }
    return result + [current]
  }

  /// Returns a line with line feeds between its words, so that it fits the style's width.
  ///
  /// Colours take no columns. A word that is wider than the style stays whole.
  ///
  /// - Parameter indent: The number of spaces before each line except the first.
  package func wrapped(_ line: String, indent: Int = 0) -> String {
    guard let width, Self.columns(of: line) > width else { return line }
    var text = ""
    var used = 0
    for (index, word) in TimeWords.of(line[...]).enumerated() {
      let columns = Self.columns(of: String(word))
      if index > 0, used > indent, used + 1 + columns > width {
        let isCommand = breaksWorkflowCommands && VisibleText.isWorkflowCommand(String(word))
        text += "\n" + String(repeating: " ", count: indent) + (isCommand ? "\\" : "") + word
        used = indent + columns
      } else {
        text += (index > 0 ? " " : "") + word
        used += (index > 0 ? 1 : 0) + columns
      }
    }
    return text
  }

  /// Returns the columns of a text, which may have escape sequences for colors.
  package static func columns(of text: String) -> Int { DisplayWidth.of(VisibleText.withoutColors(text)) }

  /// Splits a word that is wider than a line: after punctuation, as in a path, or else at any character.
  private func pieces(of word: Substring, columns: Int) -> [String] {
    guard DisplayWidth.of(String(word)) > columns else { return [String(word)] }
    var pieces: [String] = []
    var current = ""
    for character in word {
      if !current.isEmpty, DisplayWidth.of(current) + DisplayWidth.of(character) > columns {
        let mark = current.lastIndex { "/:,;.-_=&?".contains($0) }
        let end = mark.map { current.index(after: $0) } ?? current.endIndex
        pieces.append(String(current[..<end]))
        current.removeSubrange(..<end)
      }
      current.append(character)
    }
    return pieces + [current]
  }
}

/// A function that splits text into words. A number and its unit are one word: `12.9 ms`, `20 %`, `2m 05s`.
enum TimeWords {
  private static let units: Set<Substring> = ["ns", "µs", "us", "ms", "s", "%", "kB", "MB", "GB"]

  /// Returns the words of a line. A run of spaces gives empty words, so that the line can be put together again.
  static func of(_ line: Substring) -> [Substring] {
    var words: [Substring] = []
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if let last = words.last, isOne(last, word) {
        words[words.count - 1] = line[last.startIndex..<word.endIndex]
      } else {
        words.append(word)
      }
    }
    return words
  }

  private static func isOne(_ first: Substring, _ second: Substring) -> Bool {
    guard let end = first.last else { return false }
    let unit = second.prefix { !",;:.)".contains($0) }
    if end.isNumber { return units.contains(unit) }
    let isLonger = "hm".contains(end) && first.dropLast().last?.isNumber == true
    return isLonger && second.first?.isNumber == true && (unit.last == "s" || unit.last == "m")
  }

  /// Returns the beginning of a text that was cut, without its last time if the cut is inside that time.
  static func dropCutTime(of beginning: String, in text: String) -> String {
    let count = beginning.count
    guard let cut = text.index(text.startIndex, offsetBy: count, limitedBy: text.endIndex),
      let word = of(text[...]).first(where: { $0.startIndex < cut && cut < $0.endIndex }),
      word.contains(" ")
    else { return beginning }
    return String(text[..<word.startIndex])
  }
}

/// A namespace for functions that format nanoseconds in the units of other formats, as exact decimals.
enum TimeNumbers {
  /// Returns seconds with nine decimals, for example `0.041000000`.
  static func seconds(_ nanoseconds: Int64) -> String { decimal(nanoseconds, per: 1_000_000_000, digits: 9) }

  /// Returns microseconds with three decimals, for example `41000.000`.
  static func microseconds(_ nanoseconds: Int64) -> String { decimal(nanoseconds, per: 1000, digits: 3) }

  /// Returns a time for people, with about three digits and a unit.
  static func brief(_ nanoseconds: Int64) -> String { DurationText.brief(nanoseconds: nanoseconds) }

  /// Returns a part of a whole in percent, from 0 to 100 with three decimals, for example `12.500`.
  static func percent(_ part: Int64, of whole: Int64) -> String {
    guard whole > 0 else { return "0" }
    let thousandths = min(100_000, max(0, (Double(part) / Double(whole) * 100_000).rounded()))
    return decimal(Int64(thousandths), per: 1000, digits: 3)
  }

  private static func decimal(_ value: Int64, per unit: UInt64, digits: Int) -> String {
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: unit)
    let fraction = String(rest)
    let zeros = String(repeating: "0", count: max(0, digits - fraction.utf8.count))
    return "\(value < 0 ? "-" : "")\(whole).\(zeros)\(fraction)"
  }
}

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

extension VisibleText {
  /// Returns the text with control and format characters shown as `<U+001B>`.
  ///
  /// - Parameter ascii: True to replace all non-ASCII characters: `…`, `→` and others by similar ASCII characters, the
  ///   rest by code points.
  package static func of(_ text: String, ascii: Bool) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    return ascii ? text.reduce(into: "") { $0 += inASCII($1) } : of(text)
  }

  /// Returns a line with a backslash in each part that a CI system would execute as a command.
  ///
  /// These parts are:
  ///
  /// - `::` at the beginning, after any white space, and `##[` anywhere (GitHub, "Workflow commands")
  /// - `##vso[` anywhere (Microsoft, "Logging commands" of Azure Pipelines), and `##teamcity[` (JetBrains, "Service
  ///   messages")
  package static func inert(_ line: String) -> String {
    var result = isWorkflowCommand(line) ? "\\" : ""
    // By scalars: a mark before it would make one character of itself and the first `#`.
    var command = LoggingCommand()
    for scalar in line.unicodeScalars {
      if command.isBracket(scalar.value) { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// Returns whether a line is a workflow command of GitHub Actions: `::`, after any white space.
  package static func isWorkflowCommand(_ line: String) -> Bool {
    line.unicodeScalars.drop { $0.properties.isWhitespace }.starts(with: "::".unicodeScalars)
  }

  /// Returns a text as one line for people: without colours, and with other hidden characters shown.
  static func line(_ text: String) -> String {
    of(String(withoutColors(text).map { $0.isNewline || $0 == "\t" ? " " : $0 }))
  }

  /// Returns a character in ASCII: by a similar character, or by its code points.
  private static func inASCII(_ character: Character) -> String {
    if let plain = asciiForms[character] { return plain }
    return character.unicodeScalars.reduce(into: "") { result, scalar in
      if isHidden(scalar) || !scalar.isASCII {
        result += "<\(scalar.codePoint)>"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  /// The ASCII replacements for the non-ASCII characters in AppBoot's own messages.
  private static let asciiForms: [Character: String] = [
    "…": "...", "→": "->", "–": "-", "—": "-", "µ": "u", "×": "x", "“": "\"", "”": "\"", "’": "'",
  ]
}

extension String {
  /// Returns the text with other texts in place of some scalars. A quote and a mark after it are one character.
  func escaped(_ forms: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { $0 += forms[$1] ?? String($1) }
  }
}

extension Sequence {
  /// Returns the elements sorted by a measure, largest first. Elements with the same measure keep their order.
  func ranked(by measure: (Element) -> Int64) -> [Element] {
    enumerated().map { (measure: measure($1), place: $0, element: $1) }
      .sorted { ($1.measure, $0.place) < ($0.measure, $1.place) }.map(\.element)
  }
}
