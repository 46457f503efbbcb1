/// The one rule for "slower". By one clock, it decides whether a step or the launch is slower than in a base.
///
/// There are two tests: the times as a whole rose (``probability``), or a share of the launches became slow
/// (``share``). `check`, `compare` and `history` all use this rule.
package struct SlowdownTest: Sendable, Hashable {
  /// The subject of a test: a step or the launch.
  package enum Subject: Sendable, Hashable {
    /// The step with this id.
    case step(String)
    /// The whole launch.
    case launch
  }

  /// The clock that measured the times.
  package enum Clock: String, Sendable, Hashable {
    /// The time from the start to the end.
    case elapsed
    /// The CPU time, which does not include waiting.
    case cpu
  }

  /// The way in which something is slower.
  package enum Finding: Sendable, Hashable {
    /// The times as a whole are slower by this factor, which includes the machine's slowdown as the shown times do.
    case slower(factor: Double)
    /// A share of the launches is slow.
    case partly(SlowShare)
  }

  package let subject: Subject
  package let clock: Clock
  /// The base's times, then the head's, in nanoseconds.
  private let times: [[Int64]]
  /// The same times, those of the base with the machine's slowdown.
  private let samples: [[Double]]
  /// The factor by which the machine slowed the head; 1 if both sides ran in turns.
  package let machineSlowdown: Double
  /// The slowdown factor including the machine's slowdown.
  package let change: Double
  private let estimate: RatioEstimate
  /// The slow launches of the head; `nil` if there are none.
  package let share: SlowShare?

  /// The times of one session of a base, with the factor by which the machine slowed the head since then.
  struct Session {
    let times: [Int64]
    let machineSlowdown: Double
  }

  /// Tests a head against sessions of a base that were recorded at other times.
  ///
  /// The factor is the median of those against each session, the lower one of two.
  ///
  /// - Parameters:
  ///   - least: The smallest factor of a slow launch.
  ///   - controls: The other steps in the head's launches.
  init(
    _ subject: Subject, _ clock: Clock, sessions: [Session], head: [Int64], least: Double,
    controls: () -> [SlowControl] = { [] }
  ) {
    self.subject = subject
    self.clock = clock
    let adjusted = sessions.flatMap { session in
      session.times.map { Double(max(1, $0)) * session.machineSlowdown }
    }
    let ratios = sessions.map { session in
      (change: RatioEstimate(session.times, head).ratio, machine: session.machineSlowdown)
    }.sorted { $0.change / $0.machine < $1.change / $1.machine }
    let middle = ratios.isEmpty ? (change: 1, machine: 1) : ratios[(ratios.count - 1) / 2]
    times = [sessions.flatMap(\.times), head]
    samples = [adjusted, head.map { Double(max(1, $0)) }]
    machineSlowdown = middle.machine
    change = middle.change
    estimate = RatioEstimate(samples[0], samples[1])
    share = SlowShare(base: samples[0], head: samples[1], least: least, controls: controls())
  }

  /// Tests pairs of launches that ran in turns, so that the machine slows both alike.
  init(_ subject: Subject, _ clock: Clock, pairs: [(base: Int64, head: Int64)], least: Double) {
    self.subject = subject
    self.clock = clock
    times = [pairs.map(\.base), pairs.map(\.head)]
    samples = times.map { $0.map { Double(max(1, $0)) } }
    machineSlowdown = 1
    estimate = RatioEstimate(pairs: zip(samples[0], samples[1]).map { (base: $0, head: $1) })
    change = estimate.ratio
    share = SlowShare(base: samples[0], head: samples[1], least: least, controls: [])
  }

  /// The median of the base, in nanoseconds.
  package var base: Int64 { times[0].median }
  /// The median of the head, in nanoseconds.
  package var head: Int64 { times[1].median }
  /// The 90th percentile of the base, in nanoseconds.
  package var basePercentile90: Int64 { times[0].percentile90 }
  /// The 90th percentile of the head, in nanoseconds.
  package var headPercentile90: Int64 { times[1].percentile90 }
  /// The slowdown factor without the machine's slowdown: 1.2 is 20 % slower.
  package var factor: Double { change / machineSlowdown }
  /// The interval of ``factor`` with 95 % confidence.
  package var interval: ClosedRange<Double> { estimate.interval }
  /// The probability that the head looks this slow by chance.
  package var probability: Double { estimate.probability }
  /// The ratio of the medians, which reports show beside them. The estimate ``change`` can differ, even in its sign.
  package var medianRatio: Double { EffectPercent.factor(from: base, to: head) }

  /// The extra time of the head in nanoseconds that the machine's slowdown does not explain.
  package var loss: Int64 {
    // Times in records made by hand can have any ratio.
    let loss = (Double(head) - Double(base) * machineSlowdown).rounded()
    return Int64(min(Self.mostLoss, max(-Self.mostLoss, loss)))
  }

  private static let mostLoss = 0x1p62

  /// The limits beyond which something is slower.
  struct Limits: Sendable {
    /// The allowed slowdown as a fraction.
    let slowdown: Double
    /// The minimum loss of time in nanoseconds.
    let loss: Double
    /// The significance level of one test.
    let level: Double
  }

  /// The number of launches from which half of the allowed slowdown looks slower; before, it is a quarter.
  private static let manyLaunches = 20

  /// Returns the finding; `nil` if nothing is slower.
  func finding(_ limits: Limits) -> Finding? {
    let isSlower = exceeds(limits) && (probability <= limits.level || isSeparate(limits))
    guard let share, share.probability <= limits.level, share.extra * share.fraction >= limits.loss else {
      return isSlower ? .slower(factor: change) : nil
    }
    // A change that the medians do not show is that of the slow launches.
    let isShown = Double(head) > Double(base) * machineSlowdown * (1 + limits.slowdown)
    return isSlower && isShown ? .slower(factor: change) : .partly(share)
  }

  /// Returns whether more launches could show that something is slower.
  func isSuspicious(_ limits: Limits) -> Bool {
    // With few launches, noise hides a part of a slowdown.
    let part = samples[1].count < Self.manyLaunches ? 4.0 : 2.0
    if factor > 1 + limits.slowdown / part, Double(loss) >= limits.loss / 2 { return true }
    // Twice the allowed slowdown must be excluded.
    if interval.upperBound > 1 + 2 * limits.slowdown, interval.upperBound.isFinite,
      Double(base) * (interval.upperBound - 1) >= limits.loss
    {
      return true
    }
    guard let share else { return false }
    return share.probability <= 0.5 && share.extra * share.fraction >= limits.loss / 2
  }

  /// Returns whether the times as a whole look slower than allowed, although chance or the machine may explain it.
  ///
  /// - Parameter least: The lower bound of the interval that looks slower.
  func isUndecided(_ limits: Limits, beyond least: Double) -> Bool {
    change > 1 + limits.slowdown && interval.lowerBound > least
      && Double(head) - Double(base) >= limits.loss && finding(limits) == nil
  }

  /// Returns whether a slowdown is so clear that more launches cannot change the decision.
  func isCertain(_ limits: Limits) -> Bool {
    switch finding(limits) {
    case .partly: true
    case .slower: isSeparate(limits)
    case nil: false
    }
  }

  private func exceeds(_ limits: Limits) -> Bool {
    factor > 1 + limits.slowdown && Double(loss) >= limits.loss
  }

  /// Returns whether the times hardly overlap: even those of the base with the allowed slowdown are smaller than the
  /// head's.
  ///
  /// Pairs are tested as independent launches. Their order is random, so that a drift makes this less probable.
  private func isSeparate(_ limits: Limits) -> Bool {
    RatioEstimate(samples[0].map { $0 * (1 + limits.slowdown) }, samples[1]).probability <= limits.level
  }
}
