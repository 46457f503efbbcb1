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
}
