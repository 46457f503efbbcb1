package import AppBoot

/// A summary of a launch, which is all that the history stores of it.
package struct LaunchSummary: Sendable, Hashable {
  /// The outcome of a launch, without details.
  package typealias Outcome = LaunchOutcome.Kind
  /// The state of a step, without details.
  package typealias State = StepState.Kind

  /// The summary of a step.
  package struct Step: Sendable, Hashable {
    /// The step's id.
    package let id: String
    /// The step's state at the end of the launch.
    package let state: State
    /// The nanoseconds from the start of the first attempt to the end of the last one; 0 if the step never ran.
    package let duration: Int64
    /// The number of attempts; 0 if the step never ran.
    package let attempts: Int

    /// Creates the summary of a step.
    package init(id: String, state: State, duration: Int64, attempts: Int = 1) {
      (self.id, self.state, self.duration, self.attempts) = (id, state, duration, attempts)
    }
  }

  /// The name of the launch.
  package let name: String
  /// The wall time at which the launch began, as RFC 3339 in UTC.
  package let startedAt: String
  /// The nanoseconds from the start to the end of the launch.
  package let duration: Int64
  /// The outcome of the launch.
  package let outcome: Outcome
  /// The labels, sorted by name.
  package let labels: [LaunchLabel]
  /// The digest of the manifest; `nil` for a plan made in code.
  package let planDigest: String?
  /// The steps in manifest order.
  package let steps: [Step]

  /// Creates a summary from its parts.
  package init(
    name: String, startedAt: String, duration: Int64, outcome: Outcome, labels: [LaunchLabel] = [],
    planDigest: String? = nil, steps: [Step]
  ) {
    (self.name, self.startedAt, self.duration, self.outcome) = (name, startedAt, duration, outcome)
    (self.labels, self.planDigest, self.steps) = (labels, planDigest, steps)
  }

  /// Creates the summary of a record. If the end of the launch is not recorded, its duration is estimated.
  package init(_ record: StartupRecord) {
    let record = record.withEstimatedEnd
    self.init(
      name: record.outline.name, startedAt: record.startedAt, duration: record.elapsedTime,
      outcome: record.outcome.kind, labels: record.header.labels,
      planDigest: record.outline.manifestDigest,
      steps: record.map { step in
        Step(
          id: step.id, state: step.state.kind, duration: step.execution.runningTime,
          attempts: step.execution.startTime == nil ? 0 : max(1, step.details.attempts.count))
      })
  }

  /// True if the launch succeeded. Steps with the policy `continue` may have failed.
  package var succeeded: Bool { outcome == .succeeded }

  /// Returns the value of the label with a name; `nil` if the launch does not have the label.
  package func label(_ name: String) -> String? { labels.first { $0.name == name }?.value }
}
