import AppBoot

/// The times of two sets of launches by both clocks, each with the pace of everything else.
struct SpeedAdjustedTimes {
  let base: LaunchSet
  let head: LaunchSet
  let matching: StepMatching
  let hostsDiffer: Bool
  /// The ids in the base of the steps that are mostly work of the processor.
  private let busy: Set<String>

  /// Times below this say nothing of a machine's pace.
  private static let leastTime: Int64 = 50_000

  init(baseline: LaunchSet, head: LaunchSet) {
    base = baseline
    self.head = head
    matching = StepMatching(base: baseline, head: head)
    let (first, second) = (Set(base.side.hosts), Set(head.side.hosts))
    hostsDiffer = !first.isEmpty && !second.isEmpty && first != second
    busy = Set(
      matching.pairs.filter { pair in
        guard let work = baseline.processor(pair.base)?.min(), head.processor(pair.head) != nil else {
          return false
        }
        return 2 * work >= baseline.running(pair.base).min() ?? 0
      }.map(\.base))
  }

  /// A test of each step by each clock that tells something, and of the launch.
  ///
  /// Where the machine keeps everything waiting, the elapsed time of a step that is mostly work tells nothing more.
  var tests: [SlowdownTest] {
    let elapsed = tests(.elapsed, matching.pairs, base.running, head.running)
    let processor = tests(
      .processor, busyPairs, { base.processor($0) ?? [] }, { head.processor($0) ?? [] })
    let working = Set(processor.map(\.subject))
    let isQuiet = busyPace <= Self.quiet
    return elapsed.filter { isQuiet && $0.pace <= Self.quiet || !working.contains($0.subject) } + processor
      + launch
  }

  /// A pace up to which a machine counts as quiet.
  static let quiet = 1.05

  private var busyPairs: [StepMatching.Pair] { matching.pairs.filter { busy.contains($0.base) } }

  private func tests(
    _ clock: SlowdownTest.Clock, _ pairs: [StepMatching.Pair], _ baseTimes: (String) -> [Int64],
    _ headTimes: (String) -> [Int64]
  ) -> [SlowdownTest] {
    let samples = pairs.map { (pair: $0, base: baseTimes($0.base), head: headTimes($0.head)) }
      .filter { !$0.base.isEmpty && !$0.head.isEmpty }
    let ratios = samples.map { Self.ratio($0.base, $0.head) }
    // A faster machine is faster at what the processor does; what a step waits for need not be.
    let least = clock == .processor ? min(1, calibration ?? 1) : 1
    let paces = Paces(ratios.compactMap(\.self), calibration: busyPace, least: least)
    return zip(samples, ratios).map { sample, ratio in
      SlowdownTest(
        .step(sample.pair.head), clock, base: sample.base, head: sample.head, pace: paces.without(ratio))
    }
  }

  private static func ratio(_ base: [Int64], _ head: [Int64]) -> Double? {
    let size = FastTime.size(base.count, head.count)
    let (first, second) = (FastTime.of(base, size: size), FastTime.of(head, size: size))
    guard first >= leastTime else { return nil }
    return Double(second) / Double(first)
  }

  /// By what factor the fixed piece of work that suffered most took longer even at its best; `nil` where none was measured on
  /// both sides.
  private var calibration: Double? {
    zip(base.calibrations, head.calibrations).compactMap { base, head in
      Self.ratio([base.min() ?? 0], [head.min() ?? 0])
    }.max()
  }

  /// The same, 1 within what a calm machine does.
  private var busyPace: Double {
    let factor = calibration ?? 1
    return factor <= MachineIdleness.tolerance ? 1 : factor
  }

  /// By what factor that work took longer in its fast times, as the launches' are compared, at least 1; `nil` where none was
  /// measured on both sides.
  var usualPace: Double? {
    zip(base.calibrations, head.calibrations).compactMap { Self.ratio($0, $1) }.max().map { max(1, $0) }
  }

  /// By how much more the elapsed times of busy steps grew than their processor times: what they waited for a processor.
  private var contention: Double {
    func median(_ times: (LaunchSet, String) -> [Int64]) -> Double? {
      let ratios = busyPairs.compactMap { Self.ratio(times(base, $0.base), times(head, $0.head)) }.sorted()
      return ratios.count < Paces.fewest
        ? nil : (ratios[(ratios.count - 1) / 2] + ratios[ratios.count / 2]) / 2
    }
    guard let elapsed = median({ $0.running($1) }), let work = median({ $0.processor($1) ?? [] }) else {
      return 1
    }
    return max(1, elapsed / work)
  }

  /// The launch's time, without what busy steps waited for a processor; not across machines, and not where something kept
  /// coming in between.
  private var launch: [SlowdownTest] {
    guard !hostsDiffer, !head.isUneven, !base.durations.isEmpty, !head.durations.isEmpty else { return [] }
    let former = Dictionary(matching.pairs.map { ($0.head, $0.base) }) { first, _ in first }
    let (first, second) = (
      base.durations(withoutWaitsOf: { busy.contains($0) }),
      head.durations(withoutWaitsOf: { former[$0].map(busy.contains) ?? false })
    )
    return [
      SlowdownTest(
        .launch, .elapsed, base: first, head: second, pace: max(busyPace, usualPace ?? 1, contention))
    ]
  }
}

/// What everything else is slower by: the median of the other steps' factors, or the calibration's where they are few.
///
/// What slows most steps slows some of them more than others: then it is what the slowest of the others is slower by.
///
/// The other steps are the better measure where there are enough of them: what slows a fixed piece of work need not slow a
/// launch.
private struct Paces {
  private let sorted: [Double]
  private let calibration: Double
  private let least: Double
  /// With fewer factors the median says little.
  static let fewest = 3

  /// - Parameter least: The least pace there is, where other steps tell it.
  init(_ ratios: [Double], calibration: Double, least: Double) {
    sorted = ratios.sorted()
    (self.calibration, self.least) = (calibration, least)
  }

  /// The pace without a step's own factor.
  func without(_ ratio: Double?) -> Double {
    let hole = ratio.flatMap { sorted.firstIndex(of: $0) }
    let count = sorted.count - (hole == nil ? 0 : 1)
    guard count >= Self.fewest else { return calibration }
    func value(_ index: Int) -> Double { sorted[hole.map { index >= $0 ? index + 1 : index } ?? index] }
    let median = (value((count - 1) / 2) + value(count / 2)) / 2
    return median <= SpeedAdjustedTimes.quiet ? max(least, median) : value(count - 1)
  }
}
