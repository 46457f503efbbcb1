import AppBoot
import AppBootRecords
import AppBootAnalysis

/// The sections of a full text report: the retries, the levers, the critical path, slack and budgets.
struct TextSections {
  private static let maximumRows = 8
  private static let maximumCritical = 40

  private let record: StartupRecord
  private let style: TextStyle
  private let times: LaunchTimes

  init(_ record: StartupRecord, style: TextStyle) {
    self.record = record
    self.style = style
    times = LaunchTimes(record)
  }

  /// All sections that are not empty, with an empty line before each.
  var all: String {
    let path = CriticalPathText(record)
    let sections = [retries, levers, critical(path), slack(path), budgets, labels]
    return sections.filter { !$0.isEmpty }.map { "\n" + $0 }.joined()
  }

  // MARK: - Sections

  private var retries: String {
    guard let text = RetryText(record) else { return "" }
    let sentence = text.sentence(mark: style.visible, time: style.time)
    return heading("retries") + style.wrapped("  \(sentence)", indent: 2) + "\n"
  }

  private var levers: String {
    guard let text = LeverText(record) else { return "" }
    let title = heading("levers, the time that the launch saves if one step takes 20 % less")
    guard !text.levers.all.isEmpty else {
      return title + style.fit("  \(text.none)", to: style.width ?? .max) + "\n"
    }
    let rows = text.levers.all.map { lever in
      let running = "ran \(style.time(record[lever.step].execution.runningTime))"
      return [text.id(lever), style.time(lever.gain), "\(text.share(lever)) of the launch, \(running)"]
    }
    return title + table(rows)
  }

  private func critical(_ path: CriticalPathText) -> String {
    guard path.steps.count > 1 else { return "" }
    let line = path.line(style, atMost: Self.maximumCritical)
    return heading("critical path, \(style.time(path.running)) of \(style.time(record.elapsedTime))")
      + style.wrapped("  \(line)", indent: 2) + "\n"
  }

  private func slack(_ path: CriticalPathText) -> String {
    let critical = Set(path.steps)
    let slacks = times.slacks.filter { !critical.contains($0.step.index) }
    guard !slacks.isEmpty else { return "" }
    let rows = slacks.prefix(Self.maximumRows).map { [$0.step.id, style.time($0.slack)] }
    return heading("slack of the other steps") + table(rows)
      + style.more(slacks.count - rows.count, "steps with more slack")
  }

  private var budgets: String {
    var rows: [[String]] = []
    if let budget = record.outline.budgetTime { rows.append(row("the launch", record.elapsedTime, budget)) }
    for step in record where step.execution.startTime != nil {
      if let budget = step.step.budgetTime { rows.append(row(step.id, step.execution.runningTime, budget)) }
    }
    return rows.isEmpty ? "" : heading("budgets") + table(rows)
  }

  private var labels: String {
    let labels = record.header.labels
    return labels.isEmpty ? "" : heading("labels") + table(labels.map { [$0.name, $0.value] })
  }

  private func row(_ name: String, _ duration: Int64, _ budget: Int64) -> [String] {
    let over = duration > budget ? "over by \(style.time(duration - budget))" : ""
    return [name, style.time(duration), "of \(DurationText.exact(.nanoseconds(budget)))", over]
  }

  // MARK: - Lines

  private func heading(_ words: String) -> String { style.paint("\(words):", .heading) + "\n" }

  /// Returns the rows as a table. The first column is aligned left, the numbers right, and the words left.
  private func table(_ texts: [[String]]) -> String {
    // Each text may come from the record.
    let rows = texts.map { $0.map(style.visible) }.map { row in
      [row[0], row[1], row.dropFirst(2).filter { !$0.isEmpty }.joined(separator: "  ")]
    }
    let columns: [TextTable.Column] = [.leading(most: style.columns(over: 2)), .trailing(), .leading()]
    return TextTable(columns, style: style, indent: 2, wrap: 4).text(rows)
  }
}
