import AppBootAnalysis
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

  /// Returns the time of the base's fastest launch without its waits for a processor, in nanoseconds.
  func fastest(waitShare: Double) -> Int64? {
    pairs.map { pair in
      let time = pair.base.elapsedTime
      return max(min(time, Self.computing(pair.base)), Int64(Double(time) * (1 - waitShare)))
    }.min()
  }

  /// Returns the tests of each step and of the launch, by each suitable clock.
  ///
  /// The CPU time is suitable if the base computes at least half of the time that it does not wait for a processor.
  ///
  /// - Parameters:
  ///   - least: The smallest factor of a slow launch.
  ///   - loss: The smallest loss of time that counts, in nanoseconds.
  ///   - waitShare: The share of a launch for which tasks waited for a processor; `nil` if it is unknown.
  func tests(least: Double, loss: Double, waitShare: Double?) -> [SlowdownTest] {
    let subjects =
      matching.pairs.map { pair in
        (subject: SlowdownTest.Subject.step(pair.id), times: pairs.compactMap { Self.times(of: pair, $0) })
      } + [(.launch, pairs.map(Self.times))]
    // The wait for a processor makes each step at most so much longer, and not much more than the least waiting one.
    let stretch = subjects.compactMap { Self.stretch(of: $0.times, loss) }.min() ?? 1
    let contention = max(1, min(2 * stretch, 1 / max(0.01, 1 - (waitShare ?? 0))))
    return subjects.filter { !$0.times.isEmpty }.flatMap { subject, times in
      let elapsed = SlowdownTest(subject, .elapsed, pairs: times.map(\.elapsed), least: least)
      guard let stretch = Self.stretch(of: times, loss), stretch <= 2 * contention else { return [elapsed] }
      return [elapsed, SlowdownTest(subject, .cpu, pairs: times.compactMap(\.cpu), least: least)]
    }
  }

  /// Returns how many times longer than its CPU time the base takes; `nil` if the CPU time is unknown or too short to
  /// matter.
  private static func stretch(of times: [Times], _ loss: Double) -> Double? {
    let cpu = times.compactMap(\.cpu)
    guard cpu.count == times.count else { return nil }
    let base = cpu.map(\.base).median
    guard Double(max(base, cpu.map(\.head).median)) >= loss, base > 0 else { return nil }
    return Double(times.map(\.elapsed.base).median) / Double(base)
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
