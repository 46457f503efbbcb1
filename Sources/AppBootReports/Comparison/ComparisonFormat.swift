/// A format for the report of a comparison.
package enum ComparisonFormat: String, Sendable, Hashable, CaseIterable {
  /// Text for a terminal.
  case text
  /// JSON for programs.
  case json
  /// Markdown for a pull request.
  case markdown

  /// Returns the comparison in this format. The text ends with a line feed.
  package func render(_ comparison: Comparison) -> String {
    switch self {
    case .text: ComparisonText().text(of: comparison)
    case .json: ComparisonJSON().text(of: comparison)
    case .markdown: ComparisonMarkdown().text(of: comparison)
    }
  }
}
