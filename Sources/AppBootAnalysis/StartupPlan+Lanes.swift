package import AppBoot

extension StartupPlan {
  /// True if two steps may be ready for one lane at the same time. Recorded durations then decide which starts first.
  ///
  /// It is false for a sequence, and if the main lane's steps form a chain and at most one other step runs. It is true
  /// for all other plans, even if no two steps are ever ready at the same time. Takes O(steps + edges).
  package var hasChoice: Bool {
    if outline.graph.isPureSequence { return false }
    var lastOnMain: Int?
    var others = 0
    for (index, step) in outline.steps.enumerated() where step.skip == nil {
      if !step.usesMainLane {
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
