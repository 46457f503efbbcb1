import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

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
  static func budgets(_ records: [LaunchRecord], waits: [Int64?], ascii: Bool) -> Budgets {
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
  static func isCertainlyOverBudget(_ records: [LaunchRecord], of goal: Int) -> Bool {
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
    let words = SlowdownText(test, ascii: ascii, allowed: comparison.options.maximumSlowdown)
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

/// The times of a step or of the launch that has a budget, over the launches of a check.
struct BudgetedTime {
  /// The id of the step; `nil` for the launch.
  let step: String?
  private let budget: Int64
  /// The time of each launch in nanoseconds.
  private let times: [Int64]
  /// The CPU time of each launch in nanoseconds; empty if it is unknown.
  private let cpu: [Int64]
  /// The time of each launch without the wait for a processor, in nanoseconds; empty if the machine was not busy.
  private let undisturbed: [Int64]

  /// The longest time for which work waits for a processor, as a multiple of its CPU time. The machine's waits include
  /// those of other programs, and work that does not compute waits for none.
  private static let longestWait: Int64 = 16

  /// Returns the times of each step with a budget in manifest order, then those of the launch if it has one.
  ///
  /// - Parameter waits: For each launch the nanoseconds for which tasks waited for a processor; `nil` if unknown.
  static func all(in records: [LaunchRecord], waits: [Int64?]) -> [BudgetedTime] {
    guard let plan = records.last?.outline else { return [] }
    let launches = records.enumerated().map { (record: $1, wait: waits.count > $0 ? waits[$0] ?? 0 : 0) }
    var all = plan.enumerated().compactMap { index, step -> BudgetedTime? in
      guard let budget = step.budgetTime else { return nil }
      let runs = launches.compactMap { record, wait -> Run? in
        guard record.count > index, record[index].execution.startTime != nil else { return nil }
        return Run(record[index], wait: wait, in: record)
      }
      return BudgetedTime(step.id, budget, runs)
    }
    if let budget = plan.budgetTime {
      all.append(BudgetedTime(nil, budget, launches.map { Run(of: $0, wait: $1) }))
    }
    return all
  }

  /// The times of a step or a launch in one launch, in nanoseconds.
  private struct Run {
    let time: Int64
    let cpu: Int64?
    let wait: Int64
    let launch: Int64
    /// The least time without the wait for a processor.
    var least: Int64 = 0

    init(_ step: StepRecord, wait: Int64, in record: LaunchRecord) {
      (time, cpu) = (step.execution.runningTime, step.details.processorTime)
      (self.wait, launch) = (wait, record.elapsedTime)
    }

    init(of record: LaunchRecord, wait: Int64) {
      let path = CriticalPath(of: record).steps.map { Run(record[$0], wait: wait, in: record) }
      (time, self.wait, launch) = (record.elapsedTime, wait, record.elapsedTime)
      // No machine can make the CPU time of the critical path shorter.
      cpu = path.reduce(Int64(0)) { $0.addingClamped($1.used ?? 0) }
      least = path.reduce(Int64(0)) { $0.addingClamped($1.undisturbed) }
    }

    /// The CPU time. A step can compute on several processors at once.
    var used: Int64? { cpu.map { min($0, time) } }

    /// The time without the wait for a processor.
    var undisturbed: Int64 {
      guard let used else { return max(0, time - wait) }
      return max(least, used, time - min(wait, used * BudgetedTime.longestWait))
    }
  }

  private init(_ step: String?, _ budget: Int64, _ runs: [Run]) {
    self.step = step
    self.budget = budget
    times = runs.map(\.time)
    let known = runs.compactMap(\.used)
    cpu = known.count == runs.count ? known : []
    let isBusy = Double(runs.map(\.wait).median) >= Comparison.busyShare * Double(runs.map(\.launch).median)
    undisturbed = isBusy ? runs.map(\.undisturbed) : []
  }

  /// True if the median is over the budget, but within it without the wait for a processor.
  var isUnclear: Bool { times.median > budget && !undisturbed.isEmpty && undisturbed.median <= budget }

  /// The number of launches whose CPU time alone is over the budget.
  var launchesOverByCPU: Int { cpu.count { $0 > budget } }

  /// Returns the sentence for a median over the budget; `nil` if it is within the budget.
  func message(ascii: Bool, isSingle: Bool) -> String? {
    guard times.median > budget else { return nil }
    let brief = { (time: Int64) in DurationText.brief(nanoseconds: time, ascii: ascii) }
    let count = isSingle ? "" : " (median of \(times.count) launches)"
    let over =
      "\(step ?? "the launch") took \(brief(times.median)), over its budget of "
      + "\(DurationText.exact(.nanoseconds(budget)))\(count)"
    guard isUnclear else { return over }
    let used = cpu.isEmpty ? "" : "with \(brief(cpu.median)) of CPU time, "
    return "\(over), but \(used)the machine was busy and launches waited for a processor"
  }
}

/// The time for which tasks of this machine waited for a processor, as Linux measures it (pressure stall information).
enum CPUPressure {
  private static let file = "/proc/pressure/cpu"

  /// Returns the nanoseconds since the machine's start during which at least one task waited; `nil` if they are
  /// unknown.
  static func total() -> Int64? {
    guard let bytes = try? FileSystem.readFile(file) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
    let field = line.split(separator: " ").first { $0.hasPrefix("total=") }
    return field.flatMap { Int64($0.dropFirst("total=".count)) }.map { $0 * 1000 }
  }
}
