import AppBoot

/// The earliest possible start of each attempt of a recorded launch, and the step whose slot or lane it needed.
///
/// Takes O(attempts × log attempts).
struct StartTimes: Sendable {
  struct Start: Sendable, Hashable {
    /// The earliest possible start.
    let time: Int64
    /// The step that released the slot or the lane at that time; `nil` if the attempt waited for neither.
    let releasedBy: Int?
  }

  /// The earliest starts, by index in ``RecordedAttempts/all``.
  private(set) var starts: [Start]
  /// The number of slots for steps off the main lane.
  let jobs: Int
  /// True if at least one attempt waited for a slot or for the main lane.
  private(set) var hasWaits = false

  private struct Moment {
    let time: Int64
    /// 0 for the end of an attempt that took time. Such ends come before starts at the same time.
    let rank: Int
    let attempt: Int
    let isEnd: Bool

    var order: (Int64, Int, Int, Int) { (time, rank, attempt, isEnd ? 1 : 0) }
  }

  /// Finds the earliest starts.
  ///
  /// - Parameter jobs: The number of slots; `nil` to use the highest number that were in use at the same time.
  init(of attempts: RecordedAttempts, in outline: LaunchOutline, jobs: Int?) {
    starts = attempts.all.map { Start(time: $0.available, releasedBy: nil) }
    let onMain = attempts.all.indices.filter { outline.steps[attempts.all[$0].step].usesMainLane }
    let withSlot = attempts.all.indices.filter { outline.steps[attempts.all[$0].step].takesSlot }
    let (mainMoments, slotMoments) = (Self.moments(onMain, attempts), Self.moments(withSlot, attempts))
    self.jobs = jobs ?? max(1, Self.most(slotMoments))
    findWaits(slotMoments, attempts, capacity: self.jobs)
    findWaits(mainMoments, attempts, capacity: 1)
  }

  private static func moments(_ indices: [Int], _ attempts: RecordedAttempts) -> [Moment] {
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
    for moment in moments {
      guard moment.isEnd else {
        used += 1
        guard let lastRelease, lastRelease.time > attempts.all[moment.attempt].available else { continue }
        starts[moment.attempt] = Start(
          time: lastRelease.time, releasedBy: attempts.all[lastRelease.attempt].step)
        hasWaits = true
        continue
      }
      if used >= capacity { lastRelease = (moment.time, moment.attempt) }
      used -= 1
    }
  }
}
