package import AppBoot

extension StartupRecord {
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
  package var withEstimatedEnd: StartupRecord {
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
