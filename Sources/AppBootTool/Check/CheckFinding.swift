import AppBoot
import AppBootReports

/// Something that makes a check fail though every launch booted.
struct CheckFinding {
  /// The step; `nil` for the launch.
  let step: String?
  /// What is wrong, in words.
  let message: String
  /// `overBudget` or `slower`.
  let kind: String
}

extension CheckFinding {
  /// What took longer than its budget by the median of the launches, in manifest order, then the launch.
  static func overBudget(_ records: [StartupRecord], ascii: Bool) -> [CheckFinding] {
    guard let plan = records.last?.outline else { return [] }
    let count = records.count > 1 ? ", the median of \(records.count) launches" : ""
    func words(_ time: Int64, _ budget: Int64) -> String {
      let brief = DurationText.brief(nanoseconds: time, ascii: ascii)
      return "took \(brief) of \(DurationText.exact(.nanoseconds(budget)))\(count)"
    }
    var findings: [CheckFinding] = []
    for (index, step) in plan.enumerated() {
      guard let budget = step.budget else { continue }
      let time = records.filter { $0[index].execution.start != nil }.map { $0[index].execution.running }
        .median
      guard time > budget else { continue }
      findings.append(
        CheckFinding(step: step.id, message: "\(step.id) \(words(time, budget))", kind: "overBudget"))
    }
    if let budget = plan.budget, case let time = records.map(\.duration).median, time > budget {
      findings.append(
        CheckFinding(step: nil, message: "the launch \(words(time, budget))", kind: "overBudget"))
    }
    return findings
  }

  /// What is slower than the baseline; the launch only where no step is to blame.
  static func slower(_ gate: SlowdownGate?, _ count: Int, ascii: Bool) -> [CheckFinding] {
    let tests = gate?.slower ?? []
    let steps = tests.filter { $0.subject != .launch }
    return (steps.isEmpty ? tests : steps).map {
      finding($0, added: gate?.added ?? [], mostChanged: gate?.mostChanged ?? [], count, ascii: ascii)
    }
  }

  /// `, most of it is in b (20.0 %), c (18.0 %)`; nothing where no step took longer.
  private static func words(for steps: [SlowdownTest]) -> String {
    let names = steps.compactMap { test -> String? in
      guard case .step(let id) = test.subject else { return nil }
      return "\(id) (\(EffectPercent.unsigned(test.change)))"
    }
    return names.isEmpty ? "" : ", most of it is in \(names.joined(separator: ", "))"
  }

  private static func finding(
    _ test: SlowdownTest, added: [String], mostChanged: [SlowdownTest], _ count: Int, ascii: Bool
  ) -> CheckFinding {
    let change = EffectPercent.unsigned(test.factor)
    let times = [test.base, test.head].map { DurationText.brief(nanoseconds: $0, ascii: ascii) }
    let clock = test.clock == .processor ? " of processor time" : ""
    let fastest = "\(times[0])\(clock) then, \(times[1]) now, the fast ones of \(count) launches"
    let pace =
      test.pace >= 1.02
      ? "; other work is slower by up to \(EffectPercent.unsigned(test.pace)), which is taken out" : ""
    switch test.subject {
    case .step(let id):
      return CheckFinding(
        step: id, message: "\(id) is slower than the baseline by \(change): \(fastest)\(pace)", kind: "slower"
      )
    case .launch:
      let culprit =
        added.isEmpty
        ? "no step stands out" + words(for: mostChanged)
        : "of its steps new since then \(added.count == 1 ? "is" : "are") \(SlowdownGate.Remark.list(added))"
      return CheckFinding(
        step: added.count == 1 ? added.first : nil,
        message: "the launch is slower than the baseline by \(change), and \(culprit): \(fastest)\(pace)",
        kind: "slower")
    }
  }
}
