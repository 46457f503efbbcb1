/// The rules that decide whether the launch and each step are slower, faster, the same or inconclusive.
///
/// ``SlowdownRule`` decides "slower". The same rule with base and head exchanged decides "faster". That rule must hold
/// for each session of the base alone; a session is the launches of one file. If elapsed time and CPU time disagree,
/// "slower" has priority.
struct DecisionRules {
  /// The rule that decides "slower", for the head against all sessions.
  let slowdown: SlowdownRule
  /// The rules that decide "faster", one for each session.
  private let speedups: [SlowdownRule]
  private let sessions: [SpeedAdjustedTimes]
  private let base: LaunchSet
  private let options: Comparison.Options
  /// The minimum number of launches of each side for a decision.
  private let launchesNeeded: Int
  /// For each step and the launch, the test of the clock that shows the larger slowdown.
  private let tests: [SlowdownTest.Subject: SlowdownTest]
  /// For each session, the steps' ids by their ids in the head.
  private let formerIDs: [[String: String]]

  /// Creates the rules of one comparison.
  ///
  /// - Parameter sessions: One element for each session of the base, with the times of its launches and of the head's
  ///   launches. It must not be empty.
  /// - Parameter base: All launches of the base, also those that failed.
  init(_ sessions: [SpeedAdjustedTimes], base: LaunchSet, _ options: Comparison.Options) {
    (self.sessions, self.base, self.options) = (sessions, base, options)
    slowdown = SlowdownRule(sessions, options)
    launchesNeeded = PrecedenceTest.launchesNeeded(level: slowdown.level)
    speedups = sessions.map { SlowdownRule([$0.exchanged], options) }
    tests = Dictionary(grouping: slowdown.tests, by: \.subject)
      .compactMapValues { $0.max { $0.factor < $1.factor } }
    formerIDs = sessions.map {
      Dictionary($0.matching.pairs.map { ($0.head, $0.base) }) { first, _ in first }
    }
  }

  /// The matching of the steps between the last session and the head.
  var matching: StepMatching { sessions[sessions.count - 1].matching }

  var launch: Effect {
    effect(of: .launch, sessions.flatMap(\.base.durations), sessions[0].head.durations)
  }

  var steps: [Comparison.Step] {
    matching.pairs.map { pair in
      let base = zip(sessions, formerIDs).flatMap { session, former in
        former[pair.head].map(session.base.running) ?? []
      }
      return Comparison.Step(
        id: pair.head, formerID: pair.base == pair.head ? nil : pair.base, command: pair.command,
        effect: effect(of: .step(pair.head), base, sessions[0].head.running(pair.head)))
    }
  }

  private func effect(of subject: SlowdownTest.Subject, _ base: [Int64], _ head: [Int64]) -> Effect {
    let estimate = RatioEstimate(base, head)
    let decision = decision(on: subject, base.count, head.count, estimate)
    let deciding =
      switch decision {
      case .slower: slowdown.slower[subject]
      case .faster: speedup(of: subject)?.exchanged
      case .unchanged, .same, .inconclusive: tests[subject]
      }
    return Effect(
      base: base, head: head, ratio: estimate.ratio, interval: estimate.interval, decision: decision,
      test: deciding)
  }

  private func decision(
    on subject: SlowdownTest.Subject, _ baseCount: Int, _ headCount: Int, _ estimate: RatioEstimate
  ) -> Effect.Decision {
    if let test = slowdown.slower[subject] { return .slower(factor: test.factor) }
    if let test = speedup(of: subject) { return .faster(factor: test.exchanged.factor) }
    if let absence = absence(of: subject, baseCount, headCount) {
      return .inconclusive(.notMeasured(absence))
    }
    let level = slowdown.level
    if PrecedenceTest.probability(below: baseCount, base: baseCount, head: headCount) > level {
      return .inconclusive(.tooFewLaunches(needed: launchesNeeded))
    }
    if subject == .launch {
      if sessions.contains(where: \.hostsDiffer) { return .inconclusive(.otherMachine) }
      if tests[subject] == nil { return .inconclusive(.unevenLaunches) }
    }
    let least = 1 + min(Self.unchanged, options.maximumSlowdown)
    if estimate.interval.lowerBound >= 2 - least, estimate.interval.upperBound <= least { return .unchanged }
    let limit = 1 + options.maximumSlowdown
    if estimate.interval.lowerBound >= 1 / limit, estimate.interval.upperBound <= limit { return .same }
    return .inconclusive(tests[subject].map(reason) ?? .withinNoise)
  }

  /// The largest change of a ratio that counts as unchanged.
  private static let unchanged = 0.02

  /// Returns why a side has no times, in words; `nil` if both have times, or if the side has no launch.
  private func absence(of subject: SlowdownTest.Subject, _ baseCount: Int, _ headCount: Int) -> String? {
    guard baseCount == 0 || headCount == 0 else { return nil }
    let id: String? = if case .step(let step) = subject { step } else { nil }
    let before = baseCount == 0 ? base.absence(of: id.flatMap { formerIDs[formerIDs.count - 1][$0] }) : nil
    let now = headCount == 0 ? sessions[0].head.absence(of: id) : nil
    if before == now { return before }
    return [before.map { "\($0) before" }, now.map { "\($0) now" }].compactMap(\.self).joined(separator: ", ")
  }

  /// Returns the test that decides "faster", with base and head exchanged; `nil` unless the head is faster than each
  /// session.
  ///
  /// It is the test with the smallest speedup of all sessions.
  private func speedup(of subject: SlowdownTest.Subject) -> SlowdownTest? {
    let tests = speedups.compactMap { $0.slower[subject] }
    return tests.count == speedups.count ? tests.min { $0.factor < $1.factor } : nil
  }

  private func reason(for test: SlowdownTest) -> Effect.Reason {
    if slowdown.isTooSmall(test) { return .tooSmall }
    let limits = 1 / (1 + options.maximumSlowdown)...1 + options.maximumSlowdown
    return !limits.contains(test.change) && limits.contains(test.factor) ? .machineSpeed : .withinNoise
  }
}
