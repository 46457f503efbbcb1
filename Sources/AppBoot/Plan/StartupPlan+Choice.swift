extension StartupPlan {
  /// True if two steps may be ready for one lane at the same time. Recorded durations then decide which starts first.
  ///
  /// It is false for a sequence, and if the main lane's steps form a chain and at most one other step runs. It is true
  /// for all other plans, even if no two steps are ever ready at the same time. Takes O(steps + edges).
  package var hasChoice: Bool {
    if graph.isPureSequence { return false }
    var lastOnMain: Int32?
    var others = 0
    for (index, step) in stepTraits.enumerated() where !step.isSkipped {
      if !step.usesMainLane {
        others += 1
        if others > 1 { return true }
        continue
      }
      if let lastOnMain, !graph.predecessors(of: index).contains(lastOnMain) { return true }
      lastOnMain = Int32(index)
    }
    return false
  }
}
