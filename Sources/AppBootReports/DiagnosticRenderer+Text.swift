package import AppBoot

extension DiagnosticRenderer {
  /// A part of the text that can have a colour.
  private enum Part {
    case place, severity(Diagnostic.Severity), message, helpLabel, help, gutter, line
  }

  private static let tabStop = 4

  /// Returns the diagnostics as text for people, sorted by place: place and message, the line with a marker, the help,
  /// and the notes in the same form.
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
      of: range, in: lines, severity, width: max(10, excerptWidth - max(0, number.count - 5)))
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
    let marked = expanded(text(start..<min(end, start + reach)), at: DisplayWidth.of(before))
    let after = text(end..<min(line.upperBound, end + reach))
    let rest = marked + expanded(after, at: DisplayWidth.of(before + marked))

    let left = fit(before.reversed(), to: max(width / 3, width - DisplayWidth.of(rest)))
    let right = fit(rest, to: width - DisplayWidth.of(String(left)))
    let ellipsis = visible("…")
    let head = (left.count < before.count ? ellipsis : "") + String(left.reversed())
    let tail = String(right) + (right.count < rest.count ? ellipsis : "")
    let marks = min(DisplayWidth.of(marked), DisplayWidth.of(String(right)))
    let tildes = String(repeating: "~", count: max(0, marks - 1))
    let indent = String(repeating: " ", count: DisplayWidth.of(head))
    return (head + tail, indent + style("^" + tildes, .severity(severity)))
  }

  /// Returns the first characters that fit in a number of columns.
  private func fit(_ text: some Sequence<Character>, to columns: Int) -> [Character] {
    var room = columns
    return Array(
      text.prefix { character in
        room -= DisplayWidth.of(String(character))
        return room >= 0
      })
  }

  /// Returns a part of a line that begins at a column: visible, and with spaces instead of tabs.
  private func expanded(_ text: String, at column: Int) -> String {
    var result = ""
    for (index, piece) in text.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
      let used = column + DisplayWidth.of(result)
      if index > 0 { result += String(repeating: " ", count: Self.tabStop - used % Self.tabStop) }
      result += visible(String(piece))
    }
    return result
  }

  private func visible(_ text: String) -> String { VisibleText.of(text, ascii: usesASCII) }

  /// Returns a part of the text in its colour (ECMA-48, SGR).
  private func style(_ text: String, _ part: Part) -> String {
    let text = breaksWorkflowCommands ? VisibleText.inert(text) : text
    let color =
      switch part {
      case .place, .message: "1"
      case .gutter: "2"
      case .severity(.error): "1;31"
      case .severity(.warning): "1;33"
      case .severity(.note), .helpLabel: "1;36"
      case .help, .line: ""
      }
    return usesColor && !color.isEmpty ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
  }
}
