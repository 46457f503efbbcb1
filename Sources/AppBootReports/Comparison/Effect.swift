/// The difference of a time between two sets of launches, as an estimate and a decision.
///
/// The estimate describes the times as they were measured. The decision leaves out what the machine explains, and can
/// therefore differ from ``ratio``.
package struct Effect: Sendable, Hashable {
  /// The decision on a difference of times.
  package enum Decision: Sendable, Hashable {
    /// The head is slower than allowed. The factor is the ratio of the times: 1.2 is 20 % slower.
    case slower(factor: Double)
    /// A share of the head's launches is slow, and a smaller one of the base's.
    case partlySlower(SlowShare)
    /// The head is faster, by at least as much as a slowdown must be. The factor 0.8 means 20 % less time.
    case faster(factor: Double)
    /// The interval of the ratio is within 2 % in both directions.
    case unchanged
    /// The head is neither slower nor faster: the interval of the ratio is within the limit in both directions.
    case same
    /// The launches do not allow a decision. The value is the reason.
    case inconclusive(Reason)

    /// The decision's name in JSON and text: `slower`, `faster`, `unchanged`, `same` or `inconclusive`.
    package var name: String {
      switch self {
      case .slower, .partlySlower: "slower"
      case .faster: "faster"
      case .unchanged: "unchanged"
      case .same: "same"
      case .inconclusive: "inconclusive"
      }
    }
  }

  /// A reason for an inconclusive decision.
  package enum Reason: Sendable, Hashable {
    /// The sets have too few launches. `needed` is the number that each set needs.
    case tooFewLaunches(needed: Int)
    /// A side has no times. The value is the reason in words, for example `skipped in all launches`.
    case notMeasured(String)
    /// The difference may be chance.
    case withinNoise
    /// The difference costs too little time to count.
    case tooSmall
    /// Other steps changed as much, so the machine may be the cause.
    case machineSpeed
    /// The launches ran on different machines.
    case otherMachine
  }

  /// The durations in the base's launches, in nanoseconds.
  package let base: [Int64]
  /// The durations in the head's launches, in nanoseconds.
  package let head: [Int64]
  /// The estimated ratio of the head's time to the base's time: 1.2 if the head takes 20 % more time.
  package let ratio: Double
  /// The interval that contains the true ratio with 95 % confidence; 0 to infinity if there are too few launches.
  package let interval: ClosedRange<Double>
  /// The decision.
  package let decision: Decision
  /// The test that decided whether the head is slower or faster; `nil` if nothing was tested.
  ///
  /// If the head is neither, it is the test of the elapsed time, or the one that leaves the comparison undecided.
  package let test: SlowdownTest?

  /// The median of the base, in nanoseconds.
  package var baseMedian: Int64 { base.median }
  /// The median of the head, in nanoseconds.
  package var headMedian: Int64 { head.median }

  /// The change of the median, in nanoseconds.
  var medianDifference: Int64 { headMedian - baseMedian }
  /// The 90th percentile of the base, in nanoseconds.
  package var basePercentile90: Int64 { base.percentile90 }
  /// The 90th percentile of the head, in nanoseconds.
  package var headPercentile90: Int64 { head.percentile90 }

  /// True if the head is slower.
  package var isSlower: Bool {
    switch decision {
    case .slower, .partlySlower: true
    case .faster, .unchanged, .same, .inconclusive: false
    }
  }
  /// True if both sides have times.
  package var hasTimes: Bool { !base.isEmpty && !head.isEmpty }

  /// True if no difference was found: the head is unchanged, or the same with an interval that contains 1.
  package var isEqual: Bool { decision == .unchanged || (decision == .same && interval.contains(1)) }

  /// True if the head is faster.
  package var isFaster: Bool { if case .faster = decision { true } else { false } }
}

extension [Int64] {
  /// The median: the mean of the two middle values if their number is even, and 0 without values.
  package var median: Int64 {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    let (low, high) = (sorted[(count - 1) / 2], sorted[count / 2])
    return low + (high - low) / 2
  }

  /// The 90th percentile: the smallest value that at least 90 % of the values do not exceed; 0 without values.
  package var percentile90: Int64 { percentiles([90])[0] }

  /// Returns percentiles by their percentages: the smallest value that at least so many percent of the values do not
  /// exceed; 0 without values.
  func percentiles(_ percents: [Int]) -> [Int64] {
    let sorted = sorted()
    return percents.map { isEmpty ? 0 : sorted[($0 * count + 99) / 100 - 1] }
  }
}
