import AppBoot

/// A namespace for the parts of a check's Markdown that come before the launch's report.
package enum CheckMarkdown {
  private static let rowLimit = 30

  /// Returns the heading with the check's result, then each warning as a quote.
  package static func heading(isPassed: Bool, summary: String, warnings: [String]) -> String {
    var text = "## \(isPassed ? "✅" : "❌") \(MarkdownText.code(String(summary.prefix(2000))))\n\n"
    for warning in warnings { text += "> \(MarkdownText.code(String(warning.prefix(500))))\n\n" }
    return text
  }

  /// Returns the table of the comparison with the baseline, largest change of time first.
  ///
  /// Returns an empty text if the base has too few launches for a decision, or if nothing was compared.
  package static func table(_ comparison: Comparison) -> String {
    guard comparison.canDecide, !comparison.tests.isEmpty else { return "" }
    let slower = Set(comparison.slower.map(\.subject))
    let tests = comparison.tests
      .sorted { (abs($0.loss), "\($0.subject)") > (abs($1.loss), "\($1.subject)") }
    var text = "| Against the baseline | Then | Now | Change | |\n|---|--:|--:|--:|---|\n"
    for test in tests.prefix(rowLimit) {
      let name =
        switch test.subject {
        case .step(let id): MarkdownText.code(String(id.prefix(100)))
        case .launch: "the launch"
        }
      let change = EffectPercent.text(test.change, ascii: false)
      text += "| \(name) | \(TimeNumbers.brief(test.base)) | \(TimeNumbers.brief(test.head)) | \(change) "
      text += "| \(slower.contains(test.subject) ? decision(test) : "") |\n"
    }
    if tests.count > rowLimit { text += "\n\(tests.count - rowLimit) more are not shown.\n" }
    return text + "\nThe fast launches of each side; decisions leave out the machine's own slowdown.\n\n"
  }

  private static func decision(_ test: SlowdownTest) -> String {
    "**slower**" + (test.machineSlowdown == 1 ? "" : " by \(EffectPercent.unsigned(test.factor))")
  }
}
