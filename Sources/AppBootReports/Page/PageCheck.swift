import AppBoot

/// The result of a check on a page: the warnings and the comparison with the baseline.
struct PageCheck {
  private static let rowLimit = 50
  private let check: CheckSummary

  init(_ check: CheckSummary) { self.check = check }

  /// The CSS class of the verdict's badge.
  var tone: String {
    switch check.verdict {
    case .passed: check.warnings.isEmpty ? "good" : "warn"
    case .failed: "bad"
    case .inconclusive: "warn"
    }
  }

  /// Returns the HTML of what decided: the comparison and the reasons of the verdict, then the warnings. General advice
  /// comes last.
  ///
  /// - Parameter todo: The list of the reasons, or of general advice if there are none.
  func text(around todo: String) -> String {
    comparison + (check.reasons.isEmpty ? warnings + todo : todo + warnings)
  }

  /// The HTML of the words that introduce the shown launch.
  func caption(of record: LaunchRecord) -> String {
    """
    <h2>\(Markup.visible(check.caption(of: record)))</h2>

    """
  }

  private var warnings: String {
    let warnings = check.mergedWarnings
    guard !warnings.isEmpty else { return "" }
    let hidden = warnings.count - Self.rowLimit
    let items = warnings.prefix(Self.rowLimit).map { PageTodo.item($0.message, .warning) }
    return """
      <section aria-labelledby="warnings"><h2 id="warnings">Warnings</h2>
      <ul class="todo">
      \(items.joined())</ul>\(hidden > 0 ? "<p class=\"aside\">\(hidden) more are not shown.</p>" : "")</section>

      """
  }

  private var comparison: String {
    let rows = check.rows
    guard !rows.isEmpty else { return "" }
    let hidden = rows.count - Self.rowLimit
    return PageFrame.table(
      "Against the \(check.comparison?.baseName ?? "base")", id: "baseline",
      heads: [
        ("Step", ""), ("Before", "n"), ("p90", "n wide"), ("Now", "n"), ("p90", "n wide"), ("Change", "n"),
        ("Decision", ""),
      ],
      rows: rows.prefix(Self.rowLimit).map(row), note: hidden > 0 ? "\(hidden) more are not shown." : "")
  }

  private func row(_ row: CheckRow) -> String {
    PageFrame.row(
      row.name,
      [
        ("n", row.words.base), ("n wide", row.words.base90), ("n", row.words.head),
        ("n wide", row.words.head90), (row.isSlower ? "n over" : "n", row.words.change), ("", row.decision),
      ])
  }
}
