package import AppBoot

/// A report that writes a check's result as Markdown: verdict, culprit, comparison, then the shown launch.
package struct CheckMarkdown {
  private static let rowLimit = 30

  private let check: CheckSummary

  package init(_ check: CheckSummary) { self.check = check }

  /// Returns the Markdown of the check, with the launch that it shows.
  package func text(of record: StartupRecord) -> String {
    let head = Self.heading(check.verdict, summary: check.line, warnings: check.mergedWarnings) + table
    var report = MarkdownReport(limit: MarkdownReport.commentLimit - head.utf8.count)
    report.caption = record.succeeded ? check.caption(of: record) : nil
    return head + report.text(of: record)
  }

  /// Returns the heading with the check's verdict, then each warning as a quote.
  static func heading(_ verdict: CheckSummary.Verdict, summary: String, warnings: [CheckFinding]) -> String {
    let mark =
      switch verdict {
      case .passed: "✅"
      case .failed: "❌"
      case .inconclusive: "❔"
      }
    var text = "## \(mark) \(MarkdownText.code(String(summary.prefix(2000))))\n\n"
    for warning in warnings.prefix(rowLimit) {
      text += "> ⚠️ \(MarkdownText.code(String(warning.message.prefix(500))))\n\n"
    }
    let hidden = warnings.count - rowLimit
    return text + (hidden > 0 ? "> \(hidden) more warnings are not shown.\n\n" : "")
  }

  /// The table of the comparison with the baseline, largest change of time first; empty if nothing was compared.
  var table: String {
    let rows = check.rows
    guard !rows.isEmpty else { return "" }
    var text = "| Against the baseline | Before | Now | Change | |\n|---|--:|--:|--:|---|\n"
    for row in rows.prefix(Self.rowLimit) {
      let name = row.test.subject == .launch ? row.name : MarkdownText.code(String(row.name.prefix(100)))
      let decision = row.isSlower ? "**\(row.decision)**" : ""
      let numbers = [row.words.base, row.words.head, row.words.change].map(MarkdownText.number)
      text += "| \(name) | \(numbers.joined(separator: " | ")) | \(decision) |\n"
    }
    if rows.count > Self.rowLimit { text += "\n\(rows.count - Self.rowLimit) more are not shown.\n" }
    return text + "\nThe fast launches of each side; decisions leave out the machine's own slowdown.\n\n"
  }
}
