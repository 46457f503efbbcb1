import AppBootTestSupport

@testable import AppBoot

/// Synthetic launches for comparisons: the same plan with different times.
enum ComparisonSample {
  /// Returns a launch whose steps ran one after the other for these nanoseconds.
  static func record(
    _ steps: [(id: String, duration: Int64)], name: String = "Notes",
    startedAt: String = "2026-07-28T09:05:03.250Z",
    outcome: LaunchOutcome = .succeeded
  ) -> LaunchRecord {
    let planned = steps.map { StepOutline(id: $0.id, commandName: "Fake", lane: .main) }
    let outline = LaunchOutline(
      name: name, options: LaunchOptions(), steps: planned,
      graph: DependencyGraph(sequenceOf: steps.count))
    var time: Int64 = 0
    var executions: [StepExecution] = []
    for step in steps {
      executions.append(StepExecution(succeededFrom: time, to: time + step.duration))
      time += step.duration
    }
    var record = LaunchRecord(outline: outline, startedAt: startedAt, executions: executions)
    record.apply(LaunchEvent(.launchEnded(outcome), at: time))
    return record
  }

  /// Returns launches of the same steps, each with its own noise, and some steps slower by a factor.
  static func records(
    _ count: Int, steps: [(id: String, usual: Int64)], factors: [String: Double] = [:],
    _ generator: inout SeededGenerator
  ) -> [LaunchRecord] {
    (0..<count).map { _ in
      record(
        steps.map { step in
          let usual = Int64(Double(step.usual) * (factors[step.id] ?? 1))
          return (step.id, generator.duration(usual))
        })
    }
  }
}

extension SeededGenerator {
  /// Returns a time as on a busy machine: some noise always, and sometimes a long wait.
  mutating func duration(_ usual: Int64, noise: Double = 0.08) -> Int64 {
    let spread = 1 + noise * Double.random(in: 0..<1, using: &self)
    let burst = Int.random(in: 0..<8, using: &self) == 0 ? Double.random(in: 0..<1.5, using: &self) : 0
    return Int64(Double(usual) * (spread + burst))
  }
}
