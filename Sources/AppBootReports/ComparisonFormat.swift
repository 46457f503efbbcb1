package import AppBoot

/// A format for the report of a comparison.
package enum ComparisonFormat: String, Sendable, Hashable, CaseIterable {
  /// Text for a terminal.
  case text
  /// JSON for programs.
  case json
  /// Markdown for a pull request.
  case markdown
  /// A page that shows both sides over each other: ``LaunchPage``.
  case html

  /// Returns the comparison in this format. The text ends with a line feed.
  ///
  /// - Parameters:
  ///   - base: The launches of the base, of which a page shows one.
  ///   - head: The launches of the head, of which a page shows one.
  package func render(
    _ comparison: Comparison, base: [StartupRecord] = [], head: [StartupRecord] = []
  ) -> String {
    switch self {
    case .text: ComparisonText().text(of: comparison)
    case .json: ComparisonJSON().text(of: comparison)
    case .markdown: ComparisonMarkdown().text(of: comparison)
    case .html: LaunchPage().text(of: comparison, base: base, head: head)
    }
  }
}
