import AppBoot
import AppBootRecords

/// A namespace for functions that escape text for XML and HTML, in elements and in attributes.
enum Markup {
  /// Returns the text escaped as one line for people. Colours are removed, and other control and direction
  /// characters become visible, as in `<U+0007>`.
  ///
  /// A CI system finds no command in it, even at the beginning of a line.
  static func visible(_ text: String) -> String {
    escaped(VisibleText.line(text))
  }

  /// Returns the text escaped as by ``visible(_:)``, but keeps its line breaks.
  static func visibleLines(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { visible(String($0)) }.joined(separator: "\n")
  }

  /// Returns the text escaped for programs. Leaves out colours, DEL, C1 controls, and characters that XML 1.0 forbids
  /// (production `Char`).
  ///
  /// Line breaks, tabs, direction characters and invisible tags become character references, so that attributes keep
  /// them.
  static func xml(_ text: String) -> String {
    var result = ""
    var command = LoggingCommand()
    for scalar in VisibleText.withoutColors(text).unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: result += "&#\(scalar.value);"
      case _ where scalar.isInvisibleControl: result += "&#\(scalar.value);"
      case 0..<0x20, 0x7F..<0xA0: continue
      case let value where value & 0xFFFE == 0xFFFE: continue
      // A character that is left out does not separate a command from its bracket.
      case let value where command.isBracket(value): result += bracket
      default: append(scalar, to: &result)
      }
    }
    return result
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    var isCommand = VisibleText.isWorkflowCommand(text)
    var command = LoggingCommand()
    for scalar in text.unicodeScalars {
      if command.isBracket(scalar.value) {
        result += bracket
      } else if isCommand, scalar == ":" {
        result += "&#58;"
        isCommand = false
      } else {
        // XML 1.0 forbids non-characters, also as references.
        append(scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar, to: &result)
      }
    }
    return result
  }

  /// A `[` that begins no logging command.
  private static let bracket = "&#91;"

  private static let entities: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
  ]

  private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
    result += entities[scalar] ?? String(scalar)
  }
}

/// A namespace for functions that escape text for Markdown as GitHub and GitLab render it.
///
/// The text is written into `<code>` or `<pre>`, or in bold with word joiners, so it forms no mentions and no links.
/// Characters with a meaning in Markdown become character references, which form no structure (CommonMark 2.5).
enum MarkdownText {
  /// Returns the text as inline code on one line.
  static func code(_ text: String) -> String {
    "<code>\(references(VisibleText.line(text)))</code>"
  }

  /// Returns the text in bold on one line. An invisible word joiner keeps a name from becoming a mention or a link.
  static func bold(_ text: String) -> String {
    let text = references(VisibleText.line(text))
    return "**\(text.replacing("&#64;", with: "&#64;&#8288;").replacing("&#35;", with: "&#35;&#8288;"))**"
  }

  /// Returns a number for a table. A column that is too narrow does not separate it from its unit.
  static func number(_ text: String) -> String { String(text.map { $0 == " " ? "\u{A0}" : $0 }) }

  /// Returns the lines of the text as a block of code.
  static func block(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return
      "<pre>\n\(lines.map { references(VisibleText.line(String($0))) }.joined(separator: "\n"))\n</pre>\n"
  }

  private static let structural = Set("\\`*_{}[]<>()&|~!#@:$\"'^=+%".unicodeScalars)

  private static func references(_ text: String) -> String {
    var result = ""
    var run = 0
    for scalar in text.unicodeScalars {
      // GitHub turns text that begins with www. into links.
      if structural.contains(scalar) || (scalar == "." && run >= 3) {
        result += "&#\(scalar.value);"
      } else {
        result.unicodeScalars.append(scalar)
      }
      run = scalar == "w" || scalar == "W" ? run + 1 : 0
    }
    return result
  }
}
