/// The fast path for a plan whose order is its manifest's.
///
/// Pays for "appboot list of a DAG of 100,000 ÷ make -n" (at most 0.25) in Docs/performance.md. Without it the list
/// simulates the launch: 1.44 instead of 1.12 billion instructions, and the row is at its goal.
extension RunOrder {
  /// Returns true if the steps certainly run in manifest order, without recorded durations. O(steps + edges)
  ///
  /// This is certain if all steps that run share a lane that runs one step at a time, and each comes after earlier
  /// steps only. Steps that only wait rule it out: they start while others run.
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
