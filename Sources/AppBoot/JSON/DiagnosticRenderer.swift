/// A renderer of diagnostics for people, for editors and for GitHub Actions.
package struct DiagnosticRenderer: Sendable {
  /// The output format.
  package enum Format: String, Sendable, CaseIterable {
    /// Text for people: the line, a marker below it, and the help.
    case text
    /// JSON for editors: an array of objects.
    case json
    /// Workflow commands for GitHub Actions. GitHub shows them as annotations of the lines.
    case github
  }

  /// True if the text is coloured with ANSI escape sequences.
  package var usesColor: Bool
  /// True if the text is limited to ASCII.
  package var usesASCII: Bool
  /// The maximum number of columns of a source line that are shown.
  package var excerptWidth: Int
  /// The title of GitHub annotations.
  package var title: String
  /// A function that returns the path of a file for GitHub annotations.
  ///
  /// GitHub needs a path that is relative to the repository's root. By default the path does not change.
  package var fileNamed: @Sendable (String) -> String = { $0 }
  /// True if texts that GitHub Actions would read as workflow commands are escaped.
  package var breaksWorkflowCommands = false

  /// The minimum of ``excerptWidth``.
  private static let narrowest = 10

  /// Creates a renderer.
  package init(
    usesColor: Bool = false, usesASCII: Bool = false, excerptWidth: Int = 100, title: String = "appboot"
  ) {
    self.usesColor = usesColor
    self.usesASCII = usesASCII
    self.excerptWidth = max(Self.narrowest, excerptWidth)
    self.title = title
  }

  /// Returns the diagnostics in a format, sorted by their places. Each line ends with a line feed.
  package func render(_ diagnostics: [Diagnostic], in source: SourceText, as format: Format) -> String {
    switch format {
    case .text: text(diagnostics, in: source)
    case .json: json(diagnostics, in: source)
    case .github: github(diagnostics, in: source)
    }
  }

  // MARK: Text

  /// Returns the diagnostics as text: place and message, the line with a marker, the help, and the notes in the same
  /// form.
  package func text(_ diagnostics: [Diagnostic], in source: SourceText) -> String {
    let files = SourceFiles(source)
    var output = ""
    for diagnostic in diagnostics.sortedByPosition() {
      append(diagnostic, in: files, to: &output)
    }
    return output
  }

  private func append(_ diagnostic: Diagnostic, in files: SourceFiles, to output: inout String) {
    let severity = diagnostic.severity
    append(severity, diagnostic.message, at: diagnostic.range, in: files, to: &output)
    for help in diagnostic.help {
      output += "\(paint("help:", .cyan)) \(visible(help))\n"
    }
    for note in diagnostic.notes {
      append(.note, note.message, at: note.range, in: files, to: &output)
    }
  }

  private func append(
    _ severity: Diagnostic.Severity, _ message: String, at range: SourceRange, in files: SourceFiles,
    to output: inout String
  ) {
    let (lines, range) = files.place(of: range)
    let color = Color(severity)
    let location = lines.location(of: Int(range.start))
    let place = paint("\(visible(lines.source.name)):\(location):", .bold)
    output += "\(place) \(paint("\(severity.rawValue):", color)) \(paint(visible(message), .bold))\n"

    let number = String(location.line)
    let width = max(Self.narrowest, excerptWidth - max(0, number.count - 5))
    let excerpt = SourceExcerpt(of: range, in: lines, width: width, ascii: usesASCII)
    let gutter = String(repeating: " ", count: max(0, 5 - number.count)) + number
    let blank = String(repeating: " ", count: gutter.count)
    output += "\(paint("\(gutter) |", .dim))\(excerpt.line.isEmpty ? "" : " ")\(inert(excerpt.line))\n"
    let indent = String(repeating: " ", count: excerpt.markerColumn)
    output += "\(paint("\(blank) |", .dim)) \(indent)\(paint(excerpt.marker, color))\n"
  }

  private func visible(_ text: String) -> String { inert(VisibleText.of(text, ascii: usesASCII)) }

  private func inert(_ line: String) -> String { breaksWorkflowCommands ? VisibleText.inert(line) : line }

  /// The parameters of escape sequences for colours (ECMA-48, SGR).
  private enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case yellow = "1;33"
    case cyan = "1;36"

    init(_ severity: Diagnostic.Severity) {
      switch severity {
      case .error: self = .red
      case .warning: self = .yellow
      case .note: self = .cyan
      }
    }
  }

  private func paint(_ text: String, _ color: Color) -> String {
    usesColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  // MARK: JSON

  /// Returns the diagnostics as a JSON array of objects.
  ///
  /// Lines and columns begin at 1, offsets are bytes from 0, ends are exclusive.
  package func json(_ diagnostics: [Diagnostic], in source: SourceText) -> String {
    let files = SourceFiles(source)
    var json = JSONWriter(pretty: true)
    json.array { json in
      for diagnostic in diagnostics.sortedByPosition() {
        json.object { json in
          let (lines, range) = files.place(of: diagnostic.range)
          json.member("file", lines.source.name)
          write(range, in: lines, to: &json)
          json.member("severity", diagnostic.severity.rawValue)
          json.member("message", diagnostic.message)
          json.member("help", diagnostic.help)
          json.key("notes")
          json.array { json in
            for note in diagnostic.notes { write(note, besides: lines.source.name, in: files, to: &json) }
          }
        }
      }
    }
    json.endLine()
    return json.text
  }

  /// Writes a note as JSON. Writes the note's file only if it is not the diagnostic's file.
  private func write(
    _ note: Diagnostic.Note, besides file: String, in files: SourceFiles, to json: inout JSONWriter
  ) {
    json.object { json in
      let (lines, range) = files.place(of: note.range)
      if lines.source.name != file { json.member("file", lines.source.name) }
      write(range, in: lines, to: &json)
      json.member("message", note.message)
    }
  }

  private func write(_ range: SourceRange, in lines: SourceLines, to json: inout JSONWriter) {
    let start = lines.location(of: Int(range.start))
    let end = lines.location(of: Int(range.end))
    json.member("line", start.line)
    json.member("column", start.column)
    json.member("endLine", end.line)
    json.member("endColumn", end.column)
    json.member("offset", range.start)
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
    return "::\(githubName(severity)) \(properties.joined(separator: ","))::\(data(message))"
  }

  private func githubName(_ severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .note: "notice"
    }
  }

  private func data(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result += VisibleText.of(String(scalar), ascii: usesASCII)
      }
    }
  }

  private func property(_ text: String) -> String {
    data(text).unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case ":": result += "%3A"
      case ",": result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
