/// Why and how far a launch is careful: the last ones died, or somebody asked for it.
public struct SafeMode: Sendable, Hashable {
  /// How much a careful launch leaves out.
  public enum Level: String, Sendable, Hashable, CaseIterable {
    /// The steps in which the last launches died.
    case culprits
    /// Those, and everything after them that is optional.
    case followers
  }

  /// The ids of the steps in which the last launches died; several where they ran side by side each time.
  public var culprits: [String]
  /// How much is left out.
  public var level: Level
  /// Why, in words.
  public var reason: String

  /// Describes a careful launch.
  public init(culprits: [String], level: Level = .culprits, reason: String) {
    self.culprits = culprits
    self.level = level
    self.reason = reason
  }

  /// A launch that is careful because somebody wants it to be, where nothing is known of earlier ones.
  public static var requested: SafeMode { SafeMode(culprits: [], reason: "it was asked for") }
}

extension JSONWriter {
  mutating func write(_ safeMode: SafeMode) {
    object { writer in
      writer.member("culprits", safeMode.culprits)
      writer.member("level", safeMode.level.rawValue)
      writer.member("reason", safeMode.reason)
    }
  }
}

extension StartupPlan {
  /// The plan as a careful launch runs it; what it leaves out is skipped and says why.
  ///
  /// A culprit is skipped unless its policy is `stop`: such a step the launch cannot do without, and the
  /// commands are told instead (``LaunchContext/isSafeMode``). What cannot do without a skipped step, by that
  /// step's own policy, is skipped with it. On the level `followers` everything after a culprit is skipped whose
  /// policy is `continue` or `skipDependents`. Every step and edge is looked at once for each level; what is optional is sorted.
  public func inSafeMode(_ mode: SafeMode) -> StartupPlan {
    var skips = SafeModeSkips(plan: self)
    for id in mode.culprits {
      guard let culprit = index(ofStep: id) else { continue }
      skips.leaveOut(culprit: culprit)
      if mode.level == .followers { skips.leaveOutFollowers(of: culprit) }
    }
    var steps = self.steps
    for (step, text) in skips.reasons where steps[step].skip == nil { steps[step].skip = .safeMode(text) }
    var plan = StartupPlan(
      name: name, options: options, source: source, steps: steps, graph: graph, environment: environment)
    plan.budget = budget
    plan.timeout = timeout
    plan.events = events
    plan.origin = origin
    plan.safeMode = mode
    return plan
  }
}

/// What a careful launch leaves out, and why.
private struct SafeModeSkips {
  let plan: StartupPlan
  private(set) var reasons: [Int: String] = [:]
  /// What the searches for dependents have been to, and those for what is optional.
  private var dependents: Set<Int> = []
  private var optionals: Set<Int> = []

  init(plan: StartupPlan) {
    self.plan = plan
  }

  mutating func leaveOut(culprit: Int) {
    guard plan[culprit].onFailure != .stop else { return }
    leaveOut(culprit, "safe mode: the last launches died in it")
  }

  mutating func leaveOutFollowers(of culprit: Int) {
    // In order, so that each names the first that it comes after.
    for follower in followers(of: culprit, notIn: &optionals).sorted() {
      switch plan[follower].onFailure {
      case .continue, .skipDependents:
        leaveOut(follower, "safe mode: it is optional, and comes after \"\(plan[culprit].id)\"")
      case .stop, .rollback: continue
      }
    }
  }

  private mutating func leaveOut(_ step: Int, _ reason: String) {
    guard reasons.updateValue(reasons[step] ?? reason, forKey: step) == nil else { return }
    guard plan[step].onFailure != .continue else { return }
    for follower in followers(of: step, notIn: &dependents) where reasons[follower] == nil {
      reasons[follower] = "safe mode: it comes after \"\(plan[step].id)\", which is left out"
    }
  }

  /// Every step that comes after this one, near or far, and that no search has been to; everything after such a
  /// step was found with it.
  private func followers(of step: Int, notIn visited: inout Set<Int>) -> [Int] {
    var found: [Int] = []
    var worklist = [step]
    while let current = worklist.popLast() {
      for successor in plan.successors(of: current) where visited.insert(successor).inserted {
        found.append(successor)
        worklist.append(successor)
      }
    }
    return found
  }
}
