import AppBoot

/// Where the time of a launch went, in at most four short lines: the slowest steps, who waited for a lane,
/// the critical path, and budgets that were broken.
///
/// A launch of few steps shows all of that in its table; its summary says only what stands out.
struct TimeSummary {
  /// From how many steps on a table is too long to see the slowest at a glance.
  static let manySteps = 5
  private static let shown = 3
  /// How many broken budgets are named.
  private static let most = 6

  let style: TextStyle

  /// The lines, each with its line feed; empty where there is nothing to say.
  func text(of record: StartupRecord) -> String {
    let ran = record.filter { $0.execution.start != nil && $0.execution.end != nil }
    let lines = [
      ("slowest", slowest(ran, in: record)), ("waited", waited(ran, in: record)),
      ("critical", critical(ran, in: record)), ("over budget", overBudget(ran)),
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

  /// By their own running time, waiting apart.
  private func slowest(_ ran: [StepRecord], in record: StartupRecord) -> String? {
    guard ran.count >= Self.manySteps else { return nil }
    let slowest = Self.top(ran) { $0.execution.running }
    return slowest.map { step in
      named(step, step.execution.running) + share(of: step.execution.running, in: record.duration)
    }.joined(separator: ", ")
  }

  /// ` (40 %)`; nothing where a damaged record makes no sense of it.
  private func share(of time: Int64, in duration: Int64) -> String {
    guard duration > 0, time <= duration else { return "" }
    return " (\(Int((100 * Double(time) / Double(duration)).rounded())) %)"
  }

  /// Who was ready and had no lane, for more than a twentieth of the launch.
  private func waited(_ ran: [StepRecord], in record: StartupRecord) -> String? {
    let long = ran.filter { $0.execution.waiting > max(1_000_000, record.duration / 20) }
    guard !long.isEmpty else { return nil }
    let more = long.count > Self.shown ? ", and \(long.count - Self.shown) more" : ""
    let names = Self.top(long) { $0.execution.waiting }.map { named($0, $0.execution.waiting) }
    return names.joined(separator: ", ") + " for a lane" + more
  }

  /// The chain that decided the duration, and the least of what the others have to spare.
  private func critical(_ ran: [StepRecord], in record: StartupRecord) -> String? {
    let path = CriticalPath(of: record)
    let others = ran.filter { !path.contains($0.index) }
    guard ran.count >= Self.manySteps, !others.isEmpty else { return nil }
    let arrow = style.usesASCII ? " > " : " → "
    let cut = path.steps.count > 6 ? (style.usesASCII ? "..." : "…") + arrow : ""
    let chain = path.steps.suffix(6).map { style.visible(record.outline[$0].id) }.joined(separator: arrow)
    let slacks = others.compactMap { step in path.slack(of: step.index).map { (step, $0) } }
    guard let least = slacks.min(by: { $0.1 < $1.1 }) else { return cut + chain }
    return "\(cut)\(chain); least slack beside it: \(named(least.0, least.1))"
  }

  private func overBudget(_ ran: [StepRecord]) -> String? {
    let over = ran.filter(\.isOverBudget)
    guard !over.isEmpty else { return nil }
    let more = over.count > Self.most ? " and \(over.count - Self.most) more" : ""
    return Self.top(over, count: Self.most) { $0.execution.running - ($0.step.budget ?? 0) }.map { step in
      let budget = step.step.budget ?? 0
      return named(step, step.execution.running) + " of " + DurationText.exact(.nanoseconds(budget))
    }.joined(separator: ", ") + more
  }

  private func named(_ step: StepRecord, _ time: Int64) -> String {
    "\(style.visible(step.id)) \(DurationText.brief(nanoseconds: time, ascii: style.usesASCII))"
  }

  /// The steps with the most, the most first; those of the same keep their order.
  private static func top(
    _ steps: [StepRecord], count: Int = shown, by measure: (StepRecord) -> Int64
  ) -> [StepRecord] {
    let order = steps.sorted { left, right in
      let (first, second) = (measure(left), measure(right))
      return first == second ? left.index < right.index : first > second
    }
    return Array(order.prefix(count))
  }
}
