/// A writer of diagnostics as text for people: the place and the message, the line with a marker, and the help.
package struct DiagnosticText: Sendable {
  /// A part of the text that can have a colour.
  package enum Part: Sendable {
    case place, severity(Diagnostic.Severity), message, helpLabel, help, gutter, line
  }

  /// The maximum number of columns of a source line that are shown.
  package var width = 100
  /// Returns text from a file or a message in a form that is safe for a terminal.
  package var visible: @Sendable (String) -> String = VisibleText.of
  /// Returns the number of columns of a visible text.
  package var columns: @Sendable (String) -> Int = { $0.count }
  /// Returns a part of the text as it is shown.
  package var style: @Sendable (String, Part) -> String = { text, _ in text }

  private static let tabStop = 4

  package init() {}

  /// Returns the text of the diagnostics, sorted by place. Their notes have the same form.
  package func text(_ diagnostics: [Diagnostic], in source: SourceText) -> String {
    let files = SourceFiles(source)
    var output = ""
    for diagnostic in diagnostics.sortedByPosition() {
      output += text(diagnostic.severity, diagnostic.message, at: diagnostic.range, in: files)
      for help in diagnostic.help {
        output += "\(style("help:", .helpLabel)) \(style(visible(help), .help))\n"
      }
      for note in diagnostic.notes { output += text(.note, note.message, at: note.range, in: files) }
    }
    return output
  }

  private func text(
    _ severity: Diagnostic.Severity, _ message: String, at range: SourceRange, in files: SourceFiles
  ) -> String {
    let (lines, range) = files.place(of: range)
    let location = lines.location(of: Int(range.start))
    let place = style("\(visible(lines.source.name)):\(location):", .place)
    let label = style("\(severity.rawValue):", .severity(severity))
    let number = String(location.line)
    let gutter = String(repeating: " ", count: max(0, 5 - number.count)) + number
    let blank = String(repeating: " ", count: gutter.count)
    let (line, marker) = excerpt(
      of: range, in: lines, severity, width: max(10, width - max(0, number.count - 5)))
    return "\(place) \(label) \(style(visible(message), .message))\n"
      + "\(style("\(gutter) |", .gutter))\(line.isEmpty ? "" : " ")\(style(line, .line))\n"
      + "\(style("\(blank) |", .gutter)) \(marker)\n"
  }

  /// Returns the line of a range and the line with its marker. A long line is cut around the beginning of the range.
  private func excerpt(
    of range: SourceRange, in lines: SourceLines, _ severity: Diagnostic.Severity, width: Int
  ) -> (line: String, marker: String) {
    let line = lines.line(around: Int(range.start))
    let start = min(Int(range.start), line.upperBound)
    let end = max(start, min(Int(range.end), line.upperBound))
    // Reads only what can be visible: a line may have megabytes.
    let reach = 16 * width
    func text(_ bytes: Range<Int>) -> String { String(decoding: lines.source.bytes[bytes], as: UTF8.self) }
    let before = expanded(text(max(line.lowerBound, start - reach)..<start), at: 0)
    let marked = expanded(text(start..<min(end, start + reach)), at: columns(before))
    let after = text(end..<min(line.upperBound, end + reach))
    let rest = marked + expanded(after, at: columns(before + marked))

    let left = fit(before.reversed(), to: max(width / 3, width - columns(rest)))
    let right = fit(rest, to: width - columns(String(left)))
    let ellipsis = visible("…")
    let head = (left.count < before.count ? ellipsis : "") + String(left.reversed())
    let tail = String(right) + (right.count < rest.count ? ellipsis : "")
    let tildes = String(repeating: "~", count: max(0, min(columns(marked), columns(String(right))) - 1))
    let indent = String(repeating: " ", count: columns(head))
    return (head + tail, indent + style("^" + tildes, .severity(severity)))
  }

  /// Returns the first characters that fit in a number of columns.
  private func fit(_ text: some Sequence<Character>, to columns: Int) -> [Character] {
    var room = columns
    return Array(
      text.prefix { character in
        room -= self.columns(String(character))
        return room >= 0
      })
  }

  /// Returns a part of a line that begins at a column: visible, and with spaces instead of tabs.
  private func expanded(_ text: String, at column: Int) -> String {
    var result = ""
    for (index, piece) in text.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
      let used = column + columns(result)
      if index > 0 { result += String(repeating: " ", count: Self.tabStop - used % Self.tabStop) }
      result += visible(String(piece))
    }
    return result
  }
}
