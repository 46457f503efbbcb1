/// The rule that decides whether the launch or a step is slower than in a base: by more than the limit, at a cost that
/// matters, and improbable by chance.
///
/// Other work on the machine only ever adds to a time, so fast launches are compared (``FastTime``; J. Chen, J. Revels,
/// "Robust benchmarking in noisy environments", 2016). The slowdown factor of other work is removed first
/// (``SpeedAdjustedTimes``). All tests together have one significance level. `Docs/ci.md` has the measured error rates.
struct SlowdownRule: Sendable {
  /// Every test against all sessions, the steps' first.
  let tests: [SlowdownTest]
  /// The level of each test.
  let level: Double
  /// The test of each subject that is slower; of two clocks the one that shows the greater loss.
  let slower: [SlowdownTest.Subject: SlowdownTest]
  /// The tests against each session alone.
  private let single: [SlowdownTest]
  /// The nanoseconds that a slowdown must cost to matter.
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

  /// Merges the tests against each session: the median one by its factor, the lower of two. The probability is that of
  /// all sessions together.
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

  /// True if a test against one session shows a quarter of the allowed slowdown at half the cost that matters.
  var isSuspicious: Bool {
    single.contains { $0.factor > 1 + options.maximumSlowdown / 4 && Double($0.loss) >= floor / 2 }
  }

  /// Returns true if a test shows more than the allowed slowdown, but at a cost too small to matter.
  func isTooSmall(_ test: SlowdownTest) -> Bool {
    test.factor > 1 + options.maximumSlowdown && Double(test.loss) < floor
  }

  /// The steps that take most of the extra time, whatever else is slower; at most three.
  var mostChanged: [SlowdownTest] {
    Dictionary(grouping: tests.filter { $0.subject != .launch }, by: \.subject).values
      .compactMap { $0.max { $0.head - $0.base < $1.head - $1.base } }
      .filter { Double($0.head - $0.base) >= floor }
      .sorted { ($0.head - $0.base, "\($0.subject)") > ($1.head - $1.base, "\($1.subject)") }
      .prefix(3).map(\.self)
  }
}
