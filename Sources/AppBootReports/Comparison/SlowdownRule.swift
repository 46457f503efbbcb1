/// The tests of a head for each step and the launch, with one significance level together.
///
/// ``SlowdownTest`` decides "slower". `Docs/check.md` has the measured error rates.
struct SlowdownRule: Sendable {
  /// The tests of the head against the base.
  let tests: [SlowdownTest]
  /// The deciding test of each slower step, and of the launch if it is slower.
  ///
  /// If the tests of both clocks found it, this is the one with the larger loss of time.
  let slower: [SlowdownTest.Subject: SlowdownTest]
  let limits: SlowdownTest.Limits
  /// True if launches did not wait for a processor.
  private let isIdle: Bool

  /// Creates the rule for sessions that were recorded at other times than the head.
  init(_ sessions: [SessionTimes], _ options: Comparison.Options) {
    struct Key: Hashable {
      let subject: SlowdownTest.Subject
      let clock: SlowdownTest.Clock
    }
    func test(_ sample: SessionTimes.Sample, _ all: [SessionTimes.Sample]) -> SlowdownTest {
      SlowdownTest(
        sample.subject, sample.clock, sessions: all.map(\.session), head: sample.head,
        least: 1 + options.maximumSlowdown, controls: sample.controls)
    }
    let samples = sessions.map(\.steps)
    let all = Dictionary(grouping: samples.flatMap(\.self)) { Key(subject: $0.subject, clock: $0.clock) }
    let steps = (samples.last ?? []).map { sample in
      test(sample, all[Key(subject: sample.subject, clock: sample.clock)] ?? [sample])
    }
    let loss = Self.leastLoss(fastest: sessions.compactMap { $0.base.durations.min() }.min(), options)
    let limits = Self.limits(tests: steps.count + 1, loss: loss, options)
    let slower = Set(steps.filter { $0.finding(limits) != nil }.map(\.subject.name))
    let launches = sessions.compactMap { $0.launch(slower: slower) }
    self.init(
      steps + (launches.count == sessions.count ? launches.suffix(1).map { test($0, launches) } : []), limits)
  }

  /// Creates the rule for launches that ran in turns.
  init(_ pairs: LaunchPairs, waitShare: Double?, _ options: Comparison.Options) {
    let loss = Self.leastLoss(fastest: pairs.base.durations.min(), options)
    let tests = pairs.tests(least: 1 + options.maximumSlowdown, loss: loss, waitShare: waitShare)
    // A loss of CPU time costs more time on a busy machine, as the whole launch does.
    let least = Self.leastLoss(fastest: pairs.fastest(waitShare: waitShare ?? 0), options)
    self.init(
      tests, Self.limits(tests: tests.count, loss: least, options),
      isIdle: waitShare.map { $0 < Comparison.busyShare } ?? false)
  }

  /// Returns the smallest loss of time that counts, in nanoseconds.
  private static func leastLoss(fastest: Int64?, _ options: Comparison.Options) -> Double {
    max(Double(options.leastLoss), Double(fastest ?? 0) * options.share)
  }

  /// Returns the limits of each of a number of tests.
  private static func limits(tests: Int, loss: Double, _ options: Comparison.Options) -> SlowdownTest.Limits {
    // Each subject has two tests by each clock: of its times as a whole, and of the share of slow launches.
    SlowdownTest.Limits(
      slowdown: options.maximumSlowdown, loss: loss, level: options.level / Double(max(1, 2 * tests)))
  }

  private init(_ tests: [SlowdownTest], _ limits: SlowdownTest.Limits, isIdle: Bool = false) {
    self.isIdle = isIdle
    slower = Dictionary(grouping: tests.filter { $0.finding(limits) != nil }, by: \.subject)
      .compactMapValues { $0.max { $0.loss < $1.loss } }
    self.tests = tests
    self.limits = limits
  }

  /// The tests that can leave a decision open. On a busy machine, a step with CPU times has only the test of these,
  /// because they leave out the waits for a processor.
  private var decisive: [SlowdownTest] {
    if isIdle { return tests }
    let computing = Set(tests.filter { $0.clock == .cpu }.map(\.subject))
    return tests.filter { $0.clock == .cpu || !computing.contains($0.subject) }
  }

  /// True if something looks slower than in the base, or a launch is slow.
  var isSuspicious: Bool { decisive.contains { $0.isSuspicious(limits) } }

  /// Returns the test with the largest slowdown that may be chance; `nil` if there is none.
  ///
  /// - Parameter isPaired: True for launches in turns: an interval with 1 is no slowdown then, but noise.
  func undecided(isPaired: Bool) -> SlowdownTest? {
    guard slower.isEmpty else { return nil }
    return decisive.filter { $0.isUndecided(limits, beyond: isPaired ? 1 : -1) }.max { $0.change < $1.change }
  }

  /// Returns whether a slowdown is so clear that more launches cannot change the decision.
  ///
  /// Each slower step must be clearly slower; without slower steps, the launch must be.
  ///
  /// - Parameter level: The significance level of this look, for all tests together.
  func isCertain(level: Double) -> Bool {
    let clear = SlowdownTest.Limits(
      slowdown: limits.slowdown, loss: limits.loss, level: level / Double(max(1, 2 * tests.count)))
    let steps = slower.keys.filter { $0 != .launch }
    return !slower.isEmpty
      && (steps.isEmpty ? [.launch] : steps).allSatisfy { subject in
        tests.contains { $0.subject == subject && $0.isCertain(clear) }
      }
  }

  /// Returns whether a test exceeds the allowed slowdown, but does not reach the minimum loss of time.
  func isTooSmall(_ test: SlowdownTest) -> Bool {
    test.factor > 1 + limits.slowdown && Double(test.loss) < limits.loss
  }

  /// The tests of the steps with the most extra time, even if their step is not slower by the rule; at most three.
  var mostChanged: [SlowdownTest] {
    Dictionary(grouping: tests.filter { $0.subject != .launch }, by: \.subject).values
      .compactMap { $0.ranked { $0.head - $0.base }.first }
      .filter { Double($0.head - $0.base) >= limits.loss }
      .sorted { "\($0.subject)" > "\($1.subject)" }
      .ranked { $0.head - $0.base }
      .prefix(3).map(\.self)
  }
}

/// The numbers of launches after which a check compares its launches with the base.
///
/// The first is the requested number; each further one has half as many more, and at least five, up to a limit. A
/// check ends at the first look that shows no reason for more launches, or a slowdown that is certain. The looks
/// before the last share ``Comparison/Options/earlyLevel`` (Bonferroni), so a check has at most the false alarms of
/// both levels together.
package struct CheckLooks: Sendable {
  /// The numbers of launches at the looks, ascending.
  let counts: [Int]

  /// Creates the looks of a check.
  ///
  /// - Parameters:
  ///   - runs: The number of launches at the first look, at least 1.
  ///   - limit: The number of launches at the last look.
  package init(runs: Int, limit: Int) {
    var counts = [max(1, runs)]
    while let last = counts.last, last < limit { counts.append(min(limit, last + max(5, last / 2))) }
    self.counts = counts
  }

  /// The number of launches at the first look.
  package var first: Int { counts[0] }

  /// Returns the number of launches at the next look; `nil` if the check can end with this comparison.
  ///
  /// - Parameters:
  ///   - comparison: The comparison of all launches so far.
  ///   - goal: The number of launches of the look that is over; `nil` for those of the comparison.
  package func next(after comparison: Comparison, goal: Int? = nil) -> Int? {
    guard comparison.needsMoreLaunches, !comparison.isCertain(looks: counts.count - 1) else { return nil }
    return counts.first { $0 > goal ?? comparison.head.launches }
  }
}
