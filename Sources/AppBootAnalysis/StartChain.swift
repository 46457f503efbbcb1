package import AppBoot
import AppBootRecords

/// The chain of reasons why a step of a recorded launch started when it did, back to the start of the launch.
package struct StartChain: Sendable {
  /// The last thing that a step waited for before its first attempt could start.
  package enum Reason: Sendable, Hashable {
    /// The start of the launch.
    case launch
    /// The end of the step with this index, a predecessor.
    case after(Int)
    /// The main lane, which the step with this index released.
    case lane(Int)
    /// A slot, which the step with this index released.
    case slot(Int)

    /// The index of the step that was waited for; `nil` for the start of the launch.
    package var step: Int? {
      switch self {
      case .launch: nil
      case .after(let step), .lane(let step), .slot(let step): step
      }
    }
  }

  /// A step of the chain.
  package struct Link: Sendable, Hashable {
    /// The index of the step.
    package let step: Int
    /// The last thing that it waited for.
    package let reason: Reason
    /// The time at which the reason no longer held: the step could start from then on.
    package let possible: Int64
    /// The time at which the step started.
    package let start: Int64
  }

  /// The steps, beginning with the one whose start is explained. The last one started with the launch.
  package let links: [Link]
  /// The number of slots for steps off the main lane.
  package let jobs: Int

  /// Finds the chain of a step. Returns `nil` if the step never ran.
  package init?(of record: LaunchRecord, to step: Int) {
    self.init(StartReasons(of: record), to: step)
  }

  /// Finds the chain of a step by the reasons of its launch. Returns `nil` if the step never ran.
  package init?(_ reasons: StartReasons, to step: Int) {
    jobs = reasons.jobs
    var links: [Link] = []
    var visited: Set<Int> = []
    var next: Int? = step
    while let current = next, visited.insert(current).inserted, let link = reasons[current] {
      links.append(link)
      next = link.reason.step
    }
    guard !links.isEmpty else { return nil }
    self.links = links
  }

  /// Finds the chain of the step that ended last, which decided when the launch ended. Returns `nil` if no step ran.
  package init?(critical record: LaunchRecord) {
    guard let last = CriticalPath(of: record).steps.last else { return nil }
    self.init(of: record, to: last)
  }
}

/// The reason why each step of a recorded launch started when it did.
///
/// Takes O(attempts × log attempts), and O(predecessors) for each step that is asked for.
package struct StartReasons: Sendable {
  /// The number of slots for steps off the main lane.
  package let jobs: Int
  private let record: LaunchRecord
  private let attempts: RecordedAttempts
  private let starts: StartTimes

  /// Finds the reasons of a record.
  package init(of record: LaunchRecord) {
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
      return record.outline.steps[step].placement.usesMainLane ? .lane(other) : .slot(other)
    }
    return CriticalPath.latestPredecessor(of: step, in: record).map(StartChain.Reason.after) ?? .launch
  }
}
