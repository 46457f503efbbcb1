package import AppBoot

/// The differences between two sets of launches: one decision for the launch and one for each step.
///
/// The decisions are a pure function of the records and the options. `compare` shows them, and `check --baseline` fails
/// if one of them is ``Effect/Decision/slower(factor:)``. `Docs/ci.md` describes the rule and its measured error rates.
package struct Comparison: Sendable {
  /// The limits that decisions use.
  package struct Options: Sendable, Hashable {
    /// The slowdown that is allowed, as a fraction of the base: 0.1 is 10 %.
    package var maximumSlowdown: Double
    /// The probability of a false alarm, over all tests of one direction together.
    package var level = 0.01
    /// The fraction of the launch's time that a slowdown must cost to matter.
    package var share = 0.02
    /// The nanoseconds that a slowdown must cost to matter.
    package var leastLoss: Int64 = 20_000

    /// Creates options; by default a slowdown of more than 10 % is reported.
    package init(maximumSlowdown: Double = 0.1) { self.maximumSlowdown = max(0, maximumSlowdown) }
  }

  /// A set of launches in a comparison: the base or the head.
  package struct Side: Sendable, Hashable {
    /// The launch's name.
    package let name: String
    /// The number of launches that are compared.
    package let launches: Int
    /// The number of launches that are left out because they failed.
    package let leftOut: Int
    /// The number of launches that are left out because the machine was busy during their whole session.
    package let leftOutBusy: Int
  }

  /// A step that both sides have.
  package struct Step: Sendable {
    /// The id in the head.
    package let id: String
    /// The id in the base, if it was a different one.
    package let formerID: String?
    /// The command's name.
    package let command: String
    /// The difference of the step's running time.
    package let effect: Effect
  }

  /// The limits of the decisions.
  package let options: Options
  /// The set to compare with.
  package let base: Side
  /// The set that is compared.
  package let head: Side
  /// The difference of the whole launch's time.
  package let launch: Effect
  /// The steps that both sides have, in the head's order.
  package let steps: [Step]
  /// The ids that only the head has.
  package let added: [String]
  /// The ids that only the base has.
  package let removed: [String]
  /// The ids in the head of the steps whose order changed.
  package let reordered: [String]
  /// True if a session of the base ran on a different machine.
  package let hostsDiffer: Bool
  /// The conditions under which a slowdown can go unnoticed.
  package let warnings: [ComparisonWarning]
  /// True if the base has enough launches for a decision, given the most launches that the head may get.
  package let canDecide: Bool
  private let isBusy: Bool
  private let rule: SlowdownRule

  /// Compares launches with those of a base.
  ///
  /// - Parameters:
  ///   - base: The base's sessions, each a set of launches that were measured together.
  ///   - head: The launches to compare.
  ///   - options: The limits of the decisions.
  package init(base: [[StartupRecord]], head: [StartupRecord], options: Options = Options()) {
    self.init(base: base, head: head, launchLimit: 0, options: options)
  }

  /// Compares the head's launches with the base's. The caller may run more launches for the head, and compare again.
  ///
  /// - Parameters:
  ///   - base: The launches of each session.
  ///   - launchLimit: The most launches that the head can have in the end. ``warnings``, ``canDecide`` and
  ///     ``needsMoreLaunches`` depend on it; the decisions do not.
  package init(
    base: [[StartupRecord]], head: [StartupRecord], launchLimit: Int, options: Options = Options()
  ) {
    let successes = base.map { $0.filter(\.succeeded) }.filter { !$0.isEmpty }
    let (all, now) = (LaunchSet(base.flatMap(\.self)), LaunchSet(head))
    let idleness = MachineIdleness(sessions: successes, head: head.filter(\.succeeded))
    // A base without a successful launch still has an outline.
    let sessions = idleness.sessions.isEmpty ? [all] : idleness.sessions.map { LaunchSet($0) }
    let times = sessions.map { SpeedAdjustedTimes(base: $0, head: now) }
    let launches = sessions.reduce(0) { $0 + $1.count }
    self.options = options
    self.base = Side(
      name: all.outline?.name ?? "", launches: launches, leftOut: all.leftOut,
      leftOutBusy: all.count - launches)
    self.head = Side(name: now.outline?.name ?? "", launches: now.count, leftOut: now.leftOut, leftOutBusy: 0)
    let decisions = DecisionRules(times, options)
    rule = decisions.slowdown
    launch = decisions.launch
    steps = decisions.steps
    let matching = decisions.matching
    (added, removed, reordered) = (matching.added, matching.removed, matching.reordered)
    hostsDiffer = times.contains(where: \.hostsDiffer)
    isBusy = idleness.isBusyNow || now.isUneven
    let facts = ComparisonWarning.Facts(
      baseLaunches: launches, headLaunches: now.count, launchLimit: max(launchLimit, now.count),
      isBusy: isBusy, times: times, rule: rule)
    warnings = facts.warnings
    canDecide = facts.canDecide
  }

  /// The steps whose id changed.
  package var renamed: [Step] { steps.filter { $0.formerID != nil } }

  /// The tests that found a slowdown: the steps by the time that each costs, then the launch.
  package var slower: [SlowdownTest] {
    let tests = steps.map(\.effect).filter(\.isSlower).compactMap(\.test)
      .sorted { ($0.loss, "\($0.subject)") > ($1.loss, "\($1.subject)") }
    return tests + [launch].filter(\.isSlower).compactMap(\.test)
  }

  /// The steps that are slower or faster, by how many nanoseconds their median changed.
  package var decided: [Step] {
    func change(_ step: Step) -> Int64 { abs(step.effect.headMedian - step.effect.baseMedian) }
    return steps.filter { $0.effect.isSlower || $0.effect.isFaster }
      .enumerated().sorted { (-change($0.element), $0.offset) < (-change($1.element), $1.offset) }
      .map(\.element)
  }

  /// The tests of the steps that cost most of a slower launch's extra time, whatever else is slower; at most three.
  package var mostChanged: [SlowdownTest] { rule.mostChanged }

  /// True if more launches could change a decision: something looks slower, or the machine was busy.
  package var needsMoreLaunches: Bool { canDecide && (isBusy || isSuspicious) }

  /// True if something looks slower than in one of the sessions, by a quarter of the limit, for half the time that
  /// matters.
  package var isSuspicious: Bool { canDecide && rule.isSuspicious }

  /// Returns the test that decided slower or faster for the step with this id, or else the test with the larger
  /// slowdown of the two clocks; `nil` without a test.
  package func test(of step: String) -> SlowdownTest? { steps.first { $0.id == step }?.effect.test }

  /// The test of the launch and of each step that has one.
  package var tests: [SlowdownTest] { (steps.map(\.effect) + [launch]).compactMap(\.test) }
}
