/// The facts about a step that the engine needs most often: a few bytes in an array of their own.
struct StepTraits: Sendable {
  let kind: StepKind
  let lane: Lane
  let onFailure: FailurePolicy
  let hasTimeout: Bool
  let hasRetry: Bool
  let isSkipped: Bool
  /// True if it has a condition that may make it unnecessary.
  let hasUnless: Bool
  /// True if its command was made in code without a required parameter.
  let isMisused: Bool
  /// True if its command can use variables as secrets, for example in a header.
  let usesSecretVariables: Bool

  /// True if it has an attribute that most steps do not have: timeout, budget, attempts, comment, skip, condition,
  /// policy.
  let isSpecial: Bool

  @inline(__always)
  init(of step: StepOutline, kind: StepKind, usesSecretVariables: Bool, isMisused: Bool = false) {
    self.kind = kind
    lane = step.lane
    onFailure = step.onFailure
    hasTimeout = step.timeout != nil
    hasRetry = step.retry != nil
    isSkipped = step.skip != nil
    hasUnless = step.unless != nil
    self.isMisused = isMisused
    self.usesSecretVariables = usesSecretVariables
    isSpecial = step.isSpecial
  }

  /// Returns the traits of the same command after its outline has changed.
  func updated(for step: StepOutline) -> StepTraits {
    StepTraits(of: step, kind: kind, usesSecretVariables: usesSecretVariables, isMisused: isMisused)
  }

  /// True if it counts against `jobs` while it runs off the main lane.
  var takesSlot: Bool { kind != .waiting }

  /// True if it runs on the caller's own thread, which cannot be interrupted.
  var isUninterruptible: Bool { kind == .synchronous && lane == .main }
}

/// Facts about a plan as a whole.
struct PlanTraits: Sendable {
  /// True if the poller watches a step that is not skipped.
  private(set) var hasPolled = false
  /// The number of steps that only wait and are not skipped: they run beside the `jobs` others.
  private(set) var waitingCount = 0
  /// True if a step runs as a task.
  private(set) var hasTasks = false
  /// True if a step keeps the caller busy.
  private(set) var hasMainWork = false
  /// True if a step has a timeout or a retry policy.
  private(set) var hasTimers = false
  /// True if a step may turn out to be unnecessary.
  private(set) var hasUnless = false
  /// True if a step can use variables as secrets.
  private(set) var usesSecretVariables = false
  /// True if a failure may roll back the launch.
  private(set) var hasRollback = false
  /// True if every step is synchronous, on the main lane, without timeouts, and not skipped.
  private(set) var isPlain = true

  init(of steps: [StepTraits]) {
    for step in steps {
      hasPolled = hasPolled || (step.kind.isPolled && !step.isSkipped)
      if !step.takesSlot, !step.isSkipped { waitingCount += 1 }
      hasTasks = hasTasks || step.kind == .asynchronous
      hasMainWork = hasMainWork || step.isUninterruptible
      hasTimers = hasTimers || step.hasTimeout || step.hasRetry
      hasUnless = hasUnless || (step.hasUnless && !step.isSkipped)
      usesSecretVariables = usesSecretVariables || step.usesSecretVariables
      hasRollback = hasRollback || step.onFailure == .rollback
      isPlain = isPlain && step.isUninterruptible && !step.hasTimeout && !step.hasRetry
      isPlain = isPlain && !step.isSkipped && !step.isMisused && !step.hasUnless
    }
  }
}
