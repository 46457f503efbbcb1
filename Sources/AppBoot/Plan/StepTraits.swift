/// What the engine asks of a step again and again, a few bytes side by side for every step.
struct StepTraits: Sendable {
  let kind: StepKind
  let lane: Lane
  let onFailure: FailurePolicy
  let hasTimeout: Bool
  let hasRetry: Bool
  let isSkipped: Bool
  /// Whether its command was made in code without a parameter that it needs.
  let isMisused: Bool

  /// Whether it has any of what most steps have none of: limit, budget, attempts, comment, skip, condition, policy.
  let isSpecial: Bool

  @inline(__always)
  init(of step: StepOutline, kind: StepKind, isMisused: Bool = false) {
    self.kind = kind
    lane = step.lane
    onFailure = step.onFailure
    hasTimeout = step.timeout != nil
    hasRetry = step.retry != nil
    isSkipped = step.skip != nil
    self.isMisused = isMisused
    isSpecial = step.isSpecial
  }

  /// The traits of the same command after its outline has changed.
  func updated(for step: StepOutline) -> StepTraits { StepTraits(of: step, kind: kind, isMisused: isMisused) }

  /// Whether it runs on the caller's own thread, where nobody can interrupt it.
  var isUninterruptible: Bool { kind == .synchronous && lane == .main }
}

/// What is true of a plan as a whole.
struct PlanTraits: Sendable {
  /// Whether some step that will run is watched by the poller.
  private(set) var hasPolled = false
  /// Whether some step runs as a task.
  private(set) var hasTasks = false
  /// Whether some step keeps the caller busy.
  private(set) var hasMainWork = false
  /// Whether some step has a time limit or is tried again.
  private(set) var hasLimits = false
  /// Whether a failure may roll back.
  private(set) var hasRollback = false
  /// Whether every step is synchronous, on the main lane, without limits, and will run.
  private(set) var isPlain = true

  init(of steps: [StepTraits]) {
    for step in steps {
      hasPolled = hasPolled || (step.kind == .polled && !step.isSkipped)
      hasTasks = hasTasks || step.kind == .asynchronous
      hasMainWork = hasMainWork || step.isUninterruptible
      hasLimits = hasLimits || step.hasTimeout || step.hasRetry
      hasRollback = hasRollback || step.onFailure == .rollback
      isPlain = isPlain && step.isUninterruptible && !step.hasTimeout && !step.hasRetry
      isPlain = isPlain && !step.isSkipped && !step.isMisused
    }
  }
}
