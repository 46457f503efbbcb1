/// The form of a comparison's report.
package enum ComparisonFormat: String, Sendable, Hashable, CaseIterable {
  /// Text for a terminal.
  case text
  /// JSON for programs.
  case json
  /// Markdown for a pull request.
  case markdown

  /// Returns the comparison in this form; it ends with a line feed.
  package func render(_ comparison: Comparison) -> String {
    switch self {
    case .text: ComparisonText().text(of: comparison)
    case .json: ComparisonJSON().text(of: comparison)
    case .markdown: ComparisonMarkdown().text(of: comparison)
    }
  }
}
