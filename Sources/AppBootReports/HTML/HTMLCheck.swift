import AppBoot

/// The result of a check in the HTML report: the warnings and the comparison with the baseline.
struct HTMLCheck {
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

  /// The HTML of the section, and of the words that introduce the shown launch.
  func text(of record: StartupRecord) -> String {
    """
    \(warnings)\(comparison)<p class="lead">\(Markup.visible(check.caption(of: record))):</p>

    """
  }

  private var warnings: String {
    check.warnings.prefix(Self.rowLimit).map {
      "<div class=\"failure allowed\"><h3>\(Markup.visible($0.message))</h3></div>\n"
    }.joined()
  }

  private var comparison: String {
    let rows = check.rows
    guard !rows.isEmpty else { return "" }
    let more =
      rows.count > Self.rowLimit ? "<p>\(rows.count - Self.rowLimit) more are not shown.</p>\n" : ""
    return """
      <section aria-labelledby="baseline"><h2 id="baseline">Against the baseline</h2>
      <div class="table"><table><thead><tr><th scope="col" class="plain">Step</th>\
      <th scope="col" class="plain n">Before</th><th scope="col" class="plain n">Now</th>\
      <th scope="col" class="plain n">Change</th><th scope="col" class="plain">Decision</th></tr></thead>
      <tbody>
      \(rows.prefix(Self.rowLimit).map(row).joined())</tbody></table></div>
      \(more)</section>

      """
  }

  private func row(_ row: CheckRow) -> String {
    """
    <tr><th scope="row"><bdi>\(Markup.visible(row.name))</bdi></th><td class="n">\(row.words.base)</td>\
    <td class="n">\(row.words.head)</td><td class="n\(row.isSlower ? " over" : "")">\(row.words.change)</td>\
    <td>\(row.decision)</td></tr>

    """
  }
}
