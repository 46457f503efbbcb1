package import AppBoot
import AppBootRecords

/// A renderer of diagnostics for a terminal, for editors and for GitHub.
package struct DiagnosticRenderer: Sendable {
  /// True if the text is coloured with ANSI escape sequences.
  package var usesColor: Bool
  /// True if the text is limited to ASCII.
  package var usesASCII: Bool
  /// The maximum number of columns of a source line that are shown; at least 10.
  package var excerptWidth: Int
  /// The title of GitHub annotations.
  package var title: String
  /// A function that returns the path of a file for GitHub annotations.
  ///
  /// GitHub needs a path that is relative to the repository's root. By default the path does not change.
  package var fileNamed: @Sendable (String) -> String = { $0 }
  /// True if texts that GitHub Actions would read as workflow commands are escaped.
  package var breaksWorkflowCommands = false

  /// Creates a renderer.
  package init(
    usesColor: Bool = false, usesASCII: Bool = false, excerptWidth: Int = 100, title: String = "appboot"
  ) {
    self.usesColor = usesColor
    self.usesASCII = usesASCII
    self.excerptWidth = max(10, excerptWidth)
    self.title = title
  }

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
    let head = "\(place) \(label) \(style(visible(message), .message))\n"
    guard lines.source.isShown else { return head }
    let (line, marker) = excerpt(
      of: range, in: lines, severity, width: max(10, excerptWidth - max(0, number.count - 5)))
    return head + "\(style("\(gutter) |", .gutter))\(line.isEmpty ? "" : " ")\(style(line, .line))\n"
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

  /// The output format.
  package enum Format: String, Sendable, CaseIterable {
    /// Text for people: the line, a marker below it, and the help.
    case text
    /// JSON for editors: an array of objects.
    case json
    /// Workflow commands for GitHub Actions. GitHub shows them as annotations of the lines.
    case github
  }

  /// Returns the diagnostics in a format, sorted by their places. Each line ends with a line feed.
  package func render(_ diagnostics: [Diagnostic], in source: SourceText, as format: Format) -> String {
    switch format {
    case .text: text(diagnostics, in: source)
    case .json: json(diagnostics, in: source)
    case .github: github(diagnostics, in: source)
    }
  }

  // MARK: JSON

  /// Returns the diagnostics as a JSON array of objects.
  ///
  /// Lines and columns begin at 1, offsets are bytes from 0, ends are exclusive.
  package func json(_ diagnostics: [Diagnostic], in source: SourceText) -> String {
    let files = SourceFiles(source)
    let objects = diagnostics.sortedByPosition().map { diagnostic -> JSONObject in
      let (lines, range) = files.place(of: diagnostic.range)
      let file = lines.source.name
      return ["file": file] + json(of: range, in: lines) + [
        "severity": diagnostic.severity.rawValue,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "notes": diagnostic.notes.map { json(of: $0, besides: file, in: files) },
      ]
    }
    return objects.text(pretty: true)
  }

  /// Returns a note as JSON, with the note's file only if it is not the diagnostic's file.
  private func json(of note: Diagnostic.Note, besides file: String, in files: SourceFiles) -> JSONObject {
    let (lines, range) = files.place(of: note.range)
    let other = lines.source.name == file ? nil : lines.source.name
    return ["file": other] + json(of: range, in: lines) + ["message": note.message]
  }

  private func json(of range: SourceRange, in lines: SourceLines) -> JSONObject {
    let start = lines.location(of: Int(range.start))
    let end = lines.location(of: Int(range.end))
    return [
      "line": start.line,
      "column": start.column,
      "endLine": end.line,
      "endColumn": end.column,
      "offset": Int(range.start),
    ]
  }

  // MARK: GitHub

  /// Returns a workflow command of GitHub Actions for each diagnostic.
  ///
  /// A command is `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message` ("Workflow commands for GitHub
  /// Actions", GitHub). Texts are escaped as in `actions/toolkit`, `packages/core/src/command.ts`.
  package func github(_ diagnostics: [Diagnostic], in source: SourceText) -> String {
    let files = SourceFiles(source)
    var output = ""
    for diagnostic in diagnostics.sortedByPosition() {
      output += githubCommand(diagnostic, in: files) + "\n"
    }
    return output
  }

  private func githubCommand(_ diagnostic: Diagnostic, in files: SourceFiles) -> String {
    let (lines, range) = files.place(of: diagnostic.range)
    let place = GitHubPlace(
      file: lines.source.name, start: lines.location(of: Int(range.start)),
      end: lines.location(of: Int(range.end)))
    let message = diagnostic.message + diagnostic.help.map { "\nhelp: \($0)" }.joined()
    return githubCommand(diagnostic.severity, message, at: place)
  }

  /// The file, line and column of a GitHub annotation.
  package struct GitHubPlace {
    let file: String
    let start: SourceLocation?
    let end: SourceLocation?

    package init(file: String, start: SourceLocation?, end: SourceLocation? = nil) {
      self.file = file
      self.start = start
      self.end = end
    }
  }

  /// Returns a workflow command without its line feed. The texts are escaped, so that they cannot end the command.
  package func githubCommand(
    _ severity: Diagnostic.Severity, _ message: String, at place: GitHubPlace?
  ) -> String {
    var properties: [String] = []
    var message = message
    if let place, place.file == SourceText.standardInput {
      // Without a file there is nothing to annotate.
      message = "\(place.file)\(place.start.map { ":\($0)" } ?? ""): \(message)"
    } else if let place {
      properties.append("file=\(property(fileNamed(place.file)))")
      if let start = place.start { properties.append("line=\(start.line),col=\(start.column)") }
      if let end = place.end { properties.append("endLine=\(end.line),endColumn=\(end.column)") }
    }
    properties.append("title=\(property(title))")
    let name = severity == .note ? "notice" : severity.rawValue
    return "::\(name) \(properties.joined(separator: ","))::\(data(message))"
  }

  private func data(_ text: String) -> String {
    // Azure's runner and TeamCity's read commands anywhere in a line.
    var command = LoggingCommand()
    return VisibleText.withoutColors(text).unicodeScalars.reduce(into: "") { result, scalar in
      if command.isBracket(scalar.value) { result += "\\" }
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case "\t": result += " "
      default: result += VisibleText.of(String(scalar), ascii: usesASCII)
      }
    }
  }

  private func property(_ text: String) -> String {
    data(text).escaped([":": "%3A", ",": "%2C"])
  }
}
