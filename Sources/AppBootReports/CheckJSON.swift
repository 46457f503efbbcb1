package import AppBoot

/// A report that writes a check's result as JSON, for programs. `Docs/json.md` explains its members.
package struct CheckJSON {
  private let check: CheckSummary

  package init(_ check: CheckSummary) { self.check = check }

  /// Returns the JSON of a check. The text ends with a line feed.
  ///
  /// - Parameters:
  ///   - records: All launches of the check.
  ///   - exitCode: The exit code of the tool.
  package func text(of records: [LaunchRecord], exitCode: Int32) -> String {
    let durations = records.filter(\.succeeded).map(\.elapsedTime)
    let outline = records.last?.outline
    let json: JSONObject = [
      "format": "appboot-check",
      "version": 1,
      "name": outline?.name ?? "",
      "verdict": check.verdict.rawValue,
      "exitCode": Int(exitCode),
      "reason": check.reason,
      "launches": check.tally.launches,
      "failedLaunches": check.tally.failedLaunches,
      "duration": durations.isEmpty ? nil : durations.median,
      "budget": outline?.budgetTime,
      "findings": check.findings.map(\.json),
      "warnings": check.warnings.map(\.json),
      "steps": check.tally.steps.indices.map { step($0, of: records) },
      "levers": check.isFailure ? nil : records.last.flatMap(LeverText.init)?.json,
      "comparison": check.comparison?.json,
    ]
    return json.text(pretty: true)
  }

  private func step(_ index: Int, of records: [LaunchRecord]) -> JSONObject {
    let step = check.tally.steps[index]
    let times = records.filter { $0.count > index && $0[index].state == .succeeded }
      .map { $0[index].execution.runningTime }
    let outline = records.last?.outline
    return [
      "id": step.id,
      "launches": step.launches,
      "failures": step.failures,
      "allowedFailures": step.allowedFailures,
      "retried": step.retried,
      "running": times.isEmpty ? nil : times.median,
      "budget": outline.flatMap { $0.count > index ? $0[index].budgetTime : nil },
    ]
  }
}

extension CheckFinding {
  fileprivate var json: JSONObject { ["step": step, "message": message] }
}

/// A report that writes a check's result as Markdown: verdict, culprit, comparison, then the shown launch.
package struct CheckMarkdown {
  private static let rowLimit = 30

  private let check: CheckSummary

  package init(_ check: CheckSummary) { self.check = check }

  /// Returns the Markdown of the check, with the launch that it shows.
  package func text(of record: LaunchRecord) -> String {
    let warnings = check.mergedWarnings
    let head =
      Self.heading(check.verdict, summary: check.line, hasWarnings: !warnings.isEmpty) + table
      + Self.quotes(of: warnings)
    var report = MarkdownReport(limit: MarkdownReport.commentLimit - head.utf8.count)
    report.showsLevers = check.reasons.isEmpty
    report.caption = record.succeeded ? check.caption(of: record) : nil
    return head + report.text(of: record)
  }

  /// Returns the heading with the check's verdict.
  static func heading(_ verdict: CheckSummary.Verdict, summary: String, hasWarnings: Bool = false) -> String {
    let mark =
      switch verdict {
      case .passed: hasWarnings ? "⚠️" : "✅"
      case .failed: "❌"
      case .inconclusive: "❔"
      }
    return "## \(mark) \(MarkdownText.bold(String(summary.prefix(2000))))\n\n"
  }

  /// Returns each warning as a quote.
  private static func quotes(of warnings: [CheckFinding]) -> String {
    let hidden = warnings.count - rowLimit
    let quotes = warnings.prefix(rowLimit).map { "⚠️ \(MarkdownText.code(String($0.message.prefix(500))))" }
    return (quotes + (hidden > 0 ? ["\(hidden) more warnings are not shown."] : [])).map { "> \($0)\n\n" }
      .joined()
  }

  /// The table of the comparison with the baseline; empty if nothing was compared.
  var table: String {
    let rows = check.rows
    guard !rows.isEmpty else { return "" }
    var text =
      "| Against the \(check.comparison?.baseName ?? "base") | Before | p90 | Now | p90 | Change | |\n"
    text += "|---|--:|--:|--:|--:|--:|---|\n"
    for row in rows.prefix(Self.rowLimit) {
      let name = row.test.subject == .launch ? row.name : MarkdownText.code(String(row.name.prefix(100)))
      let decision = row.isSlower ? "**\(row.decision)**" : row.decision
      let numbers = [row.words.base, row.words.base90, row.words.head, row.words.head90, row.words.change]
        .map(MarkdownText.number)
      text += "| \(name) | \(numbers.joined(separator: " | ")) | \(decision) |\n"
    }
    if rows.count > Self.rowLimit { text += "\n\(rows.count - Self.rowLimit) more are not shown.\n" }
    return text + "\nMedians and 90th percentiles of all launches.\n\n"
  }
}

/// The report files of a check that ended with an error, and so has no result.
///
/// Without these files, a CI server would show the files of the previous check.
package struct CheckFailureReport {
  /// The maximum number of characters of the details in Markdown, before escaping makes them longer.
  private static let maximumCharacters = 5_000

  private let summary: String
  private let details: String

  /// Creates the reports of a failure.
  ///
  /// - Parameters:
  ///   - summary: The reason for the failure, in one line.
  ///   - details: The whole message.
  package init(summary: String, details: String) {
    self.summary = summary
    self.details = details.hasSuffix("\n") ? String(details.dropLast()) : details
  }

  /// The JUnit report: a suite with one failed case.
  package var junit: String {
    JUnitReport().text(of: LaunchRunner(LaunchPlan(sequence: [])).snapshot().record, check: details)
  }

  /// The Markdown report: the summary as a heading, then the details.
  package var markdown: String {
    CheckMarkdown.heading(.failed, summary: summary)
      + MarkdownText.block(String(details.prefix(Self.maximumCharacters))) + "\n"
  }

  /// The HTML report: a page with the summary and the details.
  package var html: String {
    LaunchPage.document(
      title: "check failed",
      body: """
        <header><h1>\(Markup.visible(summary))</h1></header>
        <main><pre>\(Markup.visibleLines(details))</pre></main>

        """)
  }
}
