import AppBootAnalysis
import AppBoot
import AppBootRecords
import AppBootReports

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
  static func all(in records: [StartupRecord], waits: [Int64?]) -> [BudgetedTime] {
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

    init(_ step: StepRecord, wait: Int64, in record: StartupRecord) {
      (time, cpu) = (step.execution.runningTime, step.details.processorTime)
      (self.wait, launch) = (wait, record.elapsedTime)
    }

    init(of record: StartupRecord, wait: Int64) {
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
