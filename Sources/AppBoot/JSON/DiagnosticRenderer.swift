/// A renderer of diagnostics as text for people: the line, a marker below it, and the help.
package struct DiagnosticRenderer: Sendable {
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
}
