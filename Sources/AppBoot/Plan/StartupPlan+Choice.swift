extension StartupPlan {
  /// True if two steps can be ready for the same lane at the same time. Their recorded durations then decide which
  /// starts first.
  ///
  /// It is false if the main lane's steps form a chain and at most one other step runs. Takes O(steps + edges).
  package var hasChoice: Bool {
    if graph.isPureSequence { return false }
    var lastOnMain: Int32?
    var others = 0
    for (index, step) in stepTraits.enumerated() where !step.isSkipped {
      if step.lane != .main {
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
