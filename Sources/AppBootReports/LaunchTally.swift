package import AppBoot

/// The counts over all launches of a check: failures, allowed failures and retries, for each step.
package struct LaunchTally: Sendable {
  /// The counts of one step.
  package struct Step: Sendable {
    package let id: String
    /// The number of launches in which the step started.
    package var launches = 0
    /// The number of launches in which the step failed and the manifest does not allow it.
    package var failures = 0
    /// The number of launches in which the step failed and the manifest allows it.
    package var allowedFailures = 0
    /// The number of launches in which the step succeeded only after a retry.
    package var retried = 0
    /// The cause of the step's last failure as one line; `nil` if it did not fail.
    package var cause: String?
  }

  /// A warning about a step: an allowed failure, or a retry.
  package struct Warning: Sendable {
    package let finding: CheckFinding
    /// True if the step behaved differently in other launches.
    package let isFlaky: Bool
  }

  /// The number of launches.
  package let launches: Int
  /// The number of launches that failed.
  package let failedLaunches: Int
  /// The counts of each step, in manifest order.
  package private(set) var steps: [Step]

  /// Counts the launches. All of them must have the same plan.
  package init(_ records: [StartupRecord]) {
    launches = records.count
    failedLaunches = records.count { !$0.succeeded }
    steps = records.first?.outline.map { Step(id: $0.id) } ?? []
    for record in records where record.count == steps.count {
      for step in record where step.execution.startTime != nil { count(step) }
    }
  }

  private mutating func count(_ step: StepRecord) {
    let index = step.index
    steps[index].launches += 1
    if step.state.isFailure {
      if step.isAllowedFailure { steps[index].allowedFailures += 1 } else { steps[index].failures += 1 }
      steps[index].cause = step.cause
    } else if step.state == .succeeded, step.details.attempts.count > 1 {
      steps[index].retried += 1
    }
  }

  /// The warnings about allowed failures and retries, in manifest order.
  package var warnings: [Warning] {
    steps.flatMap { step in
      var warnings: [Warning] = []
      if step.allowedFailures > 0 {
        let place = Self.place(step.allowedFailures, of: step.launches)
        let cause = step.cause.map { ": \($0)" } ?? ""
        let finding = CheckFinding(step: step.id, message: "\(step.id) failed\(place) (allowed)\(cause)")
        warnings.append(Warning(finding: finding, isFlaky: step.allowedFailures < step.launches))
      }
      if step.retried > 0 {
        let place = Self.place(step.retried, of: step.launches)
        let finding = CheckFinding(step: step.id, message: "\(step.id) needed a retry\(place)")
        warnings.append(Warning(finding: finding, isFlaky: true))
      }
      return warnings
    }
  }

  /// Returns words for a number of launches, for example ` in 1 of 8 launches`; empty if there is one launch.
  package static func place(_ count: Int, of launches: Int) -> String {
    launches <= 1 ? "" : " in \(count) of \(launches) launches"
  }
}
