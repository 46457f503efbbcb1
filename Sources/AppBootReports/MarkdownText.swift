import AppBoot

/// A namespace for functions that escape text for Markdown as GitHub and GitLab render it.
///
/// The text is written into `<code>` or `<pre>`, which disables mentions and links. Characters with a meaning in
/// Markdown become character references, which form no structure (CommonMark 2.5).
enum MarkdownText {
  /// Returns the text as inline code on one line.
  static func code(_ text: String) -> String {
    "<code>\(references(VisibleText.line(text)))</code>"
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
