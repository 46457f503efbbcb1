import AppBoot

/// The fast path for a plan whose steps start in manifest order.
///
/// Pays for "appboot list of a DAG of 100,000 ÷ make -n" (at most 0.25) in Docs/performance.md. Without it the list
/// simulates the launch: 1.44 instead of 1.12 billion instructions, and the row is at its goal.
extension RunOrder {
  /// Returns whether it is certain that the steps start in manifest order without recorded durations.
  ///
  /// It is certain if all steps that run share a lane that runs one step at a time, and if each comes only after
  /// earlier steps. With steps that need no slot it is not certain, because they start while others run. Takes O(steps
  /// + edges).
  static func startsInManifestOrder(_ plan: StartupPlan, jobs: Int) -> Bool {
    var lane: Lane?
    for step in plan.stepTraits where !step.isSkipped {
      if !step.takesSlot { return false }
      if let lane, lane != step.lane { return false }
      lane = step.lane
    }
    if lane == .background, jobs > 1 { return false }
    return plan.graph.isInOrder
  }
}
