import AppBoot
import AppBootRecords

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
  func text(of record: StartupRecord) -> String {
    let times = LaunchTimes(record)
    let lines = [
      ("waited", waited(times)),
      ("critical", isLong(record) ? critical(times, in: record) : nil), ("over budget", overBudget(times)),
    ]
    let retries = RetryText(record)?.sentence(mark: style.visible, time: style.time)
    return (retries.map { style.fact("retries", $0, .warning) } ?? "")
      + (record.isOverBudget ? leverLine(of: record) : "")
      + lines.compactMap { name, text in
        text.map { style.fact(name, $0, name == "over budget" ? .warning : .faint) }
      }.joined()
  }

  /// Returns the line `levers` with its line feed; empty for a launch without levers.
  func leverLine(of record: StartupRecord) -> String {
    LeverText(record).map { style.fact("levers", $0.line(mark: style.visible, time: style.time)) } ?? ""
  }

  private func isLong(_ record: StartupRecord) -> Bool {
    record.count { $0.execution.startTime != nil && $0.execution.endTime != nil } >= Self.manySteps
  }

  private func waited(_ times: LaunchTimes) -> String? {
    let steps = times.waiting
    guard !steps.isEmpty else { return nil }
    // A place that all steps have is named once, at the end.
    let isCommon = Set(steps.map(\.place)).count == 1
    let names = steps.lazy.map { step, place in
      named(step, step.execution.waitingTime) + (isCommon ? "" : " \(place)")
    }
    let place = isCommon ? "\(steps.count > Self.maximumSteps ? ", all" : "") \(steps[0].place)" : ""
    return names.listed(atMost: Self.maximumSteps) + place
  }

  private func critical(_ times: LaunchTimes, in record: StartupRecord) -> String? {
    let chain = CriticalPathText(record)
    let inChain = Set(chain.steps)
    guard let least = times.slacks.first(where: { !inChain.contains($0.step.index) }) else { return nil }
    let spare = "\(style.visible(least.step.id)) could take \(style.time(least.slack)) longer"
    return "\(chain.line(style, atMost: Self.maximumCritical)); \(spare)"
  }

  private func overBudget(_ times: LaunchTimes) -> String? {
    let steps = times.overBudget
    guard !steps.isEmpty else { return nil }
    let names = steps.map { step in
      named(step, step.execution.runningTime) + " of "
        + DurationText.exact(.nanoseconds(step.step.budgetTime ?? 0))
    }
    return names.listed(atMost: LaunchTimes.maximumBudgets)
  }

  private func named(_ step: StepRecord, _ time: Int64) -> String {
    "\(style.visible(step.id)) \(style.time(time))"
  }
}
