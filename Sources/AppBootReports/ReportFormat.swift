public import AppBoot
import AppBootRecords

/// A format of a report.
public enum ReportFormat: String, Sendable, Hashable, CaseIterable {
  /// A table for a terminal: ``TextReport``.
  case text
  /// Markdown for a pull request or a CI summary: ``MarkdownReport``.
  case markdown
  /// JUnit XML for a CI server: ``JUnitReport``.
  case junit
  /// GitHub Actions annotations: ``GitHubAnnotations``.
  case github
  /// Chrome's trace event JSON for Perfetto: ``ChromeTraceReport``.
  case trace
  /// A picture of the timeline: ``SVGReport``.
  case svg
  /// A page with a waterfall and a table: ``LaunchPage``.
  case html
  /// OpenTelemetry traces as OTLP JSON: ``OTLPReport``.
  case otlp
  /// The launch as a graph with times and states, in the DOT language of Graphviz.
  case dot
  /// The same graph as a Mermaid flowchart, which GitHub and GitLab draw in Markdown.
  case mermaid
  /// The JSON of the record itself, with its levers.
  case json

  /// Returns the record in this format. Text that is not empty ends with a line feed.
  public func render(_ record: StartupRecord) -> String {
    switch self {
    case .text: TextReport(detail: .full).text(of: record)
    case .markdown: MarkdownReport().text(of: record)
    case .junit: JUnitReport().text(of: record)
    case .github: GitHubAnnotations().text(of: record)
    case .trace: ChromeTraceReport().text(of: record)
    case .svg: SVGReport().text(of: record)
    case .html: LaunchPage().text(of: record)
    case .otlp: OTLPReport().text(of: record)
    case .dot: LaunchGraph(record).dot
    case .mermaid: LaunchGraph(record).mermaid
    case .json:
      record.json { json in
        guard let levers = LeverText(record)?.json else { return }
        json.key("levers")
        levers.write(to: &json)
      } + "\n"
    }
  }
}

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
    case .json: comparison.json.text(pretty: true)
    case .markdown: ComparisonMarkdown().text(of: comparison)
    case .html: LaunchPage().text(of: comparison, base: base, head: head)
    }
  }
}
