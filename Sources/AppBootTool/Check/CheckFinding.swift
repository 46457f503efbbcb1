import AppBoot
import AppBootReports

// The reasons why a check fails although each launch succeeded: exceeded budgets, and slowdowns against the baseline.
extension CheckFinding {
  /// Returns a finding for each exceeded budget: those of steps in manifest order, then that of the launch.
  ///
  /// A step or the launch exceeds its budget if its median time does.
  static func overBudget(_ records: [StartupRecord], ascii: Bool) -> [CheckFinding] {
    guard let plan = records.last?.outline else { return [] }
    let count = records.count > 1 ? " (median of \(records.count) launches)" : ""
    func words(_ time: Int64, _ budget: Int64) -> String {
      let brief = DurationText.brief(nanoseconds: time, ascii: ascii)
      return "took \(brief), over its budget of \(DurationText.exact(.nanoseconds(budget)))\(count)"
    }
    var findings: [CheckFinding] = []
    for (index, step) in plan.enumerated() {
      guard let budget = step.budgetTime else { continue }
      let time = records.filter { $0.count > index && $0[index].execution.startTime != nil }
        .map { $0[index].execution.runningTime }.median
      guard time > budget else { continue }
      findings.append(CheckFinding(step: step.id, message: "\(step.id) \(words(time, budget))"))
    }
    if let budget = plan.budgetTime, case let time = records.map(\.elapsedTime).median, time > budget {
      findings.append(CheckFinding(step: nil, message: "the launch \(words(time, budget))"))
    }
    return findings
  }

  /// Returns a finding for each slower step of the comparison. If no step is slower, returns one for a slower launch.
  static func slower(_ comparison: Comparison?, ascii: Bool) -> [CheckFinding] {
    guard let comparison else { return [] }
    let tests = comparison.slower
    let steps = tests.filter { $0.subject != .launch }
    return (steps.isEmpty ? tests : steps).map { finding($0, in: comparison, ascii: ascii) }
  }

  private static func finding(_ test: SlowdownTest, in comparison: Comparison, ascii: Bool) -> CheckFinding {
    let words = SlowdownText(test, ascii: ascii)
    let machine = words.machine.isEmpty ? "" : "; \(words.machine)"
    let fastest = "\(words.sentence), in the fast ones of \(comparison.head.launches) launches\(machine)"
    switch test.subject {
    case .step(let id):
      return CheckFinding(step: id, message: "\(id) is \(words.slower): \(fastest)")
    case .launch:
      return CheckFinding(
        step: comparison.added.count == 1 ? comparison.added.first : nil,
        message: "the launch is \(words.slower), and \(cause(of: comparison)): \(fastest)")
    }
  }

  /// Returns the cause of a slower launch without slower steps, in words: the added steps, or those that changed most.
  private static func cause(of comparison: Comparison) -> String {
    let added = comparison.added
    if !added.isEmpty {
      let steps = added.count == 1 ? "this step was added" : "these steps were added"
      return "\(steps): \(ComparisonWarning.list(added))"
    }
    let names = comparison.mostChanged.compactMap { test -> String? in
      guard case .step(let id) = test.subject else { return nil }
      return "\(id) (\(EffectPercent.unsigned(test.change)))"
    }
    return "no step stands out" + (names.isEmpty ? "" : ", most of it is in \(names.joined(separator: ", "))")
  }
}
