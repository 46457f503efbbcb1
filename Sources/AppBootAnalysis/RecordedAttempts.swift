import AppBoot
import AppBootBase

/// The attempts of a recorded launch, by step.
struct RecordedAttempts: Sendable {
  /// An attempt that began and ended.
  struct Attempt: Sendable {
    let step: Int
    /// The number of the attempt. The first one is 1.
    let number: Int
    /// The time from which the attempt needed only a free slot or lane.
    let available: Int64
    let start: Int64
    let end: Int64
    /// True if the attempt failed, and the step has a later attempt or failed.
    let hasFailed: Bool
  }

  /// All attempts, sorted by step and number.
  private(set) var all: [Attempt] = []
  /// For each step, the index of its first attempt. A last element is the number of all attempts.
  private var offsets: [Int] = [0]

  init(of record: StartupRecord) {
    all.reserveCapacity(record.count)
    offsets.reserveCapacity(record.count + 1)
    for step in record.indices {
      add(step, of: record)
      offsets.append(all.count)
    }
  }

  /// The indices of a step's attempts; empty if it never ran.
  func indices(ofStep step: Int) -> Range<Int> { offsets[step]..<offsets[step + 1] }

  private mutating func add(_ step: Int, of record: StartupRecord) {
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
