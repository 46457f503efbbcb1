import AppBoot
import AppBootRecords
import AppBootReports

extension LaunchRecord {
  /// The step that a rollback is undoing; `nil` without one.
  var undoing: (step: StepRecord, undo: StepAttempt)? {
    lazy.compactMap { step in step.details.undo.flatMap { $0.endTime == nil ? (step, $0) : nil } }.first
  }
}

/// The texts about a launch that runs: its progress in one line, and the running and the waiting steps, which USR1 and
/// `status` print.
struct LiveExplanation {
  let style: TextStyle
  /// The maximum number of waiting steps that are listed.
  private static let waitingLimit = 20

  /// - Parameter left: The estimated nanoseconds until the launch ends; `nil` if they are unknown.
  func text(
    of record: LaunchRecord, at time: Int64, left: Int64? = nil,
    _ processes: RunningProcesses = RunningProcesses()
  ) -> String {
    let ended = record.filter(\.state.hasEnded).count
    var text = "\(style.visible(record.outline.name)): \(brief(time)) since the start, "
    text += "\(ended) of \(record.count) steps ended"
    if let left, left > 0 { text += ", about \(brief(left)) left" }
    text += "\n"
    var waiting = 0
    for step in processes.stopping where record.indices.contains(step) {
      text += stopping(record[step], at: time)
    }
    for step in record {
      if step.state == .running, processes.stopping.contains(step.index) { continue }
      guard let (state, facts) = facts(of: step, in: record, at: time, processes) else { continue }
      if step.state == .waiting, step.step.skip == nil {
        waiting += 1
        if waiting > Self.waitingLimit { continue }
      }
      text += line(state, step, facts)
    }
    if let (step, undo) = record.undoing {
      text += line("undoing", step, "for \(brief(time - undo.startTime))")
    }
    return text + style.more(waiting - Self.waitingLimit, "are waiting")
  }

  /// Returns one line, for example `2/5  about 4.1 s left  sync 1.2 s, index 300 ms  sync: 45 %`.
  ///
  /// The last line of output is that of the running step that printed last. It comes last, because a narrow terminal
  /// cuts the end.
  func line(
    of record: LaunchRecord, at time: Int64, left: Int64? = nil,
    _ processes: RunningProcesses = RunningProcesses()
  ) -> String {
    let running = record.filter { $0.state == .running && $0.execution.startTime != nil }
    let steps = running.map { step in
      let state = pause(of: step, at: time).map { left, next in
        left > 0 ? "backs off \(brief(left)), then attempt \(next)" : "waits for attempt \(next)"
      }
      // A long id would leave no room for the times.
      let id = style.fit(style.visible(step.id), to: style.columns(over: 3))
      return "\(id) \(state ?? elapsed(of: step, at: time, isDelayed: processes.delays[step.index] != nil))"
    }
    var text = "\(StateCounts(record).progress)  "
    if let left, left > 0 { text += "about \(brief(left)) left  " }
    text += steps.listed(atMost: 8)
    if let (step, undo) = record.undoing {
      text += "undoing \(style.visible(step.id)) \(brief(time - undo.startTime))"
    }
    let last = running.max { ($0.details.lastOutputTime ?? -1) < ($1.details.lastOutputTime ?? -1) }
    guard let last, let output = last.details.lastOutput, !output.isEmpty else { return text }
    return "\(text)  \(style.visible(last.id)): \(style.visible(output))"
  }

  /// Returns how long a step has been running, and the number of its attempt from the second one on.
  private func elapsed(of step: StepRecord, at time: Int64, isDelayed: Bool) -> String {
    let attempt = step.details.attempts.count
    var facts =
      attempt > 1 ? ["attempt \(attempt)" + (step.step.retry.map { " of \($0.attempts)" } ?? "")] : []
    if isDelayed { facts.append("cannot start yet") }
    let text = brief(time - (step.execution.startTime ?? time))
    return facts.isEmpty ? text : "\(text) (\(facts.joined(separator: ", ")))"
  }

  /// Returns the nanoseconds until the next attempt of a step, and its number; `nil` while an attempt runs.
  ///
  /// The time can be negative: the pause begins when the process has ended, which may be later than the attempt's end.
  private func pause(of step: StepRecord, at time: Int64) -> (left: Int64, next: String)? {
    let attempts = step.details.attempts
    guard let retry = step.step.retry, let end = attempts.last?.endTime, attempts.count < retry.attempts
    else { return nil }
    let left = end.addingClamped(retry.delay(afterAttempt: attempts.count)) - time
    return (left, "\(attempts.count + 1) of \(retry.attempts)")
  }

  /// Returns the state of a step that has not ended, and its facts, for example its obstacle; `nil` for other steps.
  func facts(
    of step: StepRecord, in record: LaunchRecord, at time: Int64,
    _ processes: RunningProcesses = RunningProcesses()
  ) -> (state: String, facts: String)? {
    switch step.state {
    case .running:
      let line = processes.unfinishedLines[step.index] ?? step.details.lastOutput
      if let facts = retrying(step, at: time) ?? delayed(step, at: time, processes.delays[step.index]) {
        return ("waiting", facts)
      }
      return ("running", running(step, at: time, output: line))
    case .ready:
      let reason = step.step.placement.usesMainLane ? "the main lane is busy" : "no slot is free"
      return ("ready", "for \(brief(time - (step.execution.readyTime ?? time))), \(reason)")
    case .waiting:
      if let reason = step.step.skip?.text(in: record.outline) { return ("skipped", reason) }
      return ("waiting", obstacles(step, record))
    case .succeeded, .failed, .timedOut, .cancelled, .skipped: return nil
    }
  }

  /// Returns a description of a step between two attempts; `nil` while an attempt runs.
  private func retrying(_ step: StepRecord, at time: Int64) -> String? {
    pause(of: step, at: time).map { left, next in
      "retry (\(next))" + (left > 0 ? " in \(brief(left))" : "")
        + (step.details.attempts.last?.failure.map { ", failed: \($0.description)" } ?? "")
    }
  }

  /// Returns a description of a step whose process cannot start yet; `nil` without an obstacle.
  private func delayed(_ step: StepRecord, at time: Int64, _ obstacle: String?) -> String? {
    obstacle.map { "for \(brief(time - (step.execution.startTime ?? time))), \($0)" }
  }

  /// Returns a description of a step whose attempt has ended, but whose process still occupies its worker.
  private func stopping(_ step: StepRecord, at time: Int64) -> String {
    let end = step.execution.endTime ?? step.details.attempts.last?.endTime
    let since = end.map { "for \(brief(time - $0)), " } ?? ""
    return line("ending", step, "\(since)its worker waits for the process to end")
  }

  private func running(_ step: StepRecord, at time: Int64, output lastLine: String?) -> String {
    var facts = "for \(brief(time - (step.execution.startTime ?? time)))"
    if step.details.attempts.count > 1 { facts += ", attempt \(step.details.attempts.count)" }
    if let note = step.details.note { facts += ", \(note)" }
    if let line = lastLine { facts += ", output: \(style.visible(line))" }
    return facts
  }

  private func obstacles(_ step: StepRecord, _ record: LaunchRecord) -> String {
    let ids = record.outline.predecessors(of: step.index).filter { !record[$0].state.hasEnded }
      .map { record.outline[$0].id }
    return ids.isEmpty ? "" : "for \(ids.joined(separator: ", "))"
  }

  private func line(_ state: String, _ step: StepRecord, _ facts: String) -> String {
    TextTable([.leading(least: 7), .leading(), .leading()], style: style, indent: 2, limit: style.width)
      .text([[state, style.visible(step.id), style.visible(facts)]])
  }

  private func brief(_ nanoseconds: Int64) -> String { style.time(max(0, nanoseconds)) }
}

/// The facts about the running processes of a launch, by step.
struct RunningProcesses {
  /// The steps whose process was asked to stop and has not exited. Each occupies its slot until then.
  var stopping: [Int] = []
  /// The output of each process after its last complete line, by step.
  var unfinishedLines: [Int: String] = [:]
  /// For each step whose process cannot start yet, the system limit that prevents it.
  var delays: [Int: String] = [:]
}
