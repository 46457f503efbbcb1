import AppBoot
import AppBootRecords

/// A text with the stored launches: a line of bars for the launch and for the steps that changed most, and the trend.
package struct HistoryText: Sendable {
  private static let mostSteps = 8
  private static let mostGroups = 20
  /// The number of columns of a text without a width.
  private static let widest = 100

  private let style: TextStyle
  private let listed: Int
  private var spark: Sparkline { Sparkline(ascii: style.usesASCII) }
  private var width: Int { style.width ?? Self.widest }

  /// Creates a text in a style.
  ///
  /// - Parameter listed: The most launches that are listed with their results.
  package init(style: TextStyle = TextStyle(), listed: Int = 5) {
    (self.style, self.listed) = (style, listed)
  }

  /// Returns the text. Each line ends with a line feed.
  package func text(of report: HistoryReport) -> String {
    guard let last = report.launches.last else { return "" }
    if report.launches.count == 1, report.summary == nil {
      let failure = last.failureText.map { ": \(style.visible($0))" } ?? ""
      return line("\(heading(of: report, last.name)), \(style.time(last.duration))\(failure)")
    }
    var text = line(heading(of: report, last.name)) + summary(of: report)
    if report.summary == nil, report.label == nil { text += recent(report) }
    if let label = report.label {
      return text + groups(of: report, label) + trends(of: report).map(line).joined()
    } else {
      let steps = shown(report)
      text += table([("launch", report.all.launch)] + steps.map { ($0.step ?? "", $0) }, report.all.launch)
      let rest = report.all.steps.count - steps.count
      text += style.more(rest, "step\(rest == 1 ? "" : "s") with smaller changes")
    }
    return text + ([trend(of: report)] + notes(of: report)).map(line).joined()
  }

  /// Returns the latest launches and the last failed one, the newest one first, with the numbers that `report` takes.
  ///
  /// A launch without a record has no number.
  private func recent(_ report: HistoryReport) -> String {
    let launches = report.launches
    var listed = Array(launches.indices.suffix(listed).reversed())
    let failed = launches.lastIndex { $0.failed || $0.failedLater != nil }
    if let failed, failed < listed.last ?? 0 { listed.append(failed) }
    let rows = listed.map { launches[$0] }.map { launch in
      [
        launch.recordNumber.map { "-\($0)" } ?? "", style.visible(Self.date(launch.startedAt)),
        style.time(launch.duration), launch.outcome.title,
        style.visible(launch.failedStep ?? launch.failureText ?? ""),
      ]
    }
    let table = TextTable([.leading(), .leading(), .trailing(), .leading(), .leading()], style: style)
    return table.text(rows) + "\n"
  }

  private func line(_ text: String) -> String { style.wrapped(text) + "\n" }

  private func heading(of report: HistoryReport, _ name: String) -> String {
    let count = report.summary?.total ?? report.launches.count
    let first = report.summary?.since ?? report.launches.first?.startedAt ?? ""
    let since = style.visible(Self.date(first))
    let failures = report.summary?.outcomes.failures ?? report.all.launch.failures
    let cancelled = report.summary?.cancelled ?? report.all.launch.cancelled ?? 0
    return
      "\(style.paint(style.visible(name), .heading)): \(count) launch\(count == 1 ? "" : "es") since \(since)"
      + (failures > 0 ? ", \(style.paint("\(failures) failed", .failure))" : "")
      + Self.words(cancelled: cancelled)
  }

  /// Returns the number of cancelled launches after a comma; empty for none.
  static func words(cancelled count: Int) -> String { count > 0 ? ", \(count) cancelled" : "" }

  /// Returns the date and the time of a timestamp: `2026-07-28 09:05:03`.
  private static func date(_ timestamp: String) -> String {
    String(timestamp.prefix(19).map { $0 == "T" ? " " : $0 })
  }

  /// Returns the selected steps; without a selection, the steps with the largest change.
  private func shown(_ report: HistoryReport) -> [HistoryReport.Row] {
    report.isSelection ? report.all.steps : Array(report.stepsByChange.prefix(Self.mostSteps))
  }

  // MARK: - The summary

  /// Returns the percentiles of all launches of a directory of records, and the heading of the newest launches.
  private func summary(of report: HistoryReport) -> String {
    guard let summary = report.summary else { return "" }
    let steps = report.summarySteps
    let shown = report.isSelection ? steps : Array(steps.prefix(Self.mostSteps))
    var rows = [["", "launches"] + HistorySummary.percents.map { "p\($0)" }]
    for row in [summary.launch] + shown {
      rows.append([style.visible(row.step ?? "launch"), "\(row.launches)"] + row.percentiles.map(style.time))
    }
    let numbers = [TextTable.Column](repeating: .trailing(), count: 1 + HistorySummary.percents.count)
    let table = TextTable([.leading(most: max(8, width / 4))] + numbers, style: style)
    let newest =
      report.launches.count < summary.total ? "the newest \(report.launches.count)" : "all"
    return table.text(rows) + style.more(steps.count - shown.count, "faster steps")
      + failing(in: report).map(line).joined() + line(style.paint("\(newest) launches:", .heading))
  }

  /// Returns a line for each value of the label whose launches fail more often than all others.
  private func failing(in report: HistoryReport) -> [String] {
    guard let label = report.label, let failing = report.summary?.failing else { return [] }
    return failing.prefix(Self.mostGroups).map { group in
      let name = group.value.map { "\(label) \($0)" } ?? "no \(label)"
      let own = style.paint("\(group.own.failures) of \(group.own.total) launches failed", .failure)
      return "\(style.visible(name)): \(own), \(group.others.failures) of \(group.others.total) others"
    }
  }

  // MARK: - Tables

  private func groups(of report: HistoryReport, _ label: String) -> String {
    let rows = report.groups.suffix(Self.mostGroups).flatMap { group in
      ([group.launch] + group.steps).map { row in
        let name = group.value ?? "no \(label)"
        return (row.step.map { "  \($0)" } ?? name, row)
      }
    }
    let more = report.groups.count - Self.mostGroups
    return line(style.paint("by \(style.visible(label)):", .heading)) + table(rows, nil)
      + (more > 0 ? line("  and \(more) values of earlier launches") : "")
  }

  /// Returns the rows as a table.
  ///
  /// - Parameter launch: The row of the launch, whose number of launches is in the heading; `nil` for several launches.
  private func table(_ rows: [(name: String, row: HistoryReport.Row)], _ launch: HistoryReport.Row?) -> String
  {
    let title = launch?.changeTitle ?? HistoryReport.Row.changeTitle
    var texts = [["", "", "newest", "median", title]]
    texts += rows.map { [style.visible($0.name), ""] + numbers(of: $0.row) }
    var cells: [[TextTable.Cell]] = texts.map { $0.map { ($0, nil) } }
    let columns: [TextTable.Column] = [
      .leading(most: max(8, width / 4)), .leading(), .trailing(), .trailing(), .trailing(),
    ]
    var table = TextTable(columns, style: style).fitted(to: cells)
    // The bars take the rest of the width.
    let bars = max(8, min(60, width - table.width, rows.map(\.row.times.count).max() ?? 0))
    table.columns[1].least = bars
    var text = style.paint(table.line(cells[0]), .faint) + "\n"
    for (place, row) in rows.map(\.row).enumerated() {
      cells[place + 1][1] = (spark.text(of: row.times, columns: bars), .accent)
      text += table.line(cells[place + 1]) + notes(of: row, after: table.width) + "\n"
    }
    return text
  }

  private func numbers(of row: HistoryReport.Row) -> [String] {
    let none = style.usesASCII ? "-" : "–"
    let sign = row.change < 0 ? (style.usesASCII ? "-" : "−") : "+"
    return [
      row.newest.map(style.time) ?? none, row.median.map(style.time) ?? none,
      row.change == 0 ? none : sign + style.time(abs(row.change)),
    ]
  }

  /// Returns the failures, cancelled launches and retries of a row.
  ///
  /// If they do not fit after a number of columns, they are a line of their own.
  private func notes(of row: HistoryReport.Row, after columns: Int) -> String {
    var notes: [String] = []
    if row.failures > 0 { notes.append("failed \(row.failures)") }
    if let cancelled = row.cancelled, cancelled > 0 { notes.append("cancelled \(cancelled)") }
    if row.retries > 0 { notes.append("\(row.retries) \(row.retries == 1 ? "retry" : "retries")") }
    guard !notes.isEmpty else { return "" }
    let length = notes.joined(separator: ", ").count
    if row.failures > 0 { notes[0] = style.paint(notes[0], .failure) }
    let text = notes.joined(separator: ", ")
    return columns + 2 + length <= width ? "  \(text)" : "\n    \(text)"
  }

  // MARK: - The trend

  /// Returns one line about lasting changes.
  func trend(of report: HistoryReport) -> String {
    failures(of: report) + words(report.all)
  }

  /// Returns the launches that failed since the newest successful one, as the beginning of a line; empty for none.
  private func failures(of report: HistoryReport) -> String {
    let failed = report.launches.filter { $0.outcome != .cancelled }.reversed().prefix(while: \.failed)
    guard let newest = failed.first else { return "" }
    let count = failed.count == 1 ? "the newest launch" : "the newest \(failed.count) launches"
    let step = newest.failedStep.map { ": \(style.visible($0))" } ?? ""
    return style.paint("\(count) failed", .failure) + step + "; "
  }

  /// Returns the trend of launches in words.
  private func words(_ group: HistoryReport.Group) -> String {
    switch group.trend {
    case .tooFew(let needed): return "a trend needs \(needed) launches; \(group.examined.count) so far"
    case .steady: return "no lasting change in \(group.examined.count) launches"
    case .changed(let change):
      let direction =
        change.isSlower ? style.paint("slower", .failure) : style.paint("faster", .success)
      return direction + words(change, since: group.launches[group.examined[change.start]])
    case .tooNoisy(let spread):
      let reason =
        spread > HistoryTrend.mostSpread
        ? "the times vary by \(Int((100 * spread).rounded())) %" : "the times changed as much before"
      return style.paint("history too noisy", .warning) + " for an alarm: \(reason)"
    }
  }

  /// Returns a line for the trend of each group, and one for those with too few launches.
  private func trends(of report: HistoryReport) -> [String] {
    let old = report.groups.dropLast(Self.mostGroups)
    let groups = old.filter(\.isSlower) + report.groups.suffix(Self.mostGroups)
    let names = { (group: HistoryReport.Group) in
      style.visible(group.value ?? "no \(report.label ?? "label")")
    }
    let isShort = { (group: HistoryReport.Group) in
      if case .tooFew = group.trend { true } else { false }
    }
    let short = groups.filter(isShort).map(names)
    let lines = groups.filter { !isShort($0) }.map { group in
      "\(names(group)): \(words(group))"
    }
    let few = "no trend yet, fewer than \(HistoryTrend.fewest) launches of one manifest: "
    return lines + (short.isEmpty ? [] : [few + short.listed(atMost: FailureGroup.mostIDs)])
  }

  // MARK: - Notes

  /// Returns sentences about what the trend does not count, or mixes.
  func notes(of report: HistoryReport) -> [String] {
    let all = report.all
    var notes: [String] = []
    if report.partialCount > 0 {
      let launches = report.partialCount == 1 ? "1 launch" : "\(report.partialCount) launches"
      notes.append(
        "the times of the launch do not count \(launches) that ran other steps than the newest one")
    }
    if let note = manifestNote(of: report) { notes.append(note) }
    if all.otherBranches > 0 {
      let own = all.branch.map { "of branch \(style.visible($0))" } ?? "without a branch"
      let count = all.examined.count
      notes.append(
        "the trend counts the \(count) \(count == 1 ? "launch" : "launches") \(own), and not "
          + "\(all.otherBranches) of other branches; --by branch shows each")
    }
    // A launch of this branch would hide that another branch became slower.
    notes += report.slowerBranches.map { group in
      let name = group.value.map { "branch \(style.visible($0))" } ?? "without a branch"
      return "\(name): \(words(group))"
    }
    return notes
      + report.mixedLabels.map { label in
        let values = label.values.map(style.visible).listed(atMost: 3)
        let name = style.visible(label.name)
        return "the trend mixes launches with different \(name): \(values); --by \(name) separates them"
      }
  }

  /// Returns the sentence about the last change of the manifest. The trend cannot show a change of time before it.
  private func manifestNote(of report: HistoryReport) -> String? {
    guard let change = report.manifestChange else { return nil }
    let start = "the manifest changed at launch \(change.launch + 1)"
    if let times = change.change {
      let size = style.time(abs(times.after - times.before))
      let difference = style.paint(
        "\(size) \(times.isSlower ? "slower" : "faster")", times.isSlower ? .warning : .success)
      return "\(start): \(difference)" + words(times, since: report.launches[change.launch])
    }
    guard case .tooFew = report.all.trend else { return nil }
    return "\(start), and the trend begins there"
  }

  private func words(_ change: HistoryTrend.Change, since launch: LaunchSummary) -> String {
    let percent = EffectPercent.text(1 + change.fraction, ascii: style.usesASCII)
    let steps = StepChange.text(change.causes, ascii: style.usesASCII, mark: style.visible)
    let commit = launch.label("commit").map { " (commit \(style.visible($0)))" } ?? ""
    return
      " since \(style.visible(Self.date(launch.startedAt)))\(commit): \(style.time(change.before)) before, "
      + "\(style.time(change.after)) after (\(percent))"
      + (steps.isEmpty ? "; no single step explains it" : "; \(steps)")
  }
}

/// A line of small bars, one for each launch or for several neighbouring launches.
struct Sparkline {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let asciiBars: [Character] = ["_", ".", "-", "~", "=", "+", "*", "#"]

  let ascii: Bool

  /// Returns a line for values. The smallest value has the lowest bar, the largest one the highest.
  ///
  /// Values without a bar, `nil`, have a space. If there are more values than columns, a bar is the median of several.
  func text(of values: [Int64?], columns: Int) -> String {
    let points = Self.points(of: values, columns: columns)
    let known = points.compactMap(\.self)
    guard let low = known.min(), let high = known.max() else { return "" }
    let bars = ascii ? Self.asciiBars : Self.bars
    return String(
      points.map { value -> Character in
        guard let value else { return " " }
        guard high > low else { return bars[bars.count / 2 - 1] }
        let place = Double(value - low) / Double(high - low) * Double(bars.count - 1)
        return bars[Int(place.rounded())]
      })
  }

  private static func points(of values: [Int64?], columns: Int) -> [Int64?] {
    guard values.count > columns, columns > 0 else { return values }
    return (0..<columns).map { column in
      let part = values[(column * values.count / columns)..<((column + 1) * values.count / columns)]
      let known = part.compactMap(\.self)
      return known.isEmpty ? nil : known.median
    }
  }
}
