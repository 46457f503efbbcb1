/// The difference of a time between two sets of launches: an estimate that describes it, and a decision.
///
/// The estimate describes the times as they were measured. The decision compares the fastest launches, corrected for a
/// machine that became slower or faster, so it can differ from ``ratio``.
package struct Effect: Sendable, Hashable {
  /// The decision on a difference.
  package enum Decision: Sendable, Hashable {
    /// The head is slower than allowed, by this factor: 1.2 is 20 % slower.
    case slower(factor: Double)
    /// The head is faster by more than a slowdown's limit, by this factor: 0.8 takes 20 % less time.
    case faster(factor: Double)
    /// The interval of the ratio is within the limit in both directions.
    case same
    /// The launches do not decide it.
    case inconclusive(Reason)

    /// The decision's name: `slower`, `faster`, `same` or `inconclusive`.
    package var name: String {
      switch self {
      case .slower: "slower"
      case .faster: "faster"
      case .same: "same"
      case .inconclusive: "inconclusive"
      }
    }
  }

  /// The reason for an inconclusive comparison.
  package enum Reason: Sendable, Hashable {
    /// Sets of these sizes decide nothing; this many launches of each can.
    case tooFewLaunches(needed: Int)
    /// The difference can be noise.
    case withinNoise
    /// The difference costs too little time to matter.
    case tooSmall
    /// Other work changed its speed as much, so the machine can be the cause.
    case machineSpeed
    /// The launches ran on different machines.
    case otherMachine
    /// Other work kept interrupting the launches.
    case unevenLaunches

    /// The reason's name in JSON.
    package var name: String {
      switch self {
      case .tooFewLaunches: "tooFewLaunches"
      case .withinNoise: "withinNoise"
      case .tooSmall: "tooSmall"
      case .machineSpeed: "machineSpeed"
      case .otherMachine: "otherMachine"
      case .unevenLaunches: "unevenLaunches"
      }
    }
  }

  /// The durations in the base's launches, in nanoseconds.
  package let base: [Int64]
  /// The durations in the head's launches, in nanoseconds.
  package let head: [Int64]
  /// The estimated ratio of the head's time to the base's: 1.2 if the head takes 20 % more time.
  package let ratio: Double
  /// The interval that holds the true ratio with 95 % confidence; 0 to infinity if there are too few launches.
  package let interval: ClosedRange<Double>
  /// The decision.
  package let decision: Decision
  /// The test that decided slower or faster, or else the one by the clock that shows more; `nil` if nothing was tested.
  package let test: SlowdownTest?

  /// The median of the base, in nanoseconds.
  package var baseMedian: Int64 { base.median }
  /// The median of the head, in nanoseconds.
  package var headMedian: Int64 { head.median }

  /// True if the head is slower.
  package var isSlower: Bool { if case .slower = decision { true } else { false } }
  /// True if the head is faster.
  package var isFaster: Bool { if case .faster = decision { true } else { false } }
}

extension [Int64] {
  /// The median: the mean of the middle two for an even number of values, and 0 without values.
  package var median: Int64 {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    let (low, high) = (sorted[(count - 1) / 2], sorted[count / 2])
    return low + (high - low) / 2
  }
}
