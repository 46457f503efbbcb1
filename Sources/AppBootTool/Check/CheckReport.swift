import AppBoot
import AppBootRecords
import AppBootReports

/// The files, the JSON and the GitHub annotations that show a check's result.
struct CheckReport {
  let verdict: CheckVerdict
  private let check: CheckSummary

  init(_ verdict: CheckVerdict) {
    self.verdict = verdict
    check = verdict.check
  }

  private func render(_ body: (StartupRecord) -> String) -> String { verdict.shown.map(body) ?? "" }

  /// The records of all launches, one on each line. `--baseline` reads this format.
  var recordLines: String { verdict.records.map { $0.json(pretty: false) + "\n" }.joined() }

  /// The JUnit XML with a case for the check itself, then the shown launch.
  var junit: String { render { JUnitReport().text(of: $0, check: check) } }

  /// The Markdown with the result, the comparison with the baseline, and the shown launch.
  var markdown: String { render { CheckMarkdown(check).text(of: $0) } }

  /// The HTML page with the result, the comparison with the baseline, and the shown launch.
  var html: String { render { LaunchPage().text(of: $0, check: check) } }

  /// The JSON with the result and the counts over all launches.
  var json: String { CheckJSON(check).text(of: verdict.records, exitCode: verdict.exit.code) }

  /// The annotations for GitHub Actions, at the manifest's lines.
  var annotations: String {
    render { record in
      // The shown launch has annotations for its own failures, except those that the warnings count.
      let failed = Set(record.failures.filter { !$0.isAllowedFailure }.map(\.id))
      let errors = verdict.failed == nil ? check.findings : []
      let warnings = check.mergedWarnings { $0.step.map { !failed.contains($0) } ?? false }
      return GitHubAnnotations(includesWarnings: false, fileNamed: GitHubActions.path)
        .text(of: record, errors: errors, warnings: warnings)
    }
  }
}
