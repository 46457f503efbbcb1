package import AppBoot

/// The critical path of a launch: the chain of steps and waits that determined its duration. It also has the slack of
/// each step, and the reason why each step started when it did.
///
/// It is computed from the recorded times of the attempts. An attempt follows the last thing that it waited for: a step
/// before it, or one that released the main lane or a slot. Failed steps and steps that timed out count too.
///
/// Takes O(attempts × log attempts + edges).
package struct CriticalPath: Sendable {
  /// The last thing that a step waited for before an attempt could start.
  package enum Reason: Sendable, Hashable {
    /// The start of the launch.
    case launch
    /// The end of the step with this index, a predecessor.
    case after(Int)
    /// The main lane, which the step with this index released.
    case lane(Int)
    /// A slot, which the step with this index released.
    case slot(Int)

    /// The index of the step in the reason; `nil` for the start of the launch.
    package var step: Int? {
      switch self {
      case .launch: nil
      case .after(let step), .lane(let step), .slot(let step): step
      }
    }
  }

  /// A step of a chain.
  package struct Link: Sendable, Hashable {
    /// The index of the step.
    package let step: Int
    /// The last thing that it waited for.
    package let reason: Reason
    /// The time at which the wait ended: the step could start from then on.
    package let possible: Int64
    /// The time at which the step started.
    package let start: Int64
    /// The time at which it released the next step of the chain. A step with several attempts can be in the chain more
    /// than once.
    package let end: Int64
  }

  /// The chain that determined when the launch ended, from its last step back to the start of the launch.
  package private(set) var links: [Link] = []
  /// The number of slots for steps off the main lane.
  package var jobs: Int { starts.jobs }
  private let record: LaunchRecord
  private let attempts: RecordedAttempts
  private let starts: StartTimes
  private var onPath: Set<Int> = []
  private var slacks: [Int64?] = []

  /// Computes the critical path of a record. A launch without an end has an estimated one.
  package init(of given: LaunchRecord) {
    let record = given.outcome == .running ? given.withEstimatedEnd : given
    self.record = record
    attempts = RecordedAttempts(of: record)
    starts = StartTimes(of: attempts, in: record)
    links = lastStep.flatMap { attempts.indices(ofStep: $0).last }.map(chain(toAttempt:)) ?? []
    onPath = Set(links.map(\.step))
    slacks = findSlacks()
  }

  /// The indices of the steps on the critical path, from first to last.
  package var steps: [Int] {
    var seen: Set<Int> = []
    return links.reversed().map(\.step).filter { seen.insert($0).inserted }
  }

  /// Returns whether a step is on the critical path.
  package func contains(_ step: Int) -> Bool { onPath.contains(step) }

  /// Returns the nanoseconds by which a step could have been later without delaying the launch, if each slot kept the
  /// order of its steps; `nil` if the step never ran.
  ///
  /// Only the steps on the critical path have a slack of 0. If two steps ended together, only one of them is on the
  /// path, and the other one has a slack of one nanosecond.
  package func slack(of step: Int) -> Int64? { slacks[step] }

  /// The reason of a step's first start; `nil` if the step never ran.
  package subscript(step: Int) -> Link? { attempts.indices(ofStep: step).first.map { link(ofAttempt: $0) } }

  /// Returns why a step started when it did, back to the start of the launch; empty if the step never ran.
  package func chain(to step: Int) -> [Link] {
    attempts.indices(ofStep: step).first.map(chain(toAttempt:)) ?? []
  }

  // MARK: - Reasons

  private func chain(toAttempt last: Int) -> [Link] {
    var links: [Link] = []
    var visited: Set<Int> = []
    var next: Int? = last
    var end: Int64?
    while let current = next, visited.insert(current).inserted {
      end = end ?? attempts.all[current].end
      guard attempts.all[current].number == 1 || starts.starts[current].releasedBy != nil else {
        // The backoff after the attempt before this one.
        next = current - 1
        continue
      }
      let link = link(ofAttempt: current, until: end)
      links.append(link)
      end = nil
      next =
        starts.starts[current].releasedBy ?? link.reason.step.flatMap { attempts.indices(ofStep: $0).last }
    }
    return links
  }

  private func link(ofAttempt index: Int, until end: Int64? = nil) -> Link {
    let (attempt, start) = (attempts.all[index], starts.starts[index])
    let reason: Reason =
      if let other = start.releasedBy.map({ attempts.all[$0].step }) {
        !record.header.isSerial && record.outline.steps[attempt.step].placement.usesMainLane
          ? .lane(other) : .slot(other)
      } else {
        Self.latestPredecessor(of: attempt.step, in: record).map(Reason.after) ?? .launch
      }
    return Link(
      step: attempt.step, reason: reason, possible: start.time, start: attempt.start, end: end ?? attempt.end)
  }

  // MARK: - The last step

  /// The step that ended last, or was running at the end of the record; `nil` if none ran.
  private var lastStep: Int? {
    let executions = record.executions
    let ran = executions.indices.filter { executions[$0].startTime != nil && executions[$0].endTime != nil }
    let end = ran.lazy.map { executions[$0].endTime ?? 0 }.max()
    let ended = ran.filter { executions[$0].endTime == end }
    // A step that ended at the last moment of the record did not determine when the launch ends.
    let running = ended.filter { executions[$0].state == .running }
    let last = running.isEmpty ? ended : running
    // A step that was cut short at the last moment did not determine that moment.
    return last.first { !Self.isCutShort($0, in: record) } ?? last.first
  }

  /// Returns whether a step ended because the launch ended: it was cancelled, or was waiting for its next attempt.
  private static func isCutShort(_ step: Int, in record: LaunchRecord) -> Bool {
    let execution = record.executions[step]
    switch execution.state {
    case .cancelled(.requested), .cancelled(.deadline): return true
    case .cancelled(.selfCancelled), .waiting, .ready, .running, .succeeded, .failed, .timedOut, .skipped:
      break
    }
    guard let attempt = record.details[step]?.attempts.last?.endTime, let end = execution.endTime else {
      return false
    }
    return attempt < end
  }

  /// Returns the predecessor that ended last, which made the step ready; `nil` if there is none.
  private static func latestPredecessor(of step: Int, in record: LaunchRecord) -> Int? {
    guard let ready = record.executions[step].readyTime else { return nil }
    var found: (step: Int, end: Int64)?
    for candidate in predecessors(of: step, in: record) {
      guard let end = record.executions[candidate].endTime, end <= ready else { continue }
      if let found, found.end >= end { continue }
      found = (candidate, end)
    }
    return found?.step
  }

  /// Returns the predecessors that ran, the last one of `after` first. A skipped one is replaced by its own
  /// predecessors.
  private static func predecessors(of step: Int, in record: LaunchRecord) -> [Int] {
    let (executions, graph) = (record.executions, record.outline.graph)
    var found: [Int] = []
    var skipped: Set<Int> = []
    var candidates = Array(graph.predecessors(of: step))
    while let candidate = candidates.popLast() {
      if executions[candidate].startTime != nil, executions[candidate].endTime != nil {
        found.append(candidate)
      } else if skipped.insert(candidate).inserted {
        candidates.append(contentsOf: graph.predecessors(of: candidate))
      }
    }
    return found
  }

  // MARK: - Slack

  /// Returns the slack of each step. A delay of an attempt delays those that follow it, less the time that they waited
  /// for something else.
  private func findSlacks() -> [Int64?] {
    let end = record.executions.lazy.compactMap { $0.startTime == nil ? nil : $0.endTime }.max() ?? 0
    let order = attempts.order(in: record.outline.graph)
    var places = [Int](repeating: 0, count: order.count)
    for (place, attempt) in order.enumerated() { places[attempt] = place }
    var slacks = attempts.all.map { max(0, end - (record.executions[$0.step].endTime ?? $0.end)) }
    for attempt in order.reversed() {
      let possible = starts.starts[attempt].time
      for (before, released) in dependencies(of: attempt) where places[before] < places[attempt] {
        slacks[before] = min(slacks[before], max(0, possible - released).addingClamped(slacks[attempt]))
      }
    }
    return record.indices.map { step in
      let slack = attempts.indices(ofStep: step).lazy.map { slacks[$0] }.min()
      return slack.map { contains(step) ? 0 : max(1, $0) }
    }
  }

  /// Returns the attempts that an attempt had to wait for, each with the time at which that wait ended.
  private func dependencies(of index: Int) -> [(attempt: Int, released: Int64)] {
    let (attempt, start) = (attempts.all[index], starts.starts[index])
    var all: [(attempt: Int, released: Int64)] = []
    if let before = start.previous { all.append((before, attempts.all[before].end)) }
    if let before = start.releasedBy { all.append((before, start.time)) }
    guard attempt.number == 1 else { return all + [(index - 1, attempt.available)] }
    return all
      + Self.predecessors(of: attempt.step, in: record).compactMap { step in
        attempts.indices(ofStep: step).last.map { ($0, record.executions[step].endTime ?? start.time) }
      }
  }
}

extension LaunchRecord {
  /// The latest time in the record. It is the end of the launch if that is recorded.
  package var lastMoment: Int64 {
    reduce(Swift.max(elapsedTime, healthyTime ?? 0)) { end, step in
      let spans = step.details.spans.lazy.map { $0.endTime ?? $0.startTime }.max() ?? 0
      let attempts = step.details.attempts.lazy.map { $0.endTime ?? $0.startTime }.max() ?? 0
      let undo = step.details.undo.map { $0.endTime ?? $0.startTime } ?? 0
      let execution = step.execution
      return Swift.max(
        end, execution.endTime ?? Swift.max(execution.startTime ?? 0, execution.readyTime ?? 0), spans,
        attempts, undo, step.details.killTime ?? 0,
        step.details.lastOutputTime ?? 0)
    }
  }

  /// The record with estimated ends, for a launch or event handlers whose end is not recorded.
  ///
  /// The end of the run and of its running steps is the latest time in the record.
  package var withEstimatedEnd: LaunchRecord {
    var record = self
    for index in events.indices { record.events[index].record = events[index].record.withEstimatedEnd }
    guard outcome == .running else { return record }
    record.elapsedTime = lastMoment
    for index in executions.indices where executions[index].state == .running {
      record.executions[index].endTime = record.elapsedTime
    }
    return record
  }

  /// A text about the steps that were running at the end of the record. It is for a launch whose end is not recorded.
  package var lastRunning: String {
    let running = filter { $0.state == .running }.map(\.id)
    let undoing = filter { $0.details.undo.map { $0.endTime == nil } ?? false }.map(\.id)
    guard running.isEmpty else { return "in \(running.quoted)" }
    return undoing.isEmpty ? "between two steps" : "in the undo of \(undoing.quoted)"
  }
}
