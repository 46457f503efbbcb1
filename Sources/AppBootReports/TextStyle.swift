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

  /// Returns a line of a program's output as a terminal shows it: its tabs, and only the part after the last carriage
  /// return.
  package func visibleOutput(_ line: String) -> String {
    if DisplayWidth.isPrintableASCII(line) { return visible(line) }
    let parts = (line.split(separator: "\r").last ?? "").split(
      separator: "\t", omittingEmptySubsequences: false)
    let text = parts.map { shown(String($0)) }.joined(separator: "\t")
    return breaksWorkflowCommands ? VisibleText.inert(text) : text
  }

  private func shown(_ text: String) -> String {
    let plain = VisibleText.withoutColors(text)
    guard plain.utf8.contains(where: { $0 >= 0x80 || (0x09...0x0D).contains($0) }) else {
      return VisibleText.of(plain, ascii: usesASCII)
    }
    return VisibleText.of(String(plain.map { $0.isNewline || $0 == "\t" ? " " : $0 }), ascii: usesASCII)
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

  private static func columns(of text: String) -> Int { DisplayWidth.of(VisibleText.withoutColors(text)) }

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
