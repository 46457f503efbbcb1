package import AppBoot

/// The earliest possible start of each attempt of a recorded launch, and the step whose slot or lane it needed.
///
/// Takes O(attempts × log attempts).
package struct StartTimes: Sendable {
  package struct Start: Sendable, Hashable {
    /// The earliest possible start.
    package fileprivate(set) var time: Int64
    /// The attempt that released the slot or the lane at that time; `nil` if the attempt waited for neither.
    package fileprivate(set) var releasedBy: Int?
    /// The attempt that used the slot or the lane before; `nil` for its first use.
    package fileprivate(set) var previous: Int?
  }

  /// The earliest starts, by index in ``RecordedAttempts/all``.
  package private(set) var starts: [Start]
  /// The number of slots for steps off the main lane.
  package let jobs: Int
  /// True if at least one attempt waited for a slot or for the main lane.
  package private(set) var hasWaits = false

  /// A start or an end of an attempt.
  package struct Moment {
    package let time: Int64
    /// 0 for the end of an attempt that took time. Such ends come before starts at the same time.
    fileprivate let rank: Int
    package let attempt: Int
    package let isEnd: Bool

    fileprivate var order: (Int64, Int, Int, Int) { (time, rank, attempt, isEnd ? 1 : 0) }
  }

  /// Finds the earliest starts.
  ///
  /// If the record does not have the number of slots, it is the highest number that were in use at the same time. In a
  /// launch that ran one step at a time, all attempts share one slot.
  package init(of attempts: RecordedAttempts, in record: LaunchRecord) {
    let (steps, isSerial) = (record.outline.steps, record.header.isSerial)
    starts = attempts.all.map { Start(time: $0.available, releasedBy: nil) }
    let onMain = attempts.all.indices.filter {
      !isSerial && steps[attempts.all[$0].step].placement.usesMainLane
    }
    let withSlot = attempts.all.indices.filter {
      isSerial || steps[attempts.all[$0].step].placement.takesSlot
    }
    let (mainMoments, slotMoments) = (Self.moments(onMain, attempts), Self.moments(withSlot, attempts))
    jobs = isSerial ? 1 : record.header.jobs ?? max(1, Self.most(slotMoments))
    findWaits(slotMoments, attempts, capacity: jobs)
    findWaits(mainMoments, attempts, capacity: 1)
  }

  /// Returns the starts and ends of attempts, sorted by time.
  package static func moments(_ indices: [Int], _ attempts: RecordedAttempts) -> [Moment] {
    var moments: [Moment] = []
    moments.reserveCapacity(2 * indices.count)
    for index in indices {
      let attempt = attempts.all[index]
      let rank = attempt.end > attempt.start ? 0 : 1
      moments.append(Moment(time: attempt.start, rank: 1, attempt: index, isEnd: false))
      moments.append(Moment(time: attempt.end, rank: rank, attempt: index, isEnd: true))
    }
    return moments.sorted { $0.order < $1.order }
  }

  private static func most(_ moments: [Moment]) -> Int {
    var (now, most) = (0, 0)
    for moment in moments {
      now += moment.isEnd ? -1 : 1
      most = max(most, now)
    }
    return most
  }

  private mutating func findWaits(_ moments: [Moment], _ attempts: RecordedAttempts, capacity: Int) {
    var used = 0
    var lastRelease: (time: Int64, attempt: Int)?
    // The attempts whose released slot has not been taken since, oldest first.
    var released: [Int] = []
    var taken = 0
    for moment in moments {
      guard moment.isEnd else {
        if used + released.count - taken >= capacity, taken < released.count {
          starts[moment.attempt].previous = released[taken]
          taken += 1
        }
        used += 1
        guard let lastRelease, lastRelease.time > attempts.all[moment.attempt].available else { continue }
        starts[moment.attempt].time = lastRelease.time
        starts[moment.attempt].releasedBy = lastRelease.attempt
        hasWaits = true
        continue
      }
      if used >= capacity { lastRelease = (moment.time, moment.attempt) }
      used -= 1
      released.append(moment.attempt)
    }
  }
}

/// The attempts of a recorded launch, by step.
package struct RecordedAttempts: Sendable {
  /// An attempt that began and ended.
  package struct Attempt: Sendable {
    package let step: Int
    /// The number of the attempt. The first one is 1.
    package let number: Int
    /// The time from which the attempt needed only a free slot or lane.
    package let available: Int64
    package let start: Int64
    package let end: Int64
    /// True if the attempt failed, and the step has a later attempt or failed.
    package let hasFailed: Bool
  }

  /// All attempts, sorted by step and number.
  package private(set) var all: [Attempt] = []
  /// For each step, the index of its first attempt. A last element is the number of all attempts.
  private var offsets: [Int] = [0]

  package init(of record: LaunchRecord) {
    all.reserveCapacity(record.count)
    offsets.reserveCapacity(record.count + 1)
    for step in record.indices {
      add(step, of: record)
      offsets.append(all.count)
    }
  }

  /// The indices of a step's attempts; empty if it never ran.
  package func indices(ofStep step: Int) -> Range<Int> { offsets[step]..<offsets[step + 1] }

  /// Returns the attempts by start, so that each comes after those that it waited for.
  func order(in graph: DependencyGraph) -> [Int] {
    var places = [Int](repeating: 0, count: graph.count)
    for (place, step) in graph.topologicalOrder().enumerated() { places[step] = place }
    return all.indices.sorted { left, right in
      let (first, second) = (all[left], all[right])
      return (first.start, first.end, places[first.step], left)
        < (second.start, second.end, places[second.step], right)
    }
  }

  private mutating func add(_ step: Int, of record: LaunchRecord) {
    let execution = record.executions[step]
    guard let start = execution.startTime, let end = execution.endTime else { return }
    let isRoot = record.outline.graph.predecessors(of: step).isEmpty
    // A step without predecessors can start with the launch.
    let ready = isRoot ? 0 : execution.readyTime ?? start
    let attempts = record.details[step]?.attempts ?? []
    guard attempts.count > 1 else {
      add(step, 1, from: ready, start, end, hasFailed: execution.state.isFailure)
      return
    }
    var available = ready
    for (index, attempt) in attempts.enumerated() {
      let stop = attempt.endTime ?? end
      add(step, index + 1, from: available, attempt.startTime, stop, hasFailed: attempt.failure != nil)
      let delay = record.outline.steps[step].retry?.delay(afterAttempt: index + 1) ?? 0
      available = stop.addingClamped(delay)
    }
  }

  private mutating func add(
    _ step: Int, _ number: Int, from available: Int64, _ start: Int64, _ end: Int64, hasFailed: Bool
  ) {
    all.append(
      Attempt(
        step: step, number: number, available: min(available, start), start: start, end: max(start, end),
        hasFailed: hasFailed))
  }
}

extension Int64 {
  /// Returns the sum of two times in nanoseconds, clamped to 64 bits: about 292 years.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
