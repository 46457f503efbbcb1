import AppBoot
import AppBootRecords

/// The successful launches of one side of a comparison.
struct LaunchSet: Sendable {
  /// The outline of the newest launch; `nil` without launches.
  let outline: LaunchOutline?
  /// The number of launches that are not in the set because they failed.
  let leftOut: Int
  /// The machines that the launches ran on.
  let hosts: Set<RecordHeader.Host>
  let durations: [Int64]
  /// The time of each launch in nanoseconds during which no step was running.
  let gaps: [Int64]
  /// The outcomes of all launches, also of those that failed.
  let outcomes: StateCount
  /// The states of each step in all launches, by the step's id.
  let states: [String: StateCount]
  private let successes: [LaunchRecord]
  private let elapsed: [String: [Int64]]
  private let cpu: [String: [Int64]]

  init(_ records: [LaunchRecord]) {
    successes = records.filter(\.succeeded)
    // Older launches can be from before a change of the manifest.
    outline = (successes.isEmpty ? records : successes).max { $0.startedAt < $1.startedAt }?.outline
    leftOut = records.count - successes.count
    hosts = Set(successes.compactMap(\.header.host))
    durations = successes.map(\.elapsedTime)
    gaps = successes.map(Self.gap)
    (outcomes, states) = Self.states(of: records)
    var elapsed: [String: [Int64]] = [:]
    var cpu: [String: [Int64]] = [:]
    for record in successes {
      for step in record where step.state == .succeeded {
        elapsed[step.id, default: []].append(step.comparedTime)
        if let time = step.details.processorTime { cpu[step.id, default: []].append(time) }
      }
    }
    (self.elapsed, self.cpu) = (elapsed, cpu)
  }

  /// Returns the nanoseconds of a launch during which no step was running.
  private static func gap(in record: LaunchRecord) -> Int64 {
    let runs = record.compactMap { step in
      step.execution.startTime.map { (start: $0, end: $0.addingClamped(step.execution.runningTime)) }
    }
    var (gap, end) = (record.elapsedTime, Int64(0))
    for run in runs.sorted(by: { $0.start < $1.start }) where run.end > end {
      gap = gap.addingClamped(max(end, run.start) - run.end)
      end = run.end
    }
    return max(0, gap)
  }

  private static func states(of records: [LaunchRecord]) -> (StateCount, [String: StateCount]) {
    var outcomes = StateCount()
    var states: [String: StateCount] = [:]
    for record in records {
      outcomes.add(
        record.succeeded ? StateCount.succeeded : "failed",
        cause: OutcomeText(record).reason(subject: "the launch"))
      for step in record {
        states[step.id, default: StateCount()].add(step.state.title, cause: step.cause)
      }
    }
    return (outcomes, states)
  }

  /// Returns why the set has no times of the launch or of a step, in words; `nil` if the set is empty.
  ///
  /// - Parameter id: The id of the step; `nil` for the launch.
  func absence(of id: String?) -> String? {
    guard outcomes.total > 0 else { return nil }
    guard count > 0 else { return "no launch succeeded" }
    guard let id, let states = states[id] else { return nil }
    return states.counts.count == 1
      ? "\(states.counts.keys.joined()) in all launches" : "succeeded in no launch"
  }

  /// The number of successful launches.
  var count: Int { successes.count }

  /// Returns a step's running times in nanoseconds, one for each launch in which the step succeeded.
  func running(_ id: String) -> [Int64] { elapsed[id] ?? [] }

  /// Returns a step's CPU times in nanoseconds, one for each launch in which the step succeeded.
  ///
  /// Returns `nil` unless all of these launches measured the CPU time.
  func cpuTimes(_ id: String) -> [Int64]? {
    guard let times = cpu[id], times.count == running(id).count else { return nil }
    return times
  }

  /// Returns the sum of the running times of steps in nanoseconds, one for each launch.
  func sums(of ids: [String]) -> [Int64] {
    let included = Set(ids)
    return successes.map { record in
      record.reduce(Int64(0)) { sum, step in
        included.contains(step.id) ? sum.addingClamped(step.comparedTime) : sum
      }
    }
  }
}

/// Pairs of a base's and a head's launch that ran one after the other, in random order.
///
/// The machine slows both launches of a pair alike, so that its part cancels out in their ratio.
struct LaunchPairs {
  let base: LaunchSet
  let head: LaunchSet
  let matching: StepMatching
  private let pairs: [Pair]

  typealias Pair = (base: LaunchRecord, head: LaunchRecord)

  /// The same pairs with base and head exchanged. The tests still use the ids of this head.
  var exchanged: LaunchPairs {
    LaunchPairs(
      base: head, head: base, matching: matching.exchanged,
      pairs: pairs.map { (base: $0.head, head: $0.base) })
  }

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
    var times = Times(elapsed: (base.comparedTime, head.comparedTime))
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
  private static func computing(_ record: LaunchRecord) -> Int64 {
    record.reduce(Int64(0)) { $0.addingClamped($1.details.processorTime ?? 0) }
  }
}

extension LaunchPairs {
  /// Creates the pairs whose launches both succeeded.
  init(_ all: [Pair]) {
    pairs = all.filter { $0.base.succeeded && $0.head.succeeded }
    base = LaunchSet(pairs.map(\.base))
    head = LaunchSet(pairs.map(\.head))
    matching = StepMatching(base: base, head: head)
  }
}

extension StepRecord {
  /// The running time in nanoseconds without the waits for a slot or lane between attempts, which other steps cause.
  fileprivate var comparedTime: Int64 {
    let pauses = SlicePart.pauses(of: self, until: execution.endTime ?? 0)
    let waits = pauses.filter { $0.category == SlicePart.wait }
    return max(0, waits.reduce(execution.runningTime) { $0.addingClamped($1.start - $1.end) })
  }
}
