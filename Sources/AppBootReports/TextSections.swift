import AppBoot
import AppBootAnalysis
import AppBootRecords

/// The sections of a full text report: the retries, the levers, the critical path, slack and budgets.
struct TextSections {
  private static let maximumRows = 8
  private static let maximumCritical = 40

  let record: LaunchRecord
  let style: TextStyle

  /// All sections that are not empty, with an empty line before each.
  var all: String {
    let sections = [retries, levers, critical, slack, budgets, labels]
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

  private var critical: String {
    let path = CriticalPathText(record)
    guard path.steps.count > 1 else { return "" }
    let line = path.line(style, atMost: Self.maximumCritical)
    return heading("critical path, \(style.time(path.running)) of \(style.time(record.elapsedTime))")
      + style.wrapped("  \(line)", indent: 2) + "\n"
  }

  private var slack: String {
    let slacks = record.slacks
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

/// The lines of a text report about times: `levers`, `retries`, `waited`, `critical` and `over budget`.
///
/// The line `levers` is for a launch over its budget. For a launch with few steps, the line `critical` is left out: the
/// table already shows it.
struct TimeSummary {
  /// The minimum number of steps for the line `critical`.
  static let manySteps = 5
  private static let maximumSteps = 3
  private static let maximumCritical = 6

  let style: TextStyle

  /// Returns the lines, each with its line feed; at most five.
  func text(of record: LaunchRecord) -> String {
    let hasRun = record.count { $0.execution.startTime != nil && $0.execution.endTime != nil }
    let levers = record.isOverBudget ? LeverText(record) : nil
    let facts: [(name: String, text: String?, role: TextStyle.Role)] = [
      ("retries", RetryText(record)?.sentence(mark: style.visible, time: style.time), .warning),
      ("levers", levers?.line(mark: style.visible, time: style.time), .faint),
      ("waited", waited(record), .faint),
      ("critical", hasRun >= Self.manySteps ? critical(record) : nil, .faint),
      ("over budget", overBudget(record), .warning),
    ]
    return facts.compactMap { name, text, role in text.map { style.fact(name, $0, role) } }.joined()
  }

  private func waited(_ record: LaunchRecord) -> String? {
    let steps = record.longWaits
    guard !steps.isEmpty else { return nil }
    // A place that all steps have is named once, at the end.
    let isCommon = Set(steps.map(\.place)).count == 1
    let names = steps.lazy.map { step, place in
      named(step, step.execution.waitingTime) + (isCommon ? "" : " \(place)")
    }
    let place = isCommon ? "\(steps.count > Self.maximumSteps ? ", all" : "") \(steps[0].place)" : ""
    return names.listed(atMost: Self.maximumSteps) + place
  }

  private func critical(_ record: LaunchRecord) -> String? {
    guard let least = record.slacks.first else { return nil }
    let path = CriticalPathText(record).line(style, atMost: Self.maximumCritical)
    // A failed launch shows no slack.
    guard record.succeeded else { return path }
    return "\(path); least slack: \(style.visible(least.step.id)), \(style.time(least.slack))"
  }

  private func overBudget(_ record: LaunchRecord) -> String? {
    let steps = record.stepsOverBudget.map { step in
      let budget = DurationText.exact(.nanoseconds(step.step.budgetTime ?? 0))
      return "\(style.visible(step.id)): \(style.time(step.execution.runningTime)), budget \(budget)"
    }
    return steps.isEmpty ? nil : steps.listed(atMost: LaunchRecord.maximumBudgets)
  }

  private func named(_ step: StepRecord, _ time: Int64) -> String {
    "\(style.visible(step.id)) \(style.time(time))"
  }
}

/// The breakdown of a launch's time, which the text, Markdown and HTML reports use.
extension LaunchRecord {
  /// The steps that waited for a slot or for the main lane, longest wait first, with the words for that place.
  ///
  /// They waited longer than 1 ms and longer than 5 % of the launch.
  var longWaits: [(step: StepRecord, place: String)] {
    let least = Swift.max(1_000_000, elapsedTime / 20)
    let waited = filter { $0.execution.endTime != nil && $0.execution.waitingTime > least }
    guard !waited.isEmpty else { return [] }
    let path = CriticalPath(of: self)
    return waited.ranked { $0.execution.waitingTime }
      .compactMap { step in path[step.index]?.reason.resourceText.map { (step, "for \($0)") } }
  }

  /// The steps that are not on the critical path, with their slack in nanoseconds; least slack first.
  var slacks: [(step: StepRecord, slack: Int64)] {
    let path = CriticalPath(of: self)
    return compactMap { step in
      path.contains(step.index) ? nil : path.slack(of: step.index).map { (step, $0) }
    }
    .sorted { ($0.slack, $0.step.index) < ($1.slack, $1.step.index) }
  }

  /// The maximum number of exceeded budgets to show.
  static let maximumBudgets = 6
  /// The steps that exceeded their budgets, largest excess first.
  var stepsOverBudget: [StepRecord] {
    filter(\.isOverBudget).ranked { $0.execution.runningTime - ($0.step.budgetTime ?? 0) }
  }
}

extension CriticalPath.Reason {
  /// The resource that the step waited for, in words; `nil` if it waited for none.
  var resource: (article: String, noun: String)? {
    switch self {
    case .launch, .after: nil
    case .lane: ("the", "main lane")
    case .slot: ("a", "slot")
    }
  }

  /// The resource with its article, for example `a slot`.
  var resourceText: String? { resource.map { "\($0.article) \($0.noun)" } }
}
