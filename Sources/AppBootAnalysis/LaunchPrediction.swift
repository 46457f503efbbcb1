package import AppBoot
import AppBootRecords

/// A prediction of how long a launch takes with changes, from records of launches without them.
package struct LaunchPrediction: Sendable {
  /// The recorded and the predicted duration of one launch, in nanoseconds.
  package struct Sample: Sendable, Hashable {
    /// The recorded duration.
    package let recorded: Int64
    /// The predicted duration.
    package let predicted: Int64
  }

  /// The smallest relative difference that counts: 1 %.
  private static let least = 0.01
  /// The part of the processors that other work may leave to a launch.
  private static let freeProcessors = 0.9
  /// The part of a prediction that its range has in addition on each side if the processors limit the launch.
  ///
  /// With it, the range held the measured time in 28 of 28 trials in which the processors were saturated
  /// (`Benchmarks/whatif-trial --busy --seed 1001 --manifests 28`).
  private static let margin = 0.02

  /// The samples, one for each launch.
  package let samples: [Sample]
  /// The number of launches that were left out, because they ran other steps or had other jobs.
  package let leftOut: Int
  /// The launch whose prediction is the median, simulated with the changes.
  package let simulated: LaunchRecord
  /// The predicted duration of that launch if processors were unlimited, in nanoseconds; `nil` if the processors are
  /// unknown.
  package let unlimited: Int64?
  /// The ids of its steps that count as waiting because their CPU time is unknown, in manifest order.
  package let unmeasured: [String]
  /// The ids of its steps that computed for a part of their time only, in manifest order. The records do not show
  /// whether other work delayed them.
  package let partlyComputing: [String]
  /// The ids of its steps of which an attempt would exceed the timeout, in manifest order.
  package let timedOut: [String]
  /// True if steps wait for a processor in the recorded launches or in the predicted one.
  package let isLimitedByProcessors: Bool
  /// The predicted durations if other work uses a tenth of the processors; empty if they do not limit the launch.
  private let predictedWithOtherWork: [Int64]

  /// Predicts from records that are replayed with their changes, oldest first. Returns `nil` without records.
  ///
  /// - Parameter leftOut: The number of launches that are not among them: they ran other steps or had other jobs.
  package init?(of launches: [(replay: LaunchReplay, changes: LaunchChanges)], leftOut: Int = 0) {
    let samples = launches.map { replay, changes in
      Sample(recorded: replay.record.elapsedTime, predicted: replay.predictedDuration(with: changes))
    }
    let predicted = Self.median(samples.map(\.predicted))
    // If several launches have the median prediction, the newest one counts.
    guard let index = samples.lastIndex(where: { $0.predicted == predicted }) else { return nil }
    let (usual, changes) = launches[index]
    self.samples = samples
    self.leftOut = leftOut
    simulated = usual.simulated(with: changes)
    var withoutLimit = changes
    withoutLimit.processors = .max
    unlimited = usual.processors == nil ? nil : usual.predictedDuration(with: withoutLimit)
    let delay = unlimited.map { predicted - $0 } ?? 0
    let isLimited =
      Double(delay) > Self.least * Double(predicted)
      || launches.contains { $0.replay.waitsForProcessors }
    isLimitedByProcessors = isLimited
    predictedWithOtherWork = launches.compactMap { replay, changes in
      var changes = changes
      changes.freeProcessors = Self.freeProcessors
      return isLimited ? replay.predictedDuration(with: changes) : nil
    }
    unmeasured = usual.record.filter {
      $0.execution.startTime != nil && $0.state.kind != .skipped && !$0.step.placement.takesNoSlot
        && $0.details.processorTime == nil
    }.map(\.id)
    partlyComputing = usual.partlyComputing.sorted().map { usual.record[$0].id }
    let attempts = RecordedAttempts(of: simulated)
    timedOut = usual.record.filter { step in
      guard let timeout = step.step.timeoutTime, !step.state.isFailure else { return false }
      return usual.exceeds(timeout, inStep: step.index, of: attempts)
    }.map(\.id)
  }

  /// The median of the recorded durations.
  package var recorded: Int64 { Self.median(samples.map(\.recorded)) }
  /// The median of the predicted durations.
  package var predicted: Int64 { Self.median(samples.map(\.predicted)) }
  /// The times between which the median of further launches is expected.
  ///
  /// It begins with the predictions from all launches. A few launches show only a part of the variation: the range
  /// grows on each side by the mean distance of two neighbouring predictions. If the processors limit the launch, the
  /// range also has the predictions with other work on the processors, and a margin.
  package var range: ClosedRange<Int64> {
    let usual = Self.range(samples.map(\.predicted))
    var (shortest, longest) = (usual.lowerBound, usual.upperBound)
    let more = samples.count > 1 ? (longest - shortest) / Int64(samples.count - 1) : 0
    if isLimitedByProcessors {
      let others = Self.range(predictedWithOtherWork)
      shortest = min(shortest, others.lowerBound)
      longest = max(longest, others.upperBound)
      shortest -= Int64(clamping: Self.margin * Double(shortest))
      longest = longest.addingClamped(Int64(clamping: Self.margin * Double(longest)))
    }
    // Two launches that differ much would make the range reach down to 0.
    return max(0, shortest - min(more, shortest / 4))...longest.addingClamped(more)
  }
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
