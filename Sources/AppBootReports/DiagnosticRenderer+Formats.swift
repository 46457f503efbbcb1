package import AppBoot

extension DiagnosticRenderer {
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
    VisibleText.withoutColors(text).unicodeScalars.reduce(into: "") { result, scalar in
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
