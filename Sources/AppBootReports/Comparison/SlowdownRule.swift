package import AppBoot

/// Whether launches are slower than a baseline beyond noise: what `check --baseline` goes by.
///
/// Other work on the machine only ever adds to a time, so the fast launches are compared (``FastTime``; J. Chen, J. Revels,
/// "Robust benchmarking in noisy environments", 2016). What everything else is slower by is the machine's pace and is taken
/// out. Slower is what exceeds the allowed factor and is improbable enough (``SlowdownTest``) at a level that is shared
/// by all tests. `Docs/ci.md` has the rates that were measured.
package struct SlowdownGate: Sendable {
  /// What is allowed.
  package struct Options: Sendable, Hashable {
    /// The slow-down that is allowed, as a part of the baseline: 0.1 is 10 %.
    package var maximumSlowdown = 0.1
    /// The probability of any false alarm that the tests may have together.
    package var level = 0.01
    /// The part of the launch's time that a slow-down must cost to matter.
    package var share = 0.02
    /// The nanoseconds that a slow-down must cost to matter.
    package var leastLoss: Int64 = 20_000

    package init() {}
  }

  /// What keeps the gate from deciding as it would.
  package enum Remark: Sendable, Hashable {
    /// The baseline has fewer launches than any verdict takes.
    case baselineTooSmall(launches: Int, needed: Int)
    /// The machine was busier than at its best, or kept coming in between: a slow-down may not show, and of uneven launches
    /// none of the whole.
    case busyMachine
    /// The baseline was measured on another machine: only steps against each other are compared.
    case otherMachine
    /// Most steps took longer by about this factor, and the machine with them or not: one that is slower for its own sake may not
    /// show.
    case slowerAltogether(factor: Double, isMachine: Bool)
    /// Steps that only one side has.
    case changed(added: [String], removed: [String])
  }

  /// Every test, the steps' first.
  package let tests: [SlowdownTest]
  package var remarks: [Remark] { known + [slowerAltogether].compactMap(\.self) }
  private let known: [Remark]
  /// What fixed work is slower by in its fast times; `nil` where it was not measured beside all sessions.
  private let usualPace: Double?
  /// Whether the machine was busier during these launches than at its best, or kept some of them waiting.
  package let isBusy: Bool
  /// The tests against each session.
  private let single: [SlowdownTest]
  private let options: Options
  private let floor: Double

  /// - Parameters:
  ///   - sessions: The baseline: launches that were measured together, at one time or at several.
  ///   - limit: How many launches there may be at most, where the verdict needs more.
  package init(
    sessions: [[StartupRecord]], head: [StartupRecord], limit: Int, options: Options = Options()
  ) {
    self.options = options
    let calm = MachineIdleness(sessions: sessions, head: head)
    let now = LaunchSet(head)
    let times = calm.sessions.map { SpeedAdjustedTimes(baseline: LaunchSet($0), head: now) }
    isBusy = calm.isBusyNow || now.isUneven
    floor = max(
      Double(options.leastLoss),
      Double(times.compactMap { $0.base.durations.min() }.min() ?? 0) * options.share)
    let tests = Self.merged(times.map(\.tests))
    self.tests = tests
    single = times.flatMap(\.tests)
    var remarks: [Remark] = []
    let needed = PrecedenceTest.baseNeeded(head: limit, level: options.level / Double(max(1, tests.count)))
    let launches = times.reduce(0) { $0 + $1.base.side.launches }
    if isBusy, head.count >= limit { remarks.append(.busyMachine) }
    if launches < needed { remarks.append(.baselineTooSmall(launches: launches, needed: needed)) }
    if times.contains(where: \.hostsDiffer) { remarks.append(.otherMachine) }
    if let matching = times.last?.matching, !matching.added.isEmpty || !matching.removed.isEmpty {
      remarks.append(.changed(added: matching.added, removed: matching.removed))
    }
    known = remarks
    let paces = times.compactMap(\.usualPace)
    usualPace = paces.count == times.count ? paces.max() : nil
  }

  /// That the steps in the middle are slower by more than a calm machine makes of them, where nothing else is to be said.
  private var slowerAltogether: Remark? {
    guard let usualPace, isDecisive, slower.isEmpty, !known.contains(.busyMachine),
      !known.contains(.otherMachine)
    else { return nil }
    let changes = Dictionary(grouping: tests.filter { $0.subject != .launch }, by: \.subject).values
      .compactMap { $0.map(\.change).min() }.sorted()
    guard changes.count > 2, case let middle = changes[(changes.count - 1) / 2],
      middle > SpeedAdjustedTimes.quiet
    else {
      return nil
    }
    return .slowerAltogether(factor: middle, isMachine: usualPace > SpeedAdjustedTimes.quiet)
  }

  /// Of the tests against each session the one in the middle, the milder of two: slower is what is slower than most
  /// of the time. How sure that is all sessions say together.
  private static func merged(_ sessions: [[SlowdownTest]]) -> [SlowdownTest] {
    (sessions.last ?? []).map { test in
      let all = sessions.compactMap { session in
        session.first { $0.subject == test.subject && $0.clock == test.clock }
      }
      return all.sorted { $0.factor < $1.factor }[(all.count - 1) / 2].pooled(with: all)
    }
  }

  /// The steps that cost most of what a slower launch takes longer, whatever else is slower; at most three.
  package var mostChanged: [SlowdownTest] {
    Dictionary(grouping: tests.filter { $0.subject != .launch }, by: \.subject).values
      .compactMap { $0.max { $0.head - $0.base < $1.head - $1.base } }
      .filter { Double($0.head - $0.base) >= floor }
      .sorted { ($0.head - $0.base, "\($0.subject)") > ($1.head - $1.base, "\($1.subject)") }
      .prefix(3).map(\.self)
  }

  /// The steps that the baseline does not have.
  package var added: [String] {
    for case .changed(let added, _) in known { return added }
    return []
  }

  /// Whether the baseline can show anything.
  package var isDecisive: Bool {
    !known.contains { if case .baselineTooSmall = $0 { true } else { false } }
  }

  /// What is slower beyond noise: the steps by the time that each costs, then the launch.
  package var slower: [SlowdownTest] {
    guard isDecisive else { return [] }
    let level = options.level / Double(max(1, tests.count))
    let found = tests.filter {
      $0.factor > 1 + options.maximumSlowdown && matters($0) && $0.probability <= level
    }
    let steps = Dictionary(grouping: found.filter { $0.subject != .launch }, by: \.subject)
      .values.compactMap { $0.max { $0.loss < $1.loss } }
      .sorted { ($0.loss, "\($0.subject)") > ($1.loss, "\($1.subject)") }
    return steps + found.filter { $0.subject == .launch }
  }

  /// Whether more launches could tell more: something looks slower, or the machine was too busy.
  package var wantsMore: Bool { isDecisive && (isBusy || isSuspicious) }

  /// Whether something looks slower than in one of the sessions: by a quarter of what is allowed, for half the time that matters.
  package var isSuspicious: Bool {
    isDecisive
      && single.contains { $0.factor > 1 + options.maximumSlowdown / 4 && Double($0.loss) >= floor / 2 }
  }

  /// The test of a step by the clock that shows more.
  package func test(of step: String) -> SlowdownTest? {
    tests.filter { $0.subject == .step(step) }.max { $0.factor < $1.factor }
  }

  private func matters(_ test: SlowdownTest) -> Bool { Double(test.loss) >= floor }
}
