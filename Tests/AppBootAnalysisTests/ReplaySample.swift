import AppBootTestKit
import AppBootTestSupport

@testable import AppBoot
@testable import AppBootAnalysis

/// A launch on a virtual clock, for replays. The real coordinator runs its steps.
struct ReplaySample {
  /// A step: its lane, its predecessors by index, and the milliseconds of its attempts. All but the last one fail.
  ///
  /// If ``fails`` is true, the last one fails too, and the launch continues.
  struct Step {
    var lane = Lane.background
    var after: [Int] = []
    var attempts: [Int64]
    var onlyWaits = false
    var fails = false
    /// The timeout of one attempt in milliseconds.
    var timeout: Int64?
    /// The CPU time in milliseconds.
    var cpuTime: Int64?
  }

  struct Failed: Error {}

  static let millisecond: Int64 = 1_000_000

  /// Returns the record of a launch. The steps have the ids `s0`, `s1`, ….
  static func record(_ steps: [Step], jobs: Int, processors: Int? = nil) throws -> LaunchRecord {
    let plan = try LaunchPlan(
      steps: steps.enumerated().map { index, step in
        var planned = LaunchStep(command(of: step), id: "s\(index)")
        if step.attempts.count > 1 {
          planned.retry = RetryPolicy(attempts: step.attempts.count, backoff: .milliseconds(7))
        }
        if let timeout = step.timeout { planned.timeout = .milliseconds(timeout) }
        if step.fails { planned.onFailure = .continue }
        return (planned, step.after.map { "s\($0)" })
      })
    let coordinator = Coordinator(plan: plan, jobs: jobs, grace: 0)
    var simulation = Simulation(coordinator, processors: processors.map(Double.init)) { work in
      let step = steps[work.step]
      let succeeds = work.attempt >= step.attempts.count && !step.fails
      let time = step.attempts[min(work.attempt, step.attempts.count) - 1] * millisecond
      let result: Result<Void, any Error> = succeeds ? .success(()) : .failure(Failed())
      guard let cpuTime = step.cpuTime, processors != nil else {
        return Simulation.Work(duration: time, result: result)
      }
      let computing = Double(cpuTime * millisecond)
      let demand = CPUDemand(duration: Double(time), computing: computing, cpuTime: computing)
      return Simulation.Work(duration: 0, demand: demand, result: result)
    }
    var record = LaunchRecord(folding: try simulation.run(), plan: plan)
    record.header.jobs = jobs
    record.header.processors = processors
    for (index, step) in steps.enumerated() {
      if let cpuTime = step.cpuTime {
        record.apply(
          LaunchEvent(
            .usedCPU(step: index, time: .nanoseconds(cpuTime * millisecond)), at: record.elapsedTime))
      }
    }
    return record
  }

  private static func command(of step: Step) -> any Command {
    if step.onlyWaits { return SimulatedWait() }
    return step.lane == .main ? FakeCommand() : FakeBackgroundCommand()
  }

  /// Returns random steps: a chain, or a graph in which each step comes after some of the steps shortly before it.
  static func random(_ count: Int, isChain: Bool, seed: UInt64) -> [Step] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      var step = Step(attempts: [Int64.random(in: 0...50, using: &random)])
      if random.chance(20) { step.attempts.append(Int64.random(in: 0...50, using: &random)) }
      if random.chance(20) { step.lane = .main } else if random.chance(10) { step.onlyWaits = true }
      if isChain {
        step.after = index == 0 ? [] : [index - 1]
      } else {
        let many = index == 0 ? 0 : Int.random(in: 0...3, using: &random)
        step.after = Set((0..<many).map { _ in Int.random(in: max(0, index - 20)..<index, using: &random) })
          .sorted()
      }
      return step
    }
  }
}
