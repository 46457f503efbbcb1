import AppBoot

/// The lines of a text report about times: `levers`, `waited`, `critical` and `over budget`.
///
/// For a launch with few steps, the lines `levers` and `critical` are left out: the table already shows both. A launch
/// that did not succeed has the line `slowest` in place of `levers`.
struct TimeSummary {
  /// The minimum number of steps for the lines `levers` and `critical`.
  static let manySteps = 5
  private static let maximumSteps = 3
  private static let maximumOverBudget = 6
  private static let maximumCritical = 6

  let style: TextStyle

  /// Returns the lines, each with its line feed; at most four.
  func text(of record: StartupRecord) -> String {
    let times = LaunchTimes(record)
    let isLong = record.count { $0.execution.start != nil && $0.execution.end != nil } >= Self.manySteps
    let levers = isLong ? levers(of: record) : nil
    let lines = [
      ("levers", levers), ("slowest", isLong && levers == nil ? slowest(times, in: record) : nil),
      ("waited", waited(times)),
      ("critical", isLong ? critical(times) : nil), ("over budget", overBudget(times)),
    ]
    return lines.compactMap { name, text in
      text.map { line(name, $0, isWarning: name == "over budget") }
    }.joined()
  }

  private func line(_ name: String, _ text: String, isWarning: Bool) -> String {
    let front = DisplayWidth.pad(name, to: 11)
    let rest = style.fit(text, to: max(0, (style.width ?? .max) - 13))
    return "\(style.paint(front, isWarning ? .warning : .faint))  \(rest)\n"
  }

  private func levers(of record: StartupRecord) -> String? {
    LeverText(record, atMost: Self.maximumSteps)?.line(mark: style.visible, time: style.time)
  }

  private func slowest(_ times: LaunchTimes, in record: StartupRecord) -> String? {
    let steps = times.slowest.prefix(Self.maximumSteps).map { step in
      named(step, step.execution.running) + share(of: step.execution.running, in: record.duration)
    }
    return steps.isEmpty ? nil : steps.joined(separator: ", ")
  }

  /// Returns a share of the launch's duration, for example ` (40 %)`; empty if a damaged record has no valid times.
  private func share(of time: Int64, in duration: Int64) -> String {
    guard duration > 0, time <= duration else { return "" }
    return " (\(Int((100 * Double(time) / Double(duration)).rounded())) %)"
  }

  private func waited(_ times: LaunchTimes) -> String? {
    let steps = times.waiting
    guard !steps.isEmpty else { return nil }
    let names = steps.prefix(Self.maximumSteps).map { named($0, $0.execution.waiting) }
    return names.joined(separator: ", ") + " for a slot" + more(steps.count - names.count)
  }

  private func critical(_ times: LaunchTimes) -> String? {
    guard let least = times.slacks.first else { return nil }
    let chain = style.chain(times.critical.map { style.visible($0.id) }, last: Self.maximumCritical)
    return "\(chain); least slack: \(named(least.step, least.slack))"
  }

  private func overBudget(_ times: LaunchTimes) -> String? {
    let steps = times.overBudget
    guard !steps.isEmpty else { return nil }
    let names = steps.prefix(Self.maximumOverBudget).map { step in
      named(step, step.execution.running) + " of " + DurationText.exact(.nanoseconds(step.step.budget ?? 0))
    }
    return names.joined(separator: ", ") + more(steps.count - names.count)
  }

  private func more(_ count: Int) -> String { count > 0 ? ", and \(count) more" : "" }

  private func named(_ step: StepRecord, _ time: Int64) -> String {
    "\(style.visible(step.id)) \(style.time(time))"
  }
}
