import AppBoot
import AppBootReports

// The reasons why a check fails although each launch succeeded: exceeded budgets, and slowdowns against the base.
extension CheckFinding {
  /// The exceeded budgets of a check, and those that only the elapsed time on a busy machine exceeds.
  struct Budgets {
    var exceeded: [CheckFinding] = []
    var unclear: [CheckFinding] = []
  }

  /// Returns the exceeded budgets: those of steps in manifest order, then that of the launch.
  ///
  /// A budget is exceeded if the median time is over it. If the launches waited for a processor and the time without
  /// that wait is within the budget, the machine may be the cause.
  ///
  /// - Parameter waits: For each launch the nanoseconds for which tasks waited for a processor; `nil` if unknown.
  static func budgets(_ records: [StartupRecord], waits: [Int64?], ascii: Bool) -> Budgets {
    var budgets = Budgets()
    for budgeted in BudgetedTime.all(in: records, waits: waits) {
      let isSingle = records.count == 1
      guard let message = budgeted.message(ascii: ascii, isSingle: isSingle) else { continue }
      let finding = CheckFinding(step: budgeted.step, message: message)
      if budgeted.isUnclear { budgets.unclear.append(finding) } else { budgets.exceeded.append(finding) }
    }
    return budgets
  }

  /// Returns whether so many launches exceed a budget by their CPU time alone that the others cannot change it.
  ///
  /// - Parameter goal: The number of launches that the check wants.
  static func isCertainlyOverBudget(_ records: [StartupRecord], of goal: Int) -> Bool {
    BudgetedTime.all(in: records, waits: []).contains { $0.launchesOverByCPU > goal / 2 }
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
    let times = "\(words.sentence), the medians of \(comparison.head.launches) launches\(machine)"
    let slower = words.slower(than: comparison.baseName)
    let partly = comparison.slowShare(of: test).map(words.partly)
    switch test.subject {
    case .step(let id):
      return CheckFinding(
        step: id, message: partly.map { "\(id): \($0)" } ?? "\(id) is \(slower): \(times)")
    case .launch:
      let cause = cause(of: comparison)
      return CheckFinding(
        step: comparison.added.count == 1 ? comparison.added.first : nil,
        message: partly.map { "the launch: \($0), and \(cause)" }
          ?? "the launch is \(slower), and \(cause): \(times)")
    }
  }

  /// Returns the cause of a slower launch without slower steps, in words: the added steps, or those that changed most.
  private static func cause(of comparison: Comparison) -> String {
    let added = comparison.added
    if !added.isEmpty {
      let steps = added.count == 1 ? "this step was added" : "these steps were added"
      return "\(steps): \(added.listed(atMost: 5))"
    }
    let names = comparison.mostChanged.compactMap { test -> String? in
      guard case .step(let id) = test.subject else { return nil }
      return "\(id) (\(EffectPercent.unsigned(test.medianRatio)))"
    }
    return "no step stands out" + (names.isEmpty ? "" : ", most of it is in \(names.joined(separator: ", "))")
  }
}
