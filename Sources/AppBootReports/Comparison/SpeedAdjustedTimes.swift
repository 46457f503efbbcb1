/// The times of a base and a head by both clocks, and their tests with the machine's slowdown removed.
struct SpeedAdjustedTimes {
  let base: LaunchSet
  let head: LaunchSet
  let matching: StepMatching
  let hostsDiffer: Bool
  /// The base's ids of the busy steps. They spend at least half of their time computing.
  private let busy: Set<String>

  /// The maximum slowdown factor of the median step that an idle machine causes.
  static let idleLimit = 1.05
  /// The minimum time in nanoseconds from which a machine's speed can be derived.
  private static let leastTime: Int64 = 50_000

  init(base: LaunchSet, head: LaunchSet) {
    self.init(base: base, head: head, matching: StepMatching(base: base, head: head))
  }

  private init(base: LaunchSet, head: LaunchSet, matching: StepMatching) {
    self.base = base
    self.head = head
    self.matching = matching
    hostsDiffer = !base.hosts.isEmpty && !head.hosts.isEmpty && base.hosts != head.hosts
    busy = Set(
      matching.pairs.filter { pair in
        guard let cpuTime = base.cpuTimes(pair.base)?.min(), head.cpuTimes(pair.head) != nil else {
          return false
        }
        return 2 * cpuTime >= base.running(pair.base).min() ?? 0
      }.map(\.base))
  }

  /// The same times with base and head exchanged. The tests still use the ids of this head.
  var exchanged: SpeedAdjustedTimes {
    SpeedAdjustedTimes(base: head, head: base, matching: matching.exchanged)
  }

  /// The tests of the steps by each suitable clock, and the test of the launch.
  ///
  /// If the machine is busy, the elapsed time of a step that mostly computes is not suitable.
  var tests: [SlowdownTest] {
    let elapsed = tests(.elapsed, matching.pairs, base.running, head.running)
    let cpu = tests(.cpu, busyPairs, { base.cpuTimes($0) ?? [] }, { head.cpuTimes($0) ?? [] })
    let computing = Set(cpu.map(\.subject))
    let isIdle = calibrationLimit <= Self.idleLimit
    return elapsed.filter {
      isIdle && $0.machineSlowdown <= Self.idleLimit || !computing.contains($0.subject)
    } + cpu + launch
  }

  private var busyPairs: [StepMatching.Pair] { matching.pairs.filter { busy.contains($0.base) } }

  private func tests(
    _ clock: SlowdownTest.Clock, _ pairs: [StepMatching.Pair], _ baseTimes: (String) -> [Int64],
    _ headTimes: (String) -> [Int64]
  ) -> [SlowdownTest] {
    let samples = pairs.map { (pair: $0, base: baseTimes($0.base), head: headTimes($0.head)) }
      .filter { !$0.base.isEmpty && !$0.head.isEmpty }
    let ratios = samples.map { Self.ratio($0.base, $0.head) }
    // A faster machine computes faster; waiting times do not change.
    let least = clock == .cpu ? min(1, bestCalibration ?? 1) : 1
    let machine = MachineSlowdown(ratios.compactMap(\.self), calibration: calibrationLimit, least: least)
    return zip(samples, ratios).map { sample, ratio in
      SlowdownTest(
        .step(sample.pair.id), clock, base: sample.base, head: sample.head,
        machineSlowdown: machine.without(ratio))
    }
  }

  private static func ratio(_ base: [Int64], _ head: [Int64]) -> Double? {
    let size = FastTime.size(base.count, head.count)
    let (first, second) = (FastTime.of(base, size: size), FastTime.of(head, size: size))
    guard first >= leastTime else { return nil }
    return Double(second) / Double(first)
  }

  /// The slowdown factor of the best calibration runs. Of several kinds, the largest factor counts.
  ///
  /// It is `nil` unless both sides have calibration runs.
  private var bestCalibration: Double? {
    zip(base.calibrations, head.calibrations).compactMap { base, head in
      Self.ratio([base.min() ?? 0], [head.min() ?? 0])
    }.max()
  }

  /// The factor ``bestCalibration``, but 1 if an idle machine can cause it.
  private var calibrationLimit: Double {
    let factor = bestCalibration ?? 1
    return factor <= MachineIdleness.tolerance ? 1 : factor
  }

  /// The slowdown factor of the fast calibration runs, at least 1. Of several kinds, the largest factor counts.
  ///
  /// It is `nil` unless both sides have calibration runs.
  var calibrationSlowdown: Double? {
    zip(base.calibrations, head.calibrations).compactMap { Self.ratio($0, $1) }.max().map { max(1, $0) }
  }

  /// The factor by which the busy steps' elapsed times grew more than their CPU times. It shows their waits for a CPU.
  private var contention: Double {
    func median(_ times: (LaunchSet, String) -> [Int64]) -> Double? {
      let ratios = busyPairs.compactMap { Self.ratio(times(base, $0.base), times(head, $0.head)) }.sorted()
      return ratios.count < MachineSlowdown.fewest
        ? nil : (ratios[(ratios.count - 1) / 2] + ratios[ratios.count / 2]) / 2
    }
    guard let elapsed = median({ $0.running($1) }), let cpu = median({ $0.cpuTimes($1) ?? [] }) else {
      return 1
    }
    return max(1, elapsed / cpu)
  }

  /// The test of the launch's time, without the waits of busy steps for a CPU.
  ///
  /// It is empty if the launches ran on different machines or are uneven.
  private var launch: [SlowdownTest] {
    guard !hostsDiffer, !head.isUneven, !base.durations.isEmpty, !head.durations.isEmpty else { return [] }
    let former = Dictionary(matching.pairs.map { ($0.head, $0.base) }) { first, _ in first }
    let (first, second) = (
      base.durations(withoutWaitsOf: { busy.contains($0) }),
      head.durations(withoutWaitsOf: { former[$0].map(busy.contains) ?? false })
    )
    return [
      SlowdownTest(
        .launch, .elapsed, base: first, head: second,
        machineSlowdown: max(calibrationLimit, calibrationSlowdown ?? 1, contention))
    ]
  }
}
