import AppBoot

/// The parts of a check's Markdown above the launch's report.
package enum CheckMarkdown {
  private static let rowLimit = 30

  /// Returns the verdict and the remarks.
  package static func heading(isPassed: Bool, summary: String, remarks: [String]) -> String {
    var text = "## \(isPassed ? "✅" : "❌") \(MarkdownText.code(String(summary.prefix(2000))))\n\n"
    for remark in remarks { text += "> \(MarkdownText.code(String(remark.prefix(500))))\n\n" }
    return text
  }

  /// Returns the comparison with the baseline, largest change first; empty without a comparison.
  package static func table(_ gate: SlowdownGate) -> String {
    guard gate.isDecisive, !gate.tests.isEmpty else { return "" }
    let slower = Set(gate.slower.map(\.subject))
    let tests = Dictionary(grouping: gate.tests, by: \.subject).values.compactMap {
      $0.max { $0.factor < $1.factor }
    }
    .sorted { (abs($0.loss), "\($0.subject)") > (abs($1.loss), "\($1.subject)") }
    var text = "| Against the baseline | Then | Now | Change | |\n|---|--:|--:|--:|---|\n"
    for test in tests.prefix(rowLimit) {
      let name =
        switch test.subject {
        case .step(let id): MarkdownText.code(String(id.prefix(100)))
        case .launch: "the launch"
        }
      let change = EffectText.percent(test.change, ascii: false)
      text += "| \(name) | \(TimeNumbers.brief(test.base)) | \(TimeNumbers.brief(test.head)) | \(change) "
      text += "| \(slower.contains(test.subject) ? verdict(test) : "") |\n"
    }
    if tests.count > rowLimit { text += "\n\(tests.count - rowLimit) more are not shown.\n" }
    return text + "\nThe fast launches of each; the verdict leaves out what other work is slower by.\n\n"
  }

  private static func verdict(_ test: SlowdownTest) -> String {
    "**slower**" + (test.pace == 1 ? "" : " by \(EffectPercent.unsigned(test.factor))")
  }
}
