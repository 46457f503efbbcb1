package import AppBoot

/// A calculator of the order in which a launch starts its steps. It simulates the launch.
package enum RunOrder {
  /// Returns the indices of a plan's steps in start order, if all steps succeed.
  ///
  /// A step without a recorded duration gets the median of the recorded ones. Without any recorded durations, all steps
  /// take equally long. A skipped step directly follows the step above it in the manifest.
  ///
  /// - Parameters:
  ///   - jobs: The maximum number of steps that run at the same time off the main lane.
  ///   - history: The recorded durations in nanoseconds, by step id (``LaunchRunner/Configuration/history``).
  package static func of(_ plan: LaunchPlan, jobs: Int, history: [String: Int64] = [:]) -> [Int] {
    let recorded = LongestPath.durations(of: plan.outline, history: history)
    var unlimited = plan
    unlimited.outline.timeoutTime = nil
    let durations = durations(of: plan, recorded)
    var simulation = Simulation(unlimited, jobs: jobs, durations: durations, history: history)
    var order: [Int] = []
    order.reserveCapacity(plan.count)
    appendSkipped(from: 0, of: plan, to: &order)
    while !simulation.isFinished, let events = try? simulation.advance() {
      for case .started(let step, attempt: 1) in events.lazy.map(\.kind) {
        order.append(step)
        appendSkipped(from: step + 1, of: plan, to: &order)
      }
    }
    return order
  }

  /// Appends the skipped steps from an index up to the next step that runs.
  private static func appendSkipped(from first: Int, of plan: LaunchPlan, to order: inout [Int]) {
    var step = first
    while step < plan.count, plan.outline.steps[step].skip != nil {
      order.append(step)
      step += 1
    }
  }

  /// Returns the durations of the steps, each at most the step's timeout. A step that times out could end the launch.
  private static func durations(of plan: LaunchPlan, _ recorded: [Int64]?) -> [Int64] {
    guard let durations = recorded else { return [Int64](repeating: 1_000_000, count: plan.count) }
    return plan.indices.map { step in
      min(max(0, durations[step]), plan.outline.steps[step].timeoutTime ?? .max)
    }
  }
}

extension LaunchPlan {
  /// True if two steps may be ready for one lane at the same time. Recorded durations then decide which starts first.
  ///
  /// It is false for a sequence, and if the main lane's steps form a chain and at most one other step runs. It is true
  /// for all other plans, even if no two steps are ever ready at the same time. Takes O(steps + edges).
  package var hasChoice: Bool {
    if outline.graph.isPureSequence { return false }
    var lastOnMain: Int?
    var others = 0
    for (index, step) in outline.steps.enumerated() where step.skip == nil {
      if !step.placement.usesMainLane {
        others += 1
        if others > 1 { return true }
        continue
      }
      if let lastOnMain, !outline.graph.predecessors(of: index).contains(lastOnMain) { return true }
      lastOnMain = index
    }
    return false
  }

  /// Returns the maximum number of steps that run at the same time off the main lane, with the steps that need no slot.
  package func mostAtOnce(jobs: Int) -> Int { Swift.min(jobs + slotlessCount, count) }
}

extension DependencyGraph {
  /// True if the graph is a sequence: each step comes after exactly the step before it.
  package var isPureSequence: Bool {
    (0..<count).allSatisfy { predecessors(of: $0) == ($0 == 0 ? [] : [$0 - 1]) }
  }
}
