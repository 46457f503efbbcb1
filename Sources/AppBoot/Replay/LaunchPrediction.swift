/// A prediction of how long a launch takes with changes, from records of launches without them.
package struct LaunchPrediction: Sendable {
  /// The recorded and the predicted duration of one launch, in nanoseconds.
  package struct Sample: Sendable, Hashable {
    /// The recorded duration.
    package let recorded: Int64
    /// The predicted duration.
    package let predicted: Int64
  }

  /// The samples, one for each launch.
  package let samples: [Sample]
  /// The number of launches that were left out, because they ran other steps.
  package let leftOut: Int
  /// The newest launch, simulated with the changes.
  package let simulated: StartupRecord
  /// The predicted duration if processors were unlimited, in nanoseconds; `nil` if the processors are unknown.
  package let unlimited: Int64?
  /// The ids of the steps that count as waiting because their CPU time is unknown, in manifest order.
  package let unmeasured: [String]
  /// The ids of the steps of which an attempt would exceed the timeout, in manifest order.
  package let timedOut: [String]

  /// Predicts from records that are replayed with their changes, oldest first. Returns `nil` without records.
  ///
  /// - Parameter leftOut: The number of launches that are not among them, because they ran other steps.
  package init?(of launches: [(replay: LaunchReplay, changes: LaunchChanges)], leftOut: Int = 0) {
    guard let (newest, changes) = launches.last else { return nil }
    self.leftOut = leftOut
    samples = launches.map { replay, changes in
      Sample(
        recorded: replay.record.duration, predicted: replay.predictedDuration(with: changes))
    }
    let simulated = newest.simulated(with: changes)
    self.simulated = simulated
    var unlimited = changes
    unlimited.processors = .max
    self.unlimited = newest.processors == nil ? nil : newest.predictedDuration(with: unlimited)
    unmeasured = newest.record.filter {
      $0.execution.start != nil && !$0.step.takesNoSlot && $0.details.cpuTime == nil
    }.map(\.id)
    let attempts = RecordedAttempts(of: simulated)
    timedOut = newest.record.filter { step in
      guard let timeout = step.step.timeout, !step.state.isFailure else { return false }
      return newest.exceeds(timeout, inStep: step.index, of: attempts)
    }.map(\.id)
  }

  /// The median of the recorded durations.
  package var recorded: Int64 { Self.median(samples.map(\.recorded)) }
  /// The median of the predicted durations.
  package var predicted: Int64 { Self.median(samples.map(\.predicted)) }
  /// The shortest and the longest of the predicted durations.
  package var range: ClosedRange<Int64> { Self.range(samples.map(\.predicted)) }
  /// The shortest and the longest of the recorded durations.
  package var recordedRange: ClosedRange<Int64> { Self.range(samples.map(\.recorded)) }

  private static func range(_ times: [Int64]) -> ClosedRange<Int64> {
    (times.min() ?? 0)...(times.max() ?? 0)
  }

  /// Returns the median; of two middle times, the shorter one.
  private static func median(_ times: [Int64]) -> Int64 {
    times.isEmpty ? 0 : times.sorted()[(times.count - 1) / 2]
  }
}
