public import AppBoot

/// The forms in which a record can be shown.
public enum ReportFormat: String, Sendable, Hashable, CaseIterable {
  /// A table for a terminal.
  case text
  /// For a pull request or a CI summary.
  case markdown
  /// JUnit XML.
  case junit
  /// Annotations of GitHub Actions.
  case github
  /// Chrome's trace event JSON, for Perfetto.
  case trace
  /// A picture of the timeline.
  case svg
  /// A page with the timeline and a sortable table.
  case html
  /// OpenTelemetry traces as OTLP JSON.
  case otlp
  /// The record itself.
  case json

  /// The record in this form; it ends with a line feed unless it is empty.
  public func render(_ record: StartupRecord) -> String {
    switch self {
    case .text: TextReport(detail: .full).text(of: record)
    case .markdown: MarkdownReport().text(of: record)
    case .junit: JUnitReport().text(of: record)
    case .github: GitHubAnnotations().text(of: record)
    case .trace: ChromeTraceReport().text(of: record)
    case .svg: SVGReport().text(of: record)
    case .html: HTMLReport().text(of: record)
    case .otlp: OTLPReport().text(of: record)
    case .json: record.json() + "\n"
    }
  }
}
