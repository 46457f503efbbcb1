package import AppBoot

extension LaunchOutline {
  /// Returns the outline in safe mode. Steps that safe mode leaves out are skipped with a reason.
  ///
  /// - A culprit is skipped unless its policy is `stop`. The launch needs that step; its command can check
  ///   ``LaunchContext/isSafeMode``.
  /// - Steps that come after a skipped step are skipped too, unless the policy of the skipped step is `continue`.
  /// - On the level `followers`, steps that come after a culprit are skipped if their policy is `continue` or
  ///   `skipDependents`.
  ///
  /// Takes O(steps + edges) for each level, and O(n log n) in the number of optional steps.
  package func inSafeMode(_ mode: SafeMode) -> LaunchOutline {
    var skips = SafeModeSkips(outline: self)
    for id in mode.culprits {
      guard let culprit = index(ofStep: id) else { continue }
      skips.leaveOut(culprit: culprit)
      if mode.level == .followers { skips.leaveOutFollowers(of: culprit) }
    }
    var outline = self
    for (step, text) in skips.reasons where steps[step].skip == nil {
      outline.steps[step].skip = .safeMode(text)
    }
    outline.safeMode = mode
    return outline
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

/// The steps that safe mode skips, with the reasons.
private struct SafeModeSkips {
  let outline: LaunchOutline
  private(set) var reasons: [Int: String] = [:]
  /// The steps that the searches for dependents of skipped steps have visited.
  private var dependents: Set<Int> = []
  private var optionals: Set<Int> = []

  init(outline: LaunchOutline) {
    self.outline = outline
  }

  mutating func leaveOut(culprit: Int) {
    guard outline[culprit].onFailure != .stop else { return }
    leaveOut(culprit, "safe mode: the last launches crashed in this step")
  }

  mutating func leaveOutFollowers(of culprit: Int) {
    // In ascending order, so that each reason names the first culprit that the step comes after.
    for follower in followers(of: culprit, notIn: &optionals).sorted() {
      switch outline[follower].onFailure {
      case .continue, .skipDependents:
        leaveOut(follower, "safe mode: it is optional and comes after \"\(outline[culprit].id)\"")
      case .stop, .keepGoing, .rollback: continue
      }
    }
  }

  private mutating func leaveOut(_ step: Int, _ reason: String) {
    guard reasons.updateValue(reasons[step] ?? reason, forKey: step) == nil else { return }
    guard !outline[step].onFailure.releasesSuccessors else { return }
    for follower in followers(of: step, notIn: &dependents) where reasons[follower] == nil {
      reasons[follower] = "safe mode: it comes after \"\(outline[step].id)\", which is skipped"
    }
  }

  /// Returns the steps that come after a step, directly or indirectly, and that no search has visited.
  private func followers(of step: Int, notIn visited: inout Set<Int>) -> [Int] {
    var found: [Int] = []
    var worklist = [step]
    while let current = worklist.popLast() {
      for successor in outline.successors(of: current) where visited.insert(successor).inserted {
        found.append(successor)
        worklist.append(successor)
      }
    }
    return found
  }
}
