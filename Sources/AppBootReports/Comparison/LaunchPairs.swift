import AppBoot

/// Pairs of a base's and a head's launch that ran one after the other, in random order.
///
/// The machine slows both launches of a pair alike, so that its part cancels out in their ratio.
struct LaunchPairs {
  let base: LaunchSet
  let head: LaunchSet
  let matching: StepMatching
  private let pairs: [Pair]

  typealias Pair = (base: StartupRecord, head: StartupRecord)

  /// Creates the pairs whose launches both succeeded.
  init(_ all: [Pair]) {
    pairs = all.filter { $0.base.succeeded && $0.head.succeeded }
    base = LaunchSet(pairs.map(\.base))
    head = LaunchSet(pairs.map(\.head))
    matching = StepMatching(base: base, head: head)
  }

  private init(_ base: LaunchSet, _ head: LaunchSet, _ matching: StepMatching, _ pairs: [Pair]) {
    self.base = base
    self.head = head
    self.matching = matching
    self.pairs = pairs
  }

  /// The same pairs with base and head exchanged. The tests still use the ids of this head.
  var exchanged: LaunchPairs {
    LaunchPairs(head, base, matching.exchanged, pairs.map { (base: $0.head, head: $0.base) })
  }

  var count: Int { pairs.count }

  /// The times of a step or the launch in one pair.
  private struct Times {
    var elapsed: (base: Int64, head: Int64)
    var cpu: (base: Int64, head: Int64)?
  }

  /// Returns the tests of each step and of the launch, by each suitable clock.
  ///
  /// The CPU time is suitable if the base computes at least half of the time.
  func tests(least: Double) -> [SlowdownTest] {
    let steps = matching.pairs.flatMap { pair in
      tests(of: .step(pair.id), pairs.compactMap { Self.times(of: pair, $0) }, least)
    }
    return steps + tests(of: .launch, pairs.map(Self.times), least)
  }

  private func tests(
    of subject: SlowdownTest.Subject, _ times: [Times], _ least: Double
  ) -> [SlowdownTest] {
    guard !times.isEmpty else { return [] }
    let elapsed = SlowdownTest(subject, .elapsed, pairs: times.map(\.elapsed), least: least)
    let cpu = times.compactMap(\.cpu)
    let isComputing =
      cpu.count == times.count
      && 2 * (cpu.map(\.base).min() ?? 0) >= times.map(\.elapsed.base).min() ?? 0
    return isComputing ? [elapsed, SlowdownTest(subject, .cpu, pairs: cpu, least: least)] : [elapsed]
  }

  private static func times(
    of step: StepMatching.Pair, _ pair: Pair
  ) -> Times? {
    guard let base = pair.base.first(where: { $0.id == step.base }), base.state == .succeeded,
      let head = pair.head.first(where: { $0.id == step.head }), head.state == .succeeded
    else { return nil }
    var times = Times(elapsed: (base.execution.runningTime, head.execution.runningTime))
    if let former = base.details.processorTime, let present = head.details.processorTime {
      times.cpu = (former, present)
    }
    return times
  }

  private static func times(of pair: Pair) -> Times {
    Times(
      elapsed: (pair.base.elapsedTime, pair.head.elapsedTime),
      cpu: (computing(pair.base), computing(pair.head)))
  }

  /// Returns the CPU time of all steps in nanoseconds.
  private static func computing(_ record: StartupRecord) -> Int64 {
    record.reduce(Int64(0)) { $0.addingClamped($1.details.processorTime ?? 0) }
  }
}
