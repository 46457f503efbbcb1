import AppBootAnalysis
import AppBoot

/// The successful launches of one side of a comparison.
struct LaunchSet {
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
  private let successes: [StartupRecord]
  private let elapsed: [String: [Int64]]
  private let cpu: [String: [Int64]]

  init(_ records: [StartupRecord]) {
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
        elapsed[step.id, default: []].append(step.execution.runningTime)
        if let time = step.details.processorTime { cpu[step.id, default: []].append(time) }
      }
    }
    (self.elapsed, self.cpu) = (elapsed, cpu)
  }

  /// Returns the nanoseconds of a launch during which no step was running.
  private static func gap(in record: StartupRecord) -> Int64 {
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

  private static func states(of records: [StartupRecord]) -> (StateCount, [String: StateCount]) {
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
        included.contains(step.id) ? sum.addingClamped(step.execution.runningTime) : sum
      }
    }
  }
}
