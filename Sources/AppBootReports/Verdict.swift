package import AppBoot

/// The last line of a text report: the launch's result, duration and number of steps.
struct Verdict {
  let style: TextStyle

  /// Returns the verdict on a launch.
  ///
  /// - Parameter launches: Words for the launches that failed, for example ` in 1 of 5 launches`.
  func line(for record: StartupRecord, launches: String = "") -> String {
    let outcome = OutcomeText(record, mark: style.visible)
    let name = style.visible(record.outline.name)
    let time = style.time(record.elapsedTime)
    let counts = StateCounts(record).summary
    if let reason = outcome.reason(after: style.time) {
      let verb = outcome.verb(in: " in \(time)")
      return "\(style.paint("\(name) \(verb)\(launches)", .failure)): \(reason)\(outcome.rollback); \(counts)"
        + (record.header.shuffle.map { "; order: \(style.visible($0))" } ?? "")
    }
    let allowed = record.toleratedFailures.count
    var text = style.paint("\(name) \(outcome.verb)", record.isFlawless ? .success : .warning) + " in \(time)"
    if let budget = record.outline.budgetTime { text += ", " + self.budget(budget, record) }
    text += ": \(counts)"
    if allowed > 0 { text += style.paint(", \(allowed) allowed failure\(allowed == 1 ? "" : "s")", .warning) }
    return text
  }

  /// Returns the verdict on an event's handlers.
  func line(for event: EventRecord) -> String {
    let record = event.record
    let name = style.visible(event.event)
    let time = style.time(record.elapsedTime)
    guard record.outcome != .running else { return "\(name) is still running" }
    let counts = StateCounts(record).summary
    let outcome = OutcomeText(record, mark: style.visible)
    guard let reason = outcome.reason(after: style.time) else {
      return style.paint("\(name) done", .success) + " in \(time): \(counts)"
    }
    return "\(style.paint("\(name) failed", .failure)): \(reason)\(outcome.rollback); \(counts)"
  }

  private func budget(_ budget: Int64, _ record: StartupRecord) -> String {
    record.elapsedTime > budget
      ? style.paint(BudgetText.over(budget), .warning)
      : "budget \(DurationText.exact(.nanoseconds(budget)))"
  }
}

extension RecordHeader {
  /// The option that repeats the random start order of the launch; `nil` for another order.
  package var shuffle: String? {
    labels.first { $0.name == "order" && $0.value.hasPrefix("--shuffle=") }?.value
  }
}
