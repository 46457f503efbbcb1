/// The forms in which a comparison can be shown.
public enum ComparisonFormat: String, Sendable, Hashable, CaseIterable {
  /// For a terminal.
  case text
  /// For programs.
  case json
  /// For a pull request.
  case markdown

  /// The comparison in this form; it ends with a line feed.
  public func render(_ comparison: Comparison) -> String {
    switch self {
    case .text: ComparisonText().text(of: comparison)
    case .json: ComparisonJSON().text(of: comparison)
    case .markdown: ComparisonMarkdown().text(of: comparison)
    }
  }
}
