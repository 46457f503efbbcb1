package import AppBoot

/// A comparison of two sets of launches, with one decision for the launch and one for each step.
///
/// The decisions are a pure function of the records and the options. `compare` shows them, and `check` fails if
/// something is slower. `Docs/check.md` describes the rule and its measured error rates.
package struct Comparison: Sendable {
  /// The limits that the decisions depend on.
  package struct Options: Sendable, Hashable {
    /// The allowed slowdown as a fraction of the base's time: 0.1 allows 10 %.
    package var maximumSlowdown: Double
    /// The maximum probability of a false slowdown, over all tests together. It is also that of a false speedup.
    package var level = 0.009
    /// The maximum probability of a false slowdown at a check's looks before the last one, over all tests together.
    package var earlyLevel = 0.001
    /// The minimum loss of time that counts as a slowdown, as a fraction of the launch's time.
    package var share = 0.02
    /// The minimum loss of time that counts as a slowdown, in nanoseconds.
    package var leastLoss: Int64 = 20_000

    /// Creates options. By default, a slowdown of more than 10 % is reported.
    package init(maximumSlowdown: Double = 0.1) { self.maximumSlowdown = max(0, maximumSlowdown) }
  }

  /// The share of a launch for which tasks wait for a processor on a busy machine.
  package static let busyShare = 0.1

  /// A set of launches in a comparison: the base or the head.
  package struct Side: Sendable, Hashable {
    /// The name of the newest launch.
    package let name: String
    /// The number of launches that are compared.
    package let launches: Int
    /// The number of launches that were not compared because they failed.
    package let leftOut: Int
  }

  /// A step that both sides have.
  package struct Step: Sendable {
    /// The step's id in the head.
    package let id: String
    /// The step's id in the base if it was a different one; otherwise `nil`.
    package let formerID: String?
    /// The command's name.
    package let command: String
    /// The difference of the step's running time between base and head.
    package let effect: Effect
  }

  private let decisions: DecisionRules
  /// The set of launches to compare with, usually the older one.
  package let base: Side
  /// The set of launches that is judged.
  package let head: Side
  /// The difference of the whole launch's time between base and head.
  package let launch: Effect
  /// The steps that both sides have, in the order of the head.
  package let steps: [Step]
  /// True if the sides have different names or no step in common: they are probably launches of different apps.
  package let appsDiffer: Bool
  /// The differences of outcomes: that of the launch, then those of steps.
  package let states: [StateChange]
  /// The conditions under which a slowdown can go unnoticed.
  package let warnings: [ComparisonWarning]
  /// True if the base has enough launches for a decision. The number depends on the limit of the head's launches.
  package let canDecide: Bool

  /// Compares the launches of a head with those of a base. The caller may run more launches for the head later, and
  /// then compare again.
  ///
  /// - Parameters:
  ///   - base: The sessions of the base. A session is a set of launches that were measured together.
  ///   - head: The launches to judge.
  ///   - launchLimit: The maximum number of launches that the head can have in the end. ``warnings``, ``canDecide`` and
  ///     ``needsMoreLaunches`` depend on it; the decisions do not.
  package init(
    base: [[LaunchRecord]], head: [LaunchRecord], launchLimit: Int = 0, options: Options = Options()
  ) {
    let successes = base.map { $0.filter(\.succeeded) }.filter { !$0.isEmpty }
    let all = LaunchSet(base.flatMap(\.self))
    let now = LaunchSet(head)
    // A base without a successful launch still has an outline.
    let sessions = (successes.isEmpty ? [all] : successes.map { LaunchSet($0) })
      .map { SessionTimes(base: $0, head: now) }
    let commonSlowdown = sessions.compactMap(\.commonSlowdown)
    self.init(
      DecisionRules(sessions, base: all, options), base: all, head: now, launchLimit: launchLimit,
      commonSlowdown: commonSlowdown.count == sessions.count ? commonSlowdown.min() : nil)
  }

  /// Compares a base and a head whose launches ran in turns.
  ///
  /// - Parameters:
  ///   - pairs: A launch of the base and one of the head that ran one after the other, in random order.
  ///   - launchLimit: The maximum number of pairs that there can be in the end.
  ///   - waitShare: The share of a launch for which tasks waited for a processor; `nil` if it is unknown.
  package init(
    pairs: [(base: LaunchRecord, head: LaunchRecord)], launchLimit: Int = 0, waitShare: Double? = nil,
    options: Options = Options()
  ) {
    let all = LaunchSet(pairs.map(\.base))
    self.init(
      DecisionRules(LaunchPairs(pairs), waitShare: waitShare, base: all, options), base: all,
      head: LaunchSet(pairs.map(\.head)),
      launchLimit: launchLimit, commonSlowdown: nil)
  }

  private init(
    _ decisions: DecisionRules, base all: LaunchSet, head now: LaunchSet, launchLimit: Int,
    commonSlowdown: Double?
  ) {
    self.decisions = decisions
    let (rule, matching, isPaired) = (decisions.slowdown, decisions.matching, decisions.isPaired)
    base = Side(name: all.outline?.name ?? "", launches: all.count, leftOut: all.leftOut)
    head = Side(name: now.outline?.name ?? "", launches: now.count, leftOut: now.leftOut)
    launch = decisions.launch
    steps = decisions.steps
    states = StateChange.of(all, now, matching.pairs)
    let sharesSteps =
      !matching.pairs.isEmpty || all.outline?.isEmpty != false || now.outline?.isEmpty != false
    appsDiffer = base.name != head.name || !sharesSteps
    let needed = decisions.baseNeeded(head: max(launchLimit, now.count))
    // More pairs give a base more launches, too.
    canDecide = (isPaired ? max(launchLimit, all.count) : all.count) >= needed
    var warnings: [ComparisonWarning] = []
    if appsDiffer {
      warnings.append(.otherApp(base: base.name, head: head.name, sharesSteps: sharesSteps))
    }
    if !canDecide {
      warnings.append(.baseTooSmall(launches: all.count, needed: needed, isPaired: isPaired))
    }
    if decisions.hostsDiffer { warnings.append(.otherMachine) }
    if !matching.added.isEmpty || !matching.removed.isEmpty {
      warnings.append(.changed(added: matching.added, removed: matching.removed))
    }
    if canDecide, now.count >= launchLimit || !rule.isSuspicious {
      if rule.slower.isEmpty, !decisions.hostsDiffer, let commonSlowdown,
        commonSlowdown > SessionTimes.idleLimit
      {
        warnings.append(.allSlower(factor: commonSlowdown))
      } else if let test = decisions.undecided {
        let words = SlowdownText(test, ascii: true, allowed: decisions.options.maximumSlowdown)
        warnings.append(.undecided(test.subject, slowdown: words.slowdown, isPaired: isPaired))
      }
    }
    self.warnings = warnings
  }

  /// The limits that the decisions depend on.
  package var options: Options { decisions.options }
  /// True if a session of the base ran on a different machine than the head.
  package var hostsDiffer: Bool { decisions.hostsDiffer }
  /// True if the launches of both sides ran in turns.
  package var isPaired: Bool { decisions.isPaired }
  private var rule: SlowdownRule { decisions.slowdown }
  /// The ids of the steps that only the head has.
  package var added: [String] { decisions.matching.added }
  /// The ids of the steps that only the base has.
  package var removed: [String] { decisions.matching.removed }
  /// The ids of the steps whose order changed, as they are in the head.
  package var reordered: [String] { decisions.matching.reordered }
  /// The steps whose id differs between base and head.
  package var renamed: [Step] { steps.filter { $0.formerID != nil } }

  /// The tests that found a slowdown: first those of steps, largest loss of time first, then the test of the launch.
  package var slower: [SlowdownTest] {
    (decided.map(\.effect) + [launch]).filter(\.isSlower).compactMap(\.test)
  }

  /// The slower steps, then the faster ones, each sorted by the change of their median in nanoseconds, largest first.
  package var decided: [Step] {
    [steps.filter(\.effect.isSlower), steps.filter(\.effect.isFaster)].flatMap { steps in
      steps.ranked { abs(EffectText(effect: $0.effect, ascii: false).difference) }
    }
  }

  /// The reason why the comparison can decide nothing, or can miss a slowdown because of the machine; `nil` if there is
  /// none.
  package var doubt: ComparisonWarning? {
    warnings.first {
      switch $0 {
      case .baseTooSmall, .allSlower, .undecided: true
      case .otherApp, .otherMachine, .changed: false
      }
    }
  }

  /// The tests of the steps with the most extra time, even if their step is not decided as slower; at most three.
  package var mostChanged: [SlowdownTest] { rule.mostChanged }

  /// The name of the other side in messages: `base` for launches in turns, `baseline` for recorded launches.
  package var baseName: String { isPaired ? "base" : "baseline" }

  /// Returns the share of slow launches if that is what a test found; otherwise `nil`.
  package func slowShare(of test: SlowdownTest) -> SlowShare? {
    guard case .partly(let share) = test.finding(rule.limits) else { return nil }
    return share
  }

  /// The change of the launch's outcome; `nil` if both sides have the same outcomes, whatever their numbers.
  package var launchChange: StateChange? { states.first { $0.step == nil } }

  /// The step that leaves the comparison undecided; `nil` if there is none.
  var undecidedStep: String? {
    guard case .undecided(.step(let id), _, _)? = doubt else { return nil }
    return id
  }

  /// True unless all launches of a side failed, so that there are no times to compare.
  var hasTimes: Bool {
    if case .inconclusive(.notMeasured) = launch.decision { false } else { true }
  }

  /// True if a step or the launch is slower.
  package var isSlower: Bool { launch.isSlower || steps.contains(where: \.effect.isSlower) }

  /// The steps with a difference, in the order in which the verdict names them: first the slower ones, then the faster
  /// ones and the others. Those with larger changes of the median come first, and those without times last.
  var different: [Step] {
    let different = steps.filter { !$0.effect.isEqual }
    let others = different.filter { !$0.effect.isSlower && !$0.effect.isFaster }
    return decided + others.filter(\.effect.hasTimes).ranked { abs($0.effect.medianDifference) }
      + others.filter { !$0.effect.hasTimes }
  }

  /// Returns whether a head looks slower than allowed, but the comparison cannot tell whether it is.
  package func isOpen(_ effect: Effect) -> Bool {
    guard case .inconclusive(let reason) = effect.decision, reason != .tooSmall, let test = effect.test else {
      return false
    }
    return test.medianRatio > 1 + options.maximumSlowdown
  }

  /// Returns whether a difference has no decision, because there are too few launches or because chance may explain it.
  package func isUndecided(_ effect: Effect) -> Bool { !canDecide || isOpen(effect) }

  /// A line that counts the steps without a difference, for example `12 steps: no difference`; `nil` without them.
  var equalLine: String? {
    let count = steps.count { $0.effect.isEqual }
    return count == 0 ? nil : "\(count) step\(count == 1 ? "" : "s"): no difference"
  }

  /// True if more launches could change a decision, because something looks slower.
  package var needsMoreLaunches: Bool { canDecide && rule.isSuspicious }

  /// Returns whether a slowdown is so clear that a check can end before its last launch.
  ///
  /// - Parameter looks: The number of looks before the last one. They share ``Options/earlyLevel``.
  func isCertain(looks: Int) -> Bool {
    canDecide && rule.isCertain(level: options.earlyLevel / Double(max(1, looks)))
  }

  /// The tests that decided whether steps are slower or faster, by the step's id. Takes O(n) in the number of steps.
  ///
  /// For an undecided step, it is the test of the elapsed time, unless the CPU time leaves the comparison undecided.
  package var stepTests: [String: SlowdownTest] {
    var tests: [String: SlowdownTest] = [:]
    for step in steps { tests[step.id] = step.effect.test }
    return tests
  }
}
