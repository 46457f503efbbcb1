extension StartupPlan {
  /// Whether there may ever be two steps to choose from; linear in steps and edges.
  ///
  /// There is no choice where the main lane's steps follow one upon the other, and at most one other step
  /// runs beside them.
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
