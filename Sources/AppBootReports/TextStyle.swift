import AppBoot

/// How text is written: how wide, in colour or not, in ASCII or not.
public struct TextStyle: Sendable, Hashable {
  /// The width in columns; `nil` for as wide as it gets.
  public var width: Int?
  /// Whether colours are used (ECMA-48, SGR).
  public var usesColor: Bool
  /// Whether to use no characters beyond ASCII.
  public var usesASCII: Bool
  /// Whether foreign texts are kept from being workflow commands: where GitHub Actions reads what is written.
  package var breaksWorkflowCommands = false

  /// Creates a style; by default plain UTF-8 of any width.
  public init(width: Int? = nil, usesColor: Bool = false, usesASCII: Bool = false) {
    self.width = width.map { max(20, $0) }
    self.usesColor = usesColor
    self.usesASCII = usesASCII
  }

  /// What a colour means.
  package enum Role: String, Sendable {
    case success = "32"
    case failure = "1;31"
    case warning = "33"
    case accent = "36"
    case heading = "1"
    case faint = "2"
  }

  /// The text in the role's colour, where colours are used.
  package func paint(_ text: String, _ role: Role) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// One line of a foreign text made safe for a terminal, with spaces for line breaks and tabs.
  package func visible(_ text: String) -> String {
    let line = DisplayWidth.isPrintableASCII(text) ? text : shown(text)
    return breaksWorkflowCommands ? VisibleText.inert(line) : line
  }

  private func shown(_ text: String) -> String {
    VisibleText.of(String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }), ascii: usesASCII)
  }

  /// The text in at most so many columns, with an ellipsis where something was cut off.
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
    return result + ellipsis
  }

  /// The lines of a foreign text, each made safe for a terminal.
  package func lines(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { visible(String($0)) }
  }

  /// The text's lines, broken between words so that none is wider than so many columns.
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
    // Of several spaces, as in a table, all are kept within a line.
    var gap = ""
    for word in line.drop(while: { $0 == " " }).split(separator: " ", omittingEmptySubsequences: false) {
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

  /// A word, cut where it is wider than a line.
  private func pieces(of word: Substring, columns: Int) -> [String] {
    guard DisplayWidth.of(String(word)) > columns else { return [String(word)] }
    var pieces: [String] = []
    var current = ""
    for character in word {
      if !current.isEmpty, DisplayWidth.of(current) + DisplayWidth.of(character) > columns {
        pieces.append(current)
        current = ""
      }
      current.append(character)
    }
    return pieces + [current]
  }
}
