import AppBoot
import AppBootReports

/// The files and GitHub annotations that show a check's result.
struct CheckReport {
  let result: CheckLaunches.Result
  let verdict: CheckVerdict

  init(_ result: CheckLaunches.Result) {
    self.result = result
    verdict = CheckVerdict(result, style: TextStyle())
  }

  private func render(_ body: (StartupRecord) -> String) -> String { verdict.shown.map(body) ?? "" }

  /// The records of all launches, one on each line. `--baseline` reads this format.
  var recordLines: String { result.records.map { $0.json(pretty: false) + "\n" }.joined() }

  /// The JUnit XML of the shown launch, with a case for the check itself.
  var junit: String {
    render { record in
      let message = verdict.exit == .succeeded || verdict.stepFailed ? nil : verdict.reason
      return JUnitReport().text(of: record, check: message)
    }
  }

  /// The Markdown with the result, the comparison with the baseline, and the shown launch.
  var markdown: String {
    render { record in
      let head = CheckMarkdown.heading(
        isPassed: verdict.exit == .succeeded, summary: verdict.summary,
        warnings: (verdict.comparison?.warnings ?? []).map(\.words))
      let table = verdict.comparison.map { CheckMarkdown.table($0) } ?? ""
      let room = MarkdownReport.commentLimit - head.utf8.count - table.utf8.count
      return head + table + MarkdownReport(limit: room).text(of: record)
    }
  }

  var html: String { render(ReportFormat.html.render) }

  /// The annotations for GitHub Actions, at the manifest's lines.
  var annotations: String {
    render { record in
      let findings = verdict.findings.map { ($0.step, $0.message) }
      return GitHubAnnotations(includesBudgets: false, fileNamed: GitHubActions.path)
        .text(of: record, findings: findings)
    }
  }
}
