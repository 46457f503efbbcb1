public import AppBoot
import AppBootRecords
import AppBootSystem

/// A format of a report.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
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
  public func render(_ record: LaunchRecord) -> String {
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
    _ comparison: Comparison, base: [LaunchRecord] = [], head: [LaunchRecord] = []
  ) -> String {
    switch self {
    case .text: ComparisonText().text(of: comparison)
    case .json: comparison.json.text(pretty: true)
    case .markdown: ComparisonMarkdown().text(of: comparison)
    case .html: LaunchPage().text(of: comparison, base: base, head: head)
    }
  }
}

extension RecordHeader.Trace {
  /// Returns the place of a new launch: in the trace of a `traceparent`, or in a new trace without a valid one.
  ///
  /// Returns `nil` if the caller does not record the trace (the flag `sampled` is off).
  package static func joining(_ traceParent: String?) -> Self? {
    let spanID = SecureRandom.hexadecimal(bytes: 8)
    guard let parent = traceParent.flatMap(TraceParent.init) else {
      return Self(traceID: SecureRandom.hexadecimal(bytes: 16), spanID: spanID, parentID: nil)
    }
    return parent.isSampled ? Self(traceID: parent.traceID, spanID: spanID, parentID: parent.spanID) : nil
  }

  /// Returns the place of a launch that has none. The same record always has the same ids.
  static func derived(from record: LaunchRecord) -> Self {
    let traceID = SHA256.hexadecimal(of: Array(record.json(pretty: false).utf8)).prefix(32)
    let trace = Self(traceID: String(traceID), spanID: "", parentID: nil)
    return Self(traceID: trace.traceID, spanID: trace.spanID(of: "boot"), parentID: nil)
  }

  /// Returns the id of a span of the launch.
  func spanID(of path: String) -> String {
    String(SHA256.hexadecimal(of: Array("\(traceID)/\(spanID)/\(path)".utf8)).prefix(16))
  }

  /// Returns the id of a step's span.
  func spanID(ofStep step: Int) -> String { spanID(of: "step/\(step)") }

  /// Returns the `traceparent` for the processes of a step.
  package func traceParent(ofStep step: Int) -> String { "00-\(traceID)-\(spanID(ofStep: step))-01" }
}

/// A parsed `traceparent`, for example `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01` (W3C Trace Context).
struct TraceParent {
  let traceID: String
  let spanID: String
  /// True if the caller records the trace.
  let isSampled: Bool

  /// Parses the text; returns `nil` if it is invalid. A later version may have more parts.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 4, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
      zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 && $0.utf8.allSatisfy(Self.isDigit) }),
      parts[1...2].allSatisfy({ $0.contains { $0 != "0" } }), let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    (traceID, spanID, isSampled) = (parts[1], parts[2], flags & 1 == 1)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { "0123456789abcdef".utf8.contains(byte) }
}
