extension LaunchOutline {
  /// Returns the outline in safe mode: what it leaves out is skipped with the reason.
  ///
  /// A culprit is skipped unless its policy is `stop`: such a step the launch cannot do without, and the
  /// commands are told instead (``LaunchContext/isSafeMode``). What cannot do without a skipped step, by that
  /// step's own policy, is skipped with it. On the level `followers` everything after a culprit is skipped whose
  /// policy is `continue` or `skipDependents`. Every step and edge is looked at once for each level; what is optional is sorted.
  public func inSafeMode(_ mode: SafeMode) -> LaunchOutline {
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
  /// Returns the plan in safe mode, as ``LaunchOutline/inSafeMode(_:)`` describes it.
  public func inSafeMode(_ mode: SafeMode) -> StartupPlan {
    var plan = self
    plan.updateOutline { $0 = $0.inSafeMode(mode) }
    return plan
  }
}

/// What a careful launch leaves out, and why.
private struct SafeModeSkips {
  let outline: LaunchOutline
  private(set) var reasons: [Int: String] = [:]
  /// What the searches for dependents have been to, and those for what is optional.
  private var dependents: Set<Int> = []
  private var optionals: Set<Int> = []

  init(outline: LaunchOutline) {
    self.outline = outline
  }

  mutating func leaveOut(culprit: Int) {
    guard outline[culprit].onFailure != .stop else { return }
    leaveOut(culprit, "safe mode: the last launches crashed in it")
  }

  mutating func leaveOutFollowers(of culprit: Int) {
    // In order, so that each names the first that it comes after.
    for follower in followers(of: culprit, notIn: &optionals).sorted() {
      switch outline[follower].onFailure {
      case .continue, .skipDependents:
        leaveOut(follower, "safe mode: it is optional and comes after \"\(outline[culprit].id)\"")
      case .stop, .rollback: continue
      }
    }
  }

  private mutating func leaveOut(_ step: Int, _ reason: String) {
    guard reasons.updateValue(reasons[step] ?? reason, forKey: step) == nil else { return }
    guard outline[step].onFailure != .continue else { return }
    for follower in followers(of: step, notIn: &dependents) where reasons[follower] == nil {
      reasons[follower] = "safe mode: it comes after \"\(outline[step].id)\", which is skipped"
    }
  }

  /// Every step that comes after this one, near or far, and that no search has been to; everything after such a
  /// step was found with it.
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
