/// The facts about a step that the engine needs most often. They are a few bytes in a separate array.
package struct StepTraits: Sendable {
  package let kind: StepKind
  package let lane: Lane
  let onFailure: FailurePolicy
  package let hasTimeout: Bool
  let hasRetry: Bool
  package let isSkipped: Bool
  /// True if the step has a condition that can make it unnecessary.
  let hasUnless: Bool
  /// True if the step's command was created in code without a required parameter.
  let isMisused: Bool
  /// True if the step's command can use variables as secrets, for example in a header field.
  let usesSecretVariables: Bool

  @inline(__always)
  package init(of step: StepOutline, kind: StepKind, usesSecretVariables: Bool, isMisused: Bool = false) {
    self.kind = kind
    lane = step.lane
    onFailure = step.onFailure
    hasTimeout = step.attributes.timeout != nil
    hasRetry = step.retry != nil
    isSkipped = step.skip != nil
    hasUnless = step.attributes.unless != nil
    self.isMisused = isMisused
    self.usesSecretVariables = usesSecretVariables
  }

  /// Returns the traits of the step after its outline has changed. The command is the same.
  func updated(for step: StepOutline) -> StepTraits {
    StepTraits(of: step, kind: kind, usesSecretVariables: usesSecretVariables, isMisused: isMisused)
  }

  /// True if the step counts as one of `jobs` while it runs off the main lane.
  package var takesSlot: Bool { kind.takesSlot }

  /// True if the step occupies the main lane while it runs. A task does not: other steps run while it is suspended.
  var usesMainLane: Bool { lane == .main && kind != .asynchronous }

  /// True if the step runs on the main thread, where it cannot be interrupted.
  var isUninterruptible: Bool { kind == .synchronous && lane == .main }
}

/// The facts about all steps of a plan together.
struct PlanTraits: Sendable {
  /// True if the poller watches at least one step that is not skipped.
  private(set) var hasPolled = false
  /// The number of steps without a slot that are not skipped. They run in addition to `jobs` other steps.
  private(set) var slotlessCount = 0
  /// True if at least one step that is not skipped runs as a task.
  private(set) var hasTasks = false
  /// True if at least one step runs on the main thread.
  private(set) var hasMainWork = false
  /// True if at least one step runs synchronously on a thread of the engine.
  private(set) var hasWorkers = false
  /// True if at least one step has a timeout or a retry policy.
  private(set) var hasTimers = false
  /// True if at least one step has a condition that can make it unnecessary.
  private(set) var hasUnless = false
  /// True if at least one step can use variables as secrets.
  private(set) var usesSecretVariables = false
  /// True if a failure of at least one step rolls back the launch.
  private(set) var hasRollback = false

  init(of steps: [StepTraits]) {
    for step in steps {
      hasPolled = hasPolled || (step.kind.isPolled && !step.isSkipped)
      if !step.takesSlot, !step.isSkipped { slotlessCount += 1 }
      hasTasks = hasTasks || (step.kind == .asynchronous && !step.isSkipped)
      hasMainWork = hasMainWork || step.isUninterruptible
      hasWorkers = hasWorkers || (step.kind == .synchronous && step.lane != .main)
      hasTimers = hasTimers || step.hasTimeout || step.hasRetry
      hasUnless = hasUnless || (step.hasUnless && !step.isSkipped)
      usesSecretVariables = usesSecretVariables || step.usesSecretVariables
      hasRollback = hasRollback || step.onFailure == .rollback
    }
  }
}
