/// The rules that decide whether the launch and each step are slower, faster, the same or inconclusive.
///
/// ``SlowdownRule`` decides "slower". The same rule with base and head exchanged decides "faster". That rule must hold
/// for each session of the base alone; a session is the launches of one file. If elapsed time and CPU time disagree,
/// "slower" has priority.
struct DecisionRules: Sendable {
  /// The rule that decides "slower", for the head against all of the base.
  let slowdown: SlowdownRule
  /// The matching of the steps between the last session and the head.
  let matching: StepMatching
  /// True if a session ran on a different machine than the head.
  let hostsDiffer: Bool
  /// The minimum number of launches of each side for a decision.
  private let launchesNeeded: Int
  /// The rules that decide "faster", one for each session.
  private let speedups: [SlowdownRule]
  /// For each session, the base's launches and the steps' ids by their ids in the head.
  private let sessions: [(base: LaunchSet, formerIDs: [String: String])]
  private let base: LaunchSet
  private let head: LaunchSet
  let options: Comparison.Options
  /// True if the launches of both sides ran in turns.
  let isPaired: Bool
  /// The test with the largest slowdown that may be chance; `nil` if there is none.
  let undecided: SlowdownTest?
  /// The tests of each step and of the launch, at most one for each clock.
  private let tests: [SlowdownTest.Subject: [SlowdownTest]]

  /// Creates the rules for sessions that were recorded at other times than the head.
  ///
  /// - Parameter sessions: One element for each session of the base, with the times of its launches and of the head's
  ///   launches. It must not be empty.
  /// - Parameter base: All launches of the base, also those that failed.
  init(_ sessions: [SessionTimes], base: LaunchSet, _ options: Comparison.Options) {
    self.init(
      SlowdownRule(sessions, options), speedups: sessions.map { SlowdownRule([$0.exchanged], options) },
      sessions.map { ($0.base, $0.matching) }, base: base, head: sessions[0].head,
      hostsDiffer: sessions.contains(where: \.hostsDiffer), isPaired: false, options)
  }

  /// Creates the rules for launches that ran in turns.
  ///
  /// - Parameter base: All launches of the base, also those that failed.
  init(_ pairs: LaunchPairs, waitShare: Double?, base: LaunchSet, _ options: Comparison.Options) {
    self.init(
      SlowdownRule(pairs, waitShare: waitShare, options),
      speedups: [SlowdownRule(pairs.exchanged, waitShare: waitShare, options)],
      [(pairs.base, pairs.matching)], base: base, head: pairs.head, hostsDiffer: false, isPaired: true,
      options)
  }

  private init(
    _ slowdown: SlowdownRule, speedups: [SlowdownRule],
    _ sessions: [(base: LaunchSet, matching: StepMatching)], base: LaunchSet, head: LaunchSet,
    hostsDiffer: Bool, isPaired: Bool, _ options: Comparison.Options
  ) {
    self.slowdown = slowdown
    self.speedups = speedups
    self.base = base
    self.head = head
    self.options = options
    self.hostsDiffer = hostsDiffer
    self.isPaired = isPaired
    matching = sessions[sessions.count - 1].matching
    self.sessions = sessions.map { session in
      (session.base, Dictionary(session.matching.pairs.map { ($0.head, $0.base) }) { first, _ in first })
    }
    let level = slowdown.limits.level
    launchesNeeded = (1...1000).first { Self.leastProbability($0, $0, isPaired: isPaired) <= level } ?? 1000
    undecided = slowdown.undecided(isPaired: isPaired)
    tests = Dictionary(grouping: slowdown.tests, by: \.subject)
  }

  /// Returns the minimum number of the base's launches with which the head can be slower.
  func baseNeeded(head: Int) -> Int {
    if isPaired { return launchesNeeded }
    return (1...1000).first { Self.leastProbability($0, head, isPaired: false) <= slowdown.limits.level }
      ?? 1000
  }

  /// Returns whether there are too few launches to decide "slower", even if the times of the sides do not overlap.
  private func isTooFew(_ base: Int, _ head: Int) -> Bool {
    if isPaired { return base < launchesNeeded }
    return Self.leastProbability(base, head, isPaired: false) > slowdown.limits.level
  }

  /// Returns the smallest probability that a test can have: that of two sets without overlap.
  private static func leastProbability(_ base: Int, _ head: Int, isPaired: Bool) -> Double {
    isPaired
      ? (0..<base).reduce(1.0) { value, _ in value / 2 }
      : (0..<base).reduce(1.0) { $0 * Double($1 + 1) / Double(head + $1 + 1) }
  }

  var launch: Effect { effect(of: .launch, sessions.flatMap(\.base.durations), head.durations) }

  var steps: [Comparison.Step] {
    matching.pairs.map { pair in
      let base = sessions.flatMap { session in
        session.formerIDs[pair.head].map(session.base.running) ?? []
      }
      return Comparison.Step(
        id: pair.head, formerID: pair.base == pair.head ? nil : pair.base, command: pair.command,
        effect: effect(of: .step(pair.head), base, head.running(pair.head)))
    }
  }

  /// Returns the estimated change of the elapsed time.
  private func change(
    of subject: SlowdownTest.Subject, _ base: [Int64], _ head: [Int64]
  ) -> (ratio: Double, interval: ClosedRange<Double>) {
    let elapsed = tests[subject]?.first { $0.clock == .elapsed }
    if isPaired, let elapsed { return (elapsed.change, elapsed.interval) }
    let estimate = RatioEstimate(base, head)
    return (estimate.ratio, estimate.interval)
  }

  private func effect(of subject: SlowdownTest.Subject, _ base: [Int64], _ head: [Int64]) -> Effect {
    let estimate = change(of: subject, base, head)
    let decision = decision(on: subject, base.count, head.count, estimate.interval)
    let deciding =
      switch decision {
      case .slower, .partlySlower: slowdown.slower[subject]
      case .faster: test(subject, speedup(of: subject)?.clock ?? .elapsed)
      case .unchanged, .same, .inconclusive:
        undecided?.subject == subject ? undecided : test(subject, .elapsed)
      }
    return Effect(
      base: base, head: head, ratio: estimate.ratio, interval: estimate.interval, decision: decision,
      test: deciding)
  }

  /// Returns the test of a subject by a clock, or else by the other one.
  private func test(_ subject: SlowdownTest.Subject, _ clock: SlowdownTest.Clock) -> SlowdownTest? {
    tests[subject]?.first { $0.clock == clock } ?? tests[subject]?.first
  }

  private func decision(
    on subject: SlowdownTest.Subject, _ baseCount: Int, _ headCount: Int, _ interval: ClosedRange<Double>
  ) -> Effect.Decision {
    switch slowdown.slower[subject]?.finding(slowdown.limits) {
    case .slower(let factor): return .slower(factor: factor)
    case .partly(let share): return .partlySlower(share)
    case nil: break
    }
    if let test = speedup(of: subject) { return .faster(factor: 1 / test.change) }
    if let absence = absence(of: subject, baseCount, headCount) {
      return .inconclusive(.notMeasured(absence))
    }
    if isTooFew(baseCount, headCount) {
      return .inconclusive(.tooFewLaunches(needed: launchesNeeded))
    }
    if subject == .launch, hostsDiffer { return .inconclusive(.otherMachine) }
    let least = 1 + min(Self.unchanged, options.maximumSlowdown)
    if interval.lowerBound >= 2 - least, interval.upperBound <= least { return .unchanged }
    let limit = 1 + options.maximumSlowdown
    if interval.lowerBound >= 1 / limit, interval.upperBound <= limit { return .same }
    // The test of the clock that shows the larger slowdown.
    return .inconclusive(tests[subject]?.max { $0.factor < $1.factor }.map(reason) ?? .withinNoise)
  }

  /// The largest change of a ratio that counts as unchanged.
  private static let unchanged = 0.02

  /// Returns why a side has no times, in words; `nil` if both have times, or if the side has no launch.
  private func absence(of subject: SlowdownTest.Subject, _ baseCount: Int, _ headCount: Int) -> String? {
    guard baseCount == 0 || headCount == 0 else { return nil }
    let id: String? = if case .step(let step) = subject { step } else { nil }
    let formerID = id.flatMap { sessions[sessions.count - 1].formerIDs[$0] }
    let before = baseCount == 0 ? base.absence(of: formerID) : nil
    let now = headCount == 0 ? head.absence(of: id) : nil
    if before == now { return before }
    return [before.map { "\($0) before" }, now.map { "\($0) now" }].compactMap(\.self).joined(separator: ", ")
  }

  /// Returns the test that decides "faster", with base and head exchanged; `nil` unless the head is faster than each
  /// session.
  ///
  /// It is the test with the smallest speedup of all sessions.
  private func speedup(of subject: SlowdownTest.Subject) -> SlowdownTest? {
    let tests = speedups.compactMap { rule -> SlowdownTest? in
      guard let test = rule.slower[subject], case .slower = test.finding(rule.limits) else { return nil }
      return test
    }
    return tests.count == speedups.count ? tests.min { $0.factor < $1.factor } : nil
  }

  private func reason(for test: SlowdownTest) -> Effect.Reason {
    if slowdown.isTooSmall(test) { return .tooSmall }
    let limit = 1 + options.maximumSlowdown
    return test.change > limit && test.factor <= limit ? .machineSpeed : .withinNoise
  }
}
