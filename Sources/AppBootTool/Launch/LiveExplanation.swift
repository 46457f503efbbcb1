import AppBoot
import AppBootRecords
import AppBootReports

/// The text that USR1 and `status` print: the running steps with their time and last output, and the waiting steps.
struct LiveExplanation {
  let style: TextStyle
  /// The maximum number of waiting steps that are listed.
  private static let waitingLimit = 20

  /// - Parameter left: The estimated nanoseconds until the launch ends; `nil` if they are unknown.
  func text(
    of record: StartupRecord, at time: Int64, left: Int64? = nil,
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
      switch step.state {
      case .running where processes.stopping.contains(step.index): continue
      case .running:
        let line = processes.unfinishedLines[step.index] ?? step.details.lastOutput
        text +=
          retrying(step, at: time) ?? delayed(step, at: time, processes.delays[step.index])
          ?? running(step, at: time, output: line)
      case .ready:
        let reason = step.step.usesMainLane ? "the main lane is busy" : "no slot is free"
        text += line("ready", step, "for \(brief(time - (step.execution.readyTime ?? time))), \(reason)")
      case .waiting:
        waiting += 1
        if waiting <= Self.waitingLimit { text += line("waiting", step, obstacles(step, record)) }
      case .succeeded, .failed, .timedOut, .cancelled, .skipped: continue
      }
    }
    if let (step, undo) = record.undoing {
      text += line("undoing", step, "for \(brief(time - undo.startTime))")
    }
    return text + style.more(waiting - Self.waitingLimit, "are waiting")
  }

  /// Returns a description of a step between two attempts; `nil` while an attempt runs.
  private func retrying(_ step: StepRecord, at time: Int64) -> String? {
    let attempts = step.details.attempts
    guard let retry = step.step.retry, let last = attempts.last, let end = last.endTime else { return nil }
    let left = end + retry.delay(afterAttempt: attempts.count) - time
    // The pause begins when the process has ended, which may be later than the attempt's end.
    var facts =
      "retry (\(attempts.count + 1) of \(retry.attempts))" + (left > 0 ? " in \(brief(left))" : "")
    if let failure = last.failure { facts += ", failed: \(failure.description)" }
    return line("waiting", step, facts)
  }

  /// Returns a description of a step whose process cannot start yet; `nil` without an obstacle.
  private func delayed(_ step: StepRecord, at time: Int64, _ obstacle: String?) -> String? {
    obstacle.map { line("waiting", step, "for \(brief(time - (step.execution.startTime ?? time))), \($0)") }
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
    return line("running", step, facts)
  }

  private func obstacles(_ step: StepRecord, _ record: StartupRecord) -> String {
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
