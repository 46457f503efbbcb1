/// The rule that decides whether the launch or a step of the head is slower than in the base.
///
/// It is slower if its slowdown exceeds the limit, costs at least the minimum loss, and is improbable by chance. Other
/// work on the machine only adds to a time, so fast launches are compared (``FastTime``; J. Chen, J. Revels, "Robust
/// benchmarking in noisy environments", 2016). The slowdown factor of other work is removed first
/// (``SpeedAdjustedTimes``). All tests together have one significance level. `Docs/ci.md` has the measured error rates.
struct SlowdownRule: Sendable {
  /// The tests of the head against all sessions of the base.
  let tests: [SlowdownTest]
  /// The significance level of each test.
  let level: Double
  /// The test that decided "slower", for each step that is slower, and for the launch if it is.
  ///
  /// If the tests of both clocks decided it, this is the test with the larger loss of time.
  let slower: [SlowdownTest.Subject: SlowdownTest]
  /// The tests of the head against each session alone.
  private let single: [SlowdownTest]
  /// The minimum loss of time that counts as a slowdown, in nanoseconds.
  private let floor: Double
  private let options: Comparison.Options

  init(_ times: [SpeedAdjustedTimes], _ options: Comparison.Options) {
    self.options = options
    let sessions = times.map(\.tests)
    let tests = Self.merged(sessions)
    let level = options.level / Double(max(1, tests.count))
    let floor = max(
      Double(options.leastLoss),
      Double(times.compactMap { $0.base.durations.min() }.min() ?? 0) * options.share)
    let found = tests.filter {
      $0.factor > 1 + options.maximumSlowdown && Double($0.loss) >= floor && $0.probability <= level
    }
    slower = Dictionary(grouping: found, by: \.subject).compactMapValues { $0.max { $0.loss < $1.loss } }
    single = sessions.flatMap(\.self)
    (self.tests, self.level, self.floor) = (tests, level, floor)
  }

  /// Merges the tests against each session to one test of each step and clock.
  ///
  /// It is the test with the median factor; of two middle tests, the one with the lower factor. Its probability is
  /// computed from all sessions together.
  private static func merged(_ sessions: [[SlowdownTest]]) -> [SlowdownTest] {
    struct Key: Hashable {
      let subject: SlowdownTest.Subject
      let clock: SlowdownTest.Clock
    }
    let all = Dictionary(grouping: sessions.flatMap(\.self)) { Key(subject: $0.subject, clock: $0.clock) }
    return (sessions.last ?? []).map { test in
      let tests = all[Key(subject: test.subject, clock: test.clock)] ?? [test]
      return tests.sorted { $0.factor < $1.factor }[(tests.count - 1) / 2].pooled(with: tests)
    }
  }

  /// True if a test against one session exceeds a quarter of the allowed slowdown and half of the minimum loss of time.
  var isSuspicious: Bool {
    single.contains { $0.factor > 1 + options.maximumSlowdown / 4 && Double($0.loss) >= floor / 2 }
  }

  /// Returns whether a slowdown is so clear that more launches cannot change the decision.
  ///
  /// Each slower step must be clearly slower; without slower steps, the launch must be. A step is clearly slower if it
  /// exceeds the limit in each session, and a precedence test rejects that its slowdown is within the limit. The times
  /// must hardly overlap: most times of the base, increased by the limit, are below all times of the head.
  ///
  /// - Parameters:
  ///   - level: The significance level of this look, for all tests together.
  ///   - isBusy: True if the machine is busy. Other work can then slow a few launches in a row, so the limit is higher.
  func isCertain(level: Double, isBusy: Bool) -> Bool {
    let limit = (1 + options.maximumSlowdown) * (isBusy ? Self.busyFactor : 1)
    let steps = slower.keys.filter { $0 != .launch }
    return !slower.isEmpty
      && (steps.isEmpty ? [.launch] : steps).allSatisfy { isClear($0, beyond: limit, level) }
  }

  /// The factor by which the limit is higher if the machine is busy. In 40 launches of a machine that also built
  /// packages, the same step took up to 1.6 times as long in ten launches in a row.
  private static let busyFactor = 1.6

  private func isClear(_ subject: SlowdownTest.Subject, beyond limit: Double, _ level: Double) -> Bool {
    tests.contains { test in
      test.subject == subject
        && test.probability(beyond: limit) <= level / Double(tests.count)
        && single.allSatisfy { $0.subject != subject || $0.clock != test.clock || $0.factor > limit }
    }
  }

  /// Returns whether a test exceeds the allowed slowdown, but does not reach the minimum loss of time.
  func isTooSmall(_ test: SlowdownTest) -> Bool {
    test.factor > 1 + options.maximumSlowdown && Double(test.loss) < floor
  }

  /// The tests of the steps with the most extra time, even if their step is not slower by the rule; at most three.
  var mostChanged: [SlowdownTest] {
    Dictionary(grouping: tests.filter { $0.subject != .launch }, by: \.subject).values
      .compactMap { $0.max { $0.head - $0.base < $1.head - $1.base } }
      .filter { Double($0.head - $0.base) >= floor }
      .sorted { ($0.head - $0.base, "\($0.subject)") > ($1.head - $1.base, "\($1.subject)") }
      .prefix(3).map(\.self)
  }
}
