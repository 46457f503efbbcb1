import AppBoot
import AppBootRecords

/// The lines of a text report about times: `levers`, `waited`, `critical` and `over budget`.
///
/// For a launch with few steps, the lines `levers` and `critical` are left out: the table already shows both. A launch
/// that did not succeed has the line `slowest` in place of `levers`.
struct TimeSummary {
  /// The minimum number of steps for the lines `levers` and `critical`.
  static let manySteps = 5
  private static let maximumSteps = 3
  private static let maximumCritical = 6

  let style: TextStyle

  /// Returns the lines, each with its line feed; at most four.
  func text(of record: StartupRecord) -> String {
    let times = LaunchTimes(record)
    let isLong = isLong(record)
    let text = isLong ? levers(of: record) : nil
    let lines = [
      ("levers", text.map(stepLine)),
      ("slowest", isLong && text == nil ? slowest(times) : nil),
      ("waited", waited(times)),
      ("critical", isLong ? critical(times, in: record) : nil), ("over budget", overBudget(times)),
    ]
    return lines.compactMap { name, text in
      text.map { style.fact(name, $0, name == "over budget" ? .warning : .faint) }
    }.joined()
  }

  /// Returns the line `levers` with its line feed; empty for a launch with few steps, or one that did not succeed.
  func leverLine(of record: StartupRecord) -> String {
    guard isLong(record), let text = levers(of: record) else { return "" }
    return style.fact("levers", stepLine(text))
  }

  private func isLong(_ record: StartupRecord) -> Bool {
    record.count { $0.execution.startTime != nil && $0.execution.endTime != nil } >= Self.manySteps
  }

  private func levers(of record: StartupRecord) -> LeverText? {
    LeverText(record, atMost: Self.maximumSteps)
  }

  private func stepLine(_ text: LeverText) -> String { text.line(mark: style.visible, time: style.time) }

  private func slowest(_ times: LaunchTimes) -> String? {
    let steps = times.slowest.prefix(Self.maximumSteps).map { named($0, $0.execution.runningTime) }
    return steps.isEmpty ? nil : steps.joined(separator: ", ")
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
    return
      "\(chain.line(style, atMost: Self.maximumCritical)); least slack: \(named(least.step, least.slack))"
  }

  private func overBudget(_ times: LaunchTimes) -> String? {
    let steps = times.overBudget
    guard !steps.isEmpty else { return nil }
    let names = steps.map { step in
      named(step, step.execution.runningTime) + " of "
        + DurationText.exact(.nanoseconds(step.step.budgetTime ?? 0))
    }
    return names.listed(atMost: 6)
  }

  private func named(_ step: StepRecord, _ time: Int64) -> String {
    "\(style.visible(step.id)) \(style.time(time))"
  }
}
