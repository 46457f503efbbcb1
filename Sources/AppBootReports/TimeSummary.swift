import AppBoot
import AppBootRecords

/// The lines of a text report about times: `levers`, `retries`, `waited`, `critical`, `over budget`, and others.
///
/// A short report has the line `levers` for a launch over its budget, and leaves out the line `critical` for a launch
/// with few steps: the table already shows it.
struct TimeSummary {
  /// The minimum number of steps for the line `critical` of a short report.
  static let manySteps = 5
  private static let maximumSteps = 3

  let style: TextStyle
  /// True for a full report, which also has the slack of all steps, the budgets and the labels.
  var isFull = false

  /// Returns the lines, each with its line feed.
  func text(of record: LaunchRecord) -> String {
    let hasRun = record.count { $0.execution.startTime != nil && $0.execution.endTime != nil }
    let levers = isFull || record.isOverBudget ? LeverText(record) : nil
    let facts: [(name: String, text: String?, role: TextStyle.Role)] = [
      ("retries", RetryText(record)?.sentence(mark: style.visible, time: style.time), .warning),
      ("levers", levers?.line(mark: style.visible, time: style.time), .faint),
      ("waited", waited(record), .faint),
      ("critical", isFull || hasRun >= Self.manySteps ? critical(record) : nil, .faint),
      ("slack", isFull ? slack(record) : nil, .faint),
      ("over budget", overBudget(record), .warning),
      ("labels", isFull ? labels(record) : nil, .faint),
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
    let path = CriticalPathText(record)
    let line = path.line(style, atMost: isFull ? 40 : 6)
    if isFull {
      let times = "\(style.time(path.running)) of \(style.time(record.elapsedTime))"
      return path.links.count > 1 ? "\(times): \(line)" : nil
    }
    guard let least = record.slacks.first else { return nil }
    // A failed launch shows no slack.
    return record.succeeded
      ? "\(line); least slack: \(style.visible(least.step.id)), \(style.time(least.slack))" : line
  }

  private func slack(_ record: LaunchRecord) -> String? {
    let slacks = record.slacks
    return slacks.isEmpty ? nil : slacks.lazy.map { named($0.step, $0.slack) }.listed(atMost: 8)
  }

  private func overBudget(_ record: LaunchRecord) -> String? {
    let steps = record.stepsOverBudget.map { step in
      let budget = DurationText.exact(.nanoseconds(step.step.budgetTime ?? 0))
      return "\(style.visible(step.id)): \(style.time(step.execution.runningTime)), budget \(budget)"
    }
    return steps.isEmpty ? nil : steps.listed(atMost: LaunchRecord.maximumBudgets)
  }

  private func labels(_ record: LaunchRecord) -> String? {
    let labels = record.header.labels.map { style.visible("\($0.name)=\($0.value)") }
    return labels.isEmpty ? nil : labels.joined(separator: ", ")
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
