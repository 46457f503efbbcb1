import AppBoot

/// The numbers of running and waiting steps over the time of a launch.
///
/// A step waits from the time it is ready to its start, and between two attempts.
struct StepCounts {
  /// The numbers from one time to the next.
  struct Count: Equatable {
    let time: Int64
    var running: Int
    var waiting: Int
  }

  /// The numbers, sorted by time. Each element differs from the one before it.
  private(set) var all: [Count] = []

  /// Counts the steps of a record. Takes O(n log n) in the number of attempts.
  ///
  /// - Parameter end: The time in nanoseconds at which steps without an end count as ended.
  init(_ record: StartupRecord, end: Int64) {
    var changes: [Count] = []
    for step in record {
      guard let start = step.execution.startTime else { continue }
      let stop = max(start, step.execution.endTime ?? end)
      let ready = min(start, max(0, start - step.execution.waitingTime))
      changes.append(Count(time: ready, running: 0, waiting: 1))
      changes.append(Count(time: start, running: 1, waiting: -1))
      for pause in SlicePart.pauses(of: step, until: stop) {
        changes.append(Count(time: pause.start, running: -1, waiting: 1))
        changes.append(Count(time: pause.end, running: 1, waiting: -1))
      }
      changes.append(Count(time: stop, running: -1, waiting: 0))
    }
    add(changes.sorted { $0.time < $1.time })
  }

  private mutating func add(_ changes: [Count]) {
    var current = Count(time: 0, running: 0, waiting: 0)
    for (index, change) in changes.enumerated() {
      current = Count(
        time: change.time, running: current.running + change.running,
        waiting: current.waiting + change.waiting)
      let isLast = index + 1 == changes.count || changes[index + 1].time > change.time
      guard isLast, all.last?.running != current.running || all.last?.waiting != current.waiting else {
        continue
      }
      all.append(current)
    }
  }
}
