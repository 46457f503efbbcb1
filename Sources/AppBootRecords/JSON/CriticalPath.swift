package import AppBoot

/// The critical path of a launch: the chain of steps that determined its duration. It also has the slack of each
/// step.
///
/// It is computed from the recorded times. Each step counts from the time it was ready to its end, so the parts of the
/// chain add up to the whole, including waits for a slot. Failed steps and steps that timed out count as others do.
package struct CriticalPath: Sendable {
  /// The indices of the steps on the critical path, from first to last.
  package let steps: [Int]
  private let isOnPath: Set<Int>
  private let slacks: [Int64?]

  /// Computes the critical path of a record. Takes O(steps + edges).
  package init(of record: LaunchRecord) {
    steps = Self.path(of: record)
    isOnPath = Set(steps)
    slacks = Self.slacks(record.executions, record.outline.graph)
  }

  /// Returns whether a step is on the critical path.
  package func contains(_ step: Int) -> Bool { isOnPath.contains(step) }

  /// Returns the nanoseconds by which a step could have ended later without delaying the launch; `nil` if it never ran.
  ///
  /// The slack depends only on the steps' order (`after`) and on each step's time from ready to end. It does not
  /// consider that the waits for a slot would change.
  package func slack(of step: Int) -> Int64? { slacks[step] }

  private static func path(of record: LaunchRecord) -> [Int] {
    let executions = record.executions
    let ran = executions.indices.filter { executions[$0].startTime != nil && executions[$0].endTime != nil }
    let end = ran.lazy.map { executions[$0].endTime ?? 0 }.max()
    let last = ran.filter { executions[$0].endTime == end }
    // A step that was cut short at the last moment did not determine that moment.
    guard var current = last.first(where: { !isCutShort($0, in: record) }) ?? last.first else { return [] }
    var path = [current]
    while let previous = latestPredecessor(of: current, in: record) {
      path.append(previous)
      current = previous
    }
    return path.reversed()
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
  ///
  /// A skipped predecessor is replaced by its own predecessors.
  package static func latestPredecessor(of step: Int, in record: LaunchRecord) -> Int? {
    let (executions, graph) = (record.executions, record.outline.graph)
    var found: (step: Int, end: Int64)?
    var skipped: Set<Int> = []
    var candidates = Array(graph.predecessors(of: step))
    while let candidate = candidates.popLast() {
      guard executions[candidate].startTime != nil, let end = executions[candidate].endTime else {
        if skipped.insert(candidate).inserted {
          candidates.append(contentsOf: graph.predecessors(of: candidate))
        }
        continue
      }
      guard let ready = executions[step].readyTime, end <= ready else { continue }
      if let found, found.end >= end { continue }
      found = (candidate, end)
    }
    return found?.step
  }

  private static func slacks(_ executions: [StepExecution], _ graph: DependencyGraph) -> [Int64?] {
    let makespan = executions.lazy.filter { $0.startTime != nil }.compactMap(\.endTime).max() ?? 0
    var latest = [Int64](repeating: makespan, count: executions.count)
    for step in graph.topologicalOrder().reversed() {
      for successor in graph.successors(of: step) {
        let execution = executions[successor]
        let span =
          execution.startTime == nil ? 0 : max(0, (execution.endTime ?? 0) - (execution.readyTime ?? 0))
        // Clamped to 0: a damaged record must not overflow.
        latest[step] = min(latest[step], max(0, latest[successor] - span))
      }
    }
    return executions.indices.map {
      guard executions[$0].startTime != nil, let end = executions[$0].endTime else { return nil }
      return max(0, latest[$0] - end)
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
