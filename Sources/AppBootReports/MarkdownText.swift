import AppBoot

/// Foreign text made safe for Markdown as GitHub and GitLab render it.
///
/// It stands in `<code>` or `<pre>`, where names and numbers are no mentions and no links, and what Markdown
/// reads as structure is written as character references, which structure cannot be made of (CommonMark 2.5).
enum MarkdownText {
  /// One line, as code.
  static func code(_ text: String) -> String {
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    return "<code>\(references(VisibleText.of(line)))</code>"
  }

  /// Several lines, as a block of code of its own.
  static func block(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return "<pre>\n\(lines.map { references(VisibleText.of(String($0))) }.joined(separator: "\n"))\n</pre>\n"
  }

  private static let structural = Set("\\`*_{}[]<>()&|~!#@:$\"'^=+%".unicodeScalars)

  private static func references(_ text: String) -> String {
    var result = ""
    var run = 0
    for scalar in text.unicodeScalars {
      // GitHub makes links of what begins with www.
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
