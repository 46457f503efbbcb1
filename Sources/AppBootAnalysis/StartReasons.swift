package import AppBoot
import AppBootRecords

/// The reason why each step of a recorded launch started when it did.
///
/// Takes O(attempts × log attempts), and O(predecessors) for each step that is asked for.
package struct StartReasons: Sendable {
  /// The number of slots for steps off the main lane.
  package let jobs: Int
  private let record: StartupRecord
  private let attempts: RecordedAttempts
  private let starts: StartTimes

  /// Finds the reasons of a record.
  package init(of record: StartupRecord) {
    self.record = record
    attempts = RecordedAttempts(of: record)
    starts = StartTimes(of: attempts, in: record.outline, jobs: record.header.jobs)
    jobs = starts.jobs
  }

  /// The reason of a step's first start; `nil` if the step never ran.
  package subscript(step: Int) -> StartChain.Link? {
    guard let first = attempts.indices(ofStep: step).first else { return nil }
    let start = starts.starts[first]
    return StartChain.Link(
      step: step, reason: reason(of: step, start), possible: start.time, start: attempts.all[first].start)
  }

  private func reason(of step: Int, _ start: StartTimes.Start) -> StartChain.Reason {
    if let other = start.releasedBy {
      return record.outline.steps[step].usesMainLane ? .lane(other) : .slot(other)
    }
    return CriticalPath.latestPredecessor(of: step, in: record).map(StartChain.Reason.after) ?? .launch
  }
}
