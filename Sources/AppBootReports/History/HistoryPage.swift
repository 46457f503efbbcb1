import AppBoot
import AppBootRecords

extension LaunchPage {
  /// Returns the launches of a history as HTML: a point for each launch, and a line of times for each step.
  ///
  /// - Parameters:
  ///   - budget: The budget of the launch in nanoseconds; `nil` for none.
  ///   - reports: The addresses of the pages of single launches, by their starts.
  package func text(of report: HistoryReport, budget: Int64? = nil, reports: [String: String] = [:]) -> String
  {
    let page = HistoryPage(report, budget: budget, reports)
    return Self.document(title: "\(page.name): \(report.launches.count) launches", body: page.body)
  }
}

/// The sections of a page of many launches.
private struct HistoryPage {
  private let report: HistoryReport
  private let picture: PageTrend
  private let reports: [String: String]
  private var launches: [LaunchSummary] { report.launches }

  init(_ report: HistoryReport, budget: Int64?, _ reports: [String: String]) {
    (self.report, self.reports) = (report, reports)
    let change = report.all.trend.change.map { change in
      (
        before: change.former.map { report.all.examined[$0] },
        after: change.later.map { report.all.examined[$0] }
      )
    }
    picture = PageTrend(report.launches, change: change, budget: budget, reports)
  }

  /// The name of the newest launch.
  var name: String { launches.last?.name ?? "Launches" }

  var body: String {
    let (badge, tone) = badge
    if let only = launches.first, launches.count == 1, report.summary == nil {
      return PageVerdict.header(
        name, badge: only.failedLater == nil ? only.outcome.title : "failed later",
        tone: only.failed || only.failedLater != nil ? "bad" : "good",
        lead: "There is one launch, which took \(TimeNumbers.brief(only.duration))"
          + (only.failureText.map { ": \($0)." } ?? "."), aside: "")
        + "<main></main>\n"
    }
    return """
      \(PageVerdict.header(name, badge: badge, tone: tone, lead: lead, aside: rates))\
      <main>
      \(summary)\(launches.isEmpty ? "" : picture.text)\(steps)\(table)</main>

      """
  }

  // MARK: - The verdict

  /// The text and the CSS class of the badge.
  private var badge: (text: String, tone: String) {
    if launches.last(where: { $0.outcome != .cancelled })?.failed == true { return ("failing", "bad") }
    return switch report.all.trend {
    case .changed(let change): change.isSlower ? ("slower", "bad") : ("faster", "good")
    case .steady: ("steady", "good")
    case .tooNoisy: ("too noisy", "warn")
    case .tooFew: ("too few", "warn")
    }
  }

  private var lead: String {
    guard !launches.isEmpty else { return "There are no launches." }
    return ([HistoryText().trend(of: report)] + HistoryText().notes(of: report))
      .map { "\($0.prefix(1).uppercased())\($0.dropFirst())." }.joined(separator: " ")
  }

  private var rates: String {
    let retried = launches.count { $0.steps.contains { $0.attempts > 1 } }
    let cancelled = report.all.launch.cancelled ?? 0
    let failed = rate(report.all.launch.failures, of: launches.count - cancelled)
    return "Failed launches: \(failed)\(HistoryText.words(cancelled: cancelled)). "
      + "Launches with retries: \(rate(retried, of: launches.count))."
  }

  /// Returns a number of launches with its share, for example `3 of 40 (8 %)`.
  private func rate(_ part: Int, of count: Int) -> String {
    guard part > 0 else { return "0 of \(count)" }
    let share = Int((100 * Double(part) / Double(count)).rounded())
    return "\(part) of \(count) (\(share) %)"
  }

  // MARK: - The tables

  /// The percentiles of all launches of a directory of records; empty for a state directory.
  private var summary: String {
    guard let summary = report.summary else { return "" }
    let steps = report.summarySteps
    let hidden = steps.count - PageTable.limit
    let outcomes = summary.outcomes
    let cancelled = HistoryText.words(cancelled: summary.cancelled)
    let rows = ([summary.launch] + steps.prefix(PageTable.limit)).map { times in
      PageFrame.row(
        times.step ?? "The launch",
        [("n", "\(times.launches)")] + times.percentiles.map { ("n", TimeNumbers.brief($0)) })
    }
    return PageFrame.table(
      "All launches", id: "summary",
      heads: [("Step", ""), ("Launches", "n")] + HistorySummary.percents.map { ("p\($0)", "n") }, rows: rows,
      note:
        "\(outcomes.failures) of \(outcomes.total) launches failed\(cancelled). "
        + "Below are the newest \(launches.count)."
        + (hidden > 0 ? " \(hidden) faster steps are not shown." : ""))
  }

  private var steps: String {
    guard !report.all.steps.isEmpty else { return "" }
    let change = report.all.launch.changeTitle
    let hidden = report.all.steps.count - PageTable.limit
    return PageFrame.table(
      "Steps", id: "steps",
      heads: [
        ("Step", ""), ("Times", ""), ("Newest", "n"), ("Median", "n"),
        (change.prefix(1).uppercased() + change.dropFirst(), "n narrow"), ("Failed", "n narrow"),
        ("Retried attempts", "n narrow"),
      ],
      rows: report.stepsByChange.prefix(PageTable.limit).map(row),
      note: hidden > 0 ? "\(hidden) more steps have smaller changes." : "")
  }

  private func row(_ row: HistoryReport.Row) -> String {
    let change = row.change
    return PageFrame.row(
      row.step ?? "",
      [
        ("", PageTrend.line(row.times)),
        ("n", row.newest.map(TimeNumbers.brief) ?? ""), ("n", row.median.map(TimeNumbers.brief) ?? ""),
        ("n narrow", change == 0 ? "" : "\(change < 0 ? "−" : "+")\(TimeNumbers.brief(abs(change)))"),
        ("n narrow", rate(row.failures, of: launches.count)), ("n narrow", "\(row.retries)"),
      ])
  }

  private var table: String {
    guard !launches.isEmpty else { return "" }
    let hidden = launches.count - PageTable.limit
    return PageFrame.table(
      "Launches", id: "launches",
      heads: [
        ("Started", ""), ("Time", "n"), ("Outcome", ""), ("Failed steps", "narrow"), ("Labels", "wide"),
      ],
      rows: launches.indices.reversed().prefix(PageTable.limit).map(row(ofLaunch:)),
      note: hidden > 0 ? "The table has the newest \(PageTable.limit) of \(launches.count) launches." : "")
  }

  private func row(ofLaunch index: Int) -> String {
    let launch = launches[index]
    let later = launch.failedLater.map { ["\($0) (later)"] } ?? []
    let failed = (launch.steps.filter(\.state.isFailure).prefix(5).map(\.id) + later).joined(separator: ", ")
    let labels = launch.labels.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
    let state = launch.failed ? "failed" : launch.outcome.rawValue
    let time = PageFrame.time(launch.startedAt)
    return PageFrame.row(
      html: reports[launch.startedAt].map { "<a href=\"\(Markup.visible($0))\">\(time)</a>" } ?? time,
      id: " id=\"launch-\(index)\"",
      [
        ("n", TimeNumbers.brief(launch.duration)),
        ("", "<span class=\"state \(state)\">\(launch.outcome.title)</span>"),
        ("narrow", Markup.visible(failed)), ("wide", Markup.visible(labels)),
      ])
  }
}
