/// How the durations of something differ between two sets of launches, and how sure that is.
public struct Effect: Sendable, Hashable {
  /// What can be said of a difference.
  public enum Verdict: Sendable, Hashable {
    /// The head takes less time.
    case faster
    /// The head takes more time.
    case slower
    /// Neither can be said.
    case inconclusive(Reason)

    /// The verdict's name: `faster`, `slower` or `inconclusive`.
    public var name: String {
      switch self {
      case .faster: "faster"
      case .slower: "slower"
      case .inconclusive: "inconclusive"
      }
    }
  }

  /// Why no verdict is given.
  public enum Reason: Sendable, Hashable {
    /// No difference that these sets could show would be more than noise; so many launches of each would do.
    case tooFewLaunches(needed: Int)
    /// The difference is not beyond noise.
    case withinNoise
    /// The difference is beyond noise, and too small to matter.
    case tooSmall
  }

  /// The durations in the base's launches, in nanoseconds.
  public let base: [Int64]
  /// The durations in the head's launches, in nanoseconds.
  public let head: [Int64]
  /// The factor between them: 1.2 where the head takes 20 % more time.
  public let ratio: Double
  /// The interval that holds the true factor with the comparison's confidence; 0 to infinity where there are too few.
  public let interval: ClosedRange<Double>
  /// The probability of a difference at least as great without a cause, corrected for the number of tests.
  public let probability: Double
  /// What can be said.
  public let verdict: Verdict

  /// The median of the base, in nanoseconds.
  public var baseMedian: Int64 { base.median }
  /// The median of the head, in nanoseconds.
  public var headMedian: Int64 { head.median }
}

/// Durations that are to be compared, and the first half of what comes of it: what needs no other tests.
struct EffectTest {
  let base: [Int64]
  let head: [Int64]
  let estimate: RatioEstimate
  let probability: Double

  init(base: [Int64], head: [Int64], confidence: Double) {
    self.base = base
    self.head = head
    // A step may take no time that the clock could see.
    let (first, second) = (base.map { Double(max(1, $0)) }, head.map { Double(max(1, $0)) })
    estimate = RatioEstimate(first, second, confidence: confidence)
    probability = RankTest(first, second).probability
  }

  /// The effect, with the probability that was corrected for all tests of the family.
  func effect(probability: Double, family: Int, _ options: Comparison.Options) -> Effect {
    Effect(
      base: base, head: head, ratio: estimate.ratio, interval: estimate.interval, probability: probability,
      verdict: verdict(probability, family, options))
  }

  private func verdict(_ probability: Double, _ family: Int, _ options: Comparison.Options) -> Effect.Verdict
  {
    let alpha = 1 - options.confidence
    let least = RankTest.smallestProbability(base.count, head.count)
    if least * Double(max(1, family)) > alpha {
      return .inconclusive(.tooFewLaunches(needed: Self.launchesNeeded(family, alpha)))
    }
    if probability > alpha { return .inconclusive(.withinNoise) }
    if abs(estimate.ratio - 1) < options.minimumEffect { return .inconclusive(.tooSmall) }
    return estimate.ratio > 1 ? .slower : .faster
  }

  /// The smallest sets whose clearest difference would show among so many tests.
  static func launchesNeeded(_ family: Int, _ alpha: Double) -> Int {
    (2...RankDistribution.limit).first {
      RankTest.smallestProbability($0, $0) * Double(max(1, family)) <= alpha
    } ?? RankDistribution.limit
  }
}

extension [Int64] {
  /// The middle value; of an even number the mean of the two, and 0 of none.
  package var median: Int64 {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    let (low, high) = (sorted[(count - 1) / 2], sorted[count / 2])
    return low + (high - low) / 2
  }
}
