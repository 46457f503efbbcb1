package import AppBoot

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

  /// Returns the diagnostics as text for people: place and message, the line with a marker, the help, and the notes in
  /// the same form.
  package func text(_ diagnostics: [Diagnostic], in source: SourceText) -> String {
    var text = DiagnosticText()
    text.width = excerptWidth
    text.visible = { [usesASCII] in VisibleText.of($0, ascii: usesASCII) }
    text.columns = { DisplayWidth.of($0) }
    text.style = { paint(breaksWorkflowCommands ? VisibleText.inert($0) : $0, $1) }
    return text.text(diagnostics, in: source)
  }

  /// Returns a part of the text in its colour (ECMA-48, SGR).
  private func paint(_ text: String, _ part: DiagnosticText.Part) -> String {
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
