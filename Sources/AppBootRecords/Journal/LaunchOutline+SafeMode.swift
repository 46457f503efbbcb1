package import AppBoot

extension LaunchOutline {
  /// Returns the outline in safe mode. Steps that safe mode leaves out are skipped with a reason.
  ///
  /// - A culprit is skipped unless its policy is `stop`. The launch needs that step; its command can check
  ///   ``LaunchContext/isSafeMode``.
  /// - Steps that come after a skipped step are skipped too, unless the policy of the skipped step is `continue`
  ///   or `keepGoing`.
  /// - On the level `followers`, steps that come after a culprit are skipped if their policy is `continue` or
  ///   `skipDependents`.
  package func inSafeMode(_ mode: SafeMode) -> LaunchOutline {
    var reasons: [Int: String] = [:]
    var dependents: Set<Int> = []
    var optionals: Set<Int> = []
    func leaveOut(_ step: Int, _ reason: String) {
      guard reasons[step] == nil else { return }
      reasons[step] = reason
      guard !self[step].onFailure.releasesSuccessors else { return }
      for follower in followers(of: step, notIn: &dependents) where reasons[follower] == nil {
        reasons[follower] = "safe mode: it comes after \"\(self[step].id)\", which is skipped"
      }
    }
    for culprit in mode.culprits.compactMap(index(ofStep:)) {
      if self[culprit].onFailure != .stop {
        leaveOut(culprit, "safe mode: the last launches crashed in this step")
      }
      guard mode.level == .followers else { continue }
      for follower in followers(of: culprit, notIn: &optionals).sorted() {
        switch self[follower].onFailure {
        case .continue, .skipDependents:
          leaveOut(follower, "safe mode: it is optional and comes after \"\(self[culprit].id)\"")
        case .stop, .keepGoing, .rollback: continue
        }
      }
    }
    var outline = self
    for (step, text) in reasons where steps[step].skip == nil { outline.steps[step].skip = .safeMode(text) }
    outline.safeMode = mode
    return outline
  }

  /// Returns the steps that come after a step, directly or indirectly, and that no search has visited.
  private func followers(of step: Int, notIn visited: inout Set<Int>) -> [Int] {
    var found = [step]
    var next = 0
    while next < found.count {
      found += successors(of: found[next]).filter { visited.insert($0).inserted }
      next += 1
    }
    return Array(found.dropFirst())
  }
}

extension StartupPlan {
  /// Returns the plan in safe mode. ``LaunchOutline/inSafeMode(_:)`` has the rules.
  package func inSafeMode(_ mode: SafeMode) -> StartupPlan {
    var plan = self
    plan.outline = outline.inSafeMode(mode)
    return plan
  }
}
