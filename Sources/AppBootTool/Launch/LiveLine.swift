import AppBoot
import AppBootAnalysis
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The live line: a progress line at the bottom of a terminal. It is redrawn in place and erased at the end.
///
/// It is not drawn while earlier output waits for the terminal. All other writes to the terminal use
/// ``interrupting(_:)``.
final class LiveLine: Sendable {
  /// The nanoseconds between two redraws: ten redraws in a second. A shorter launch draws no line.
  static let interval: Int64 = 100_000_000

  private struct State {
    var isDrawn = false
    var isOver = false
    var isPaused = false
    var remainingTime: RemainingTime?
  }

  private let output: StandardOutput
  private let style: TextStyle
  private let state = Lock(State())

  private let readRemainingTime: @Sendable () -> RemainingTime

  /// Creates a line.
  ///
  /// - Parameter readRemainingTime: A function that returns an estimator with the recorded durations of the steps. It
  ///   is called before the line is first drawn, with no lock held.
  init(output: StandardOutput, style: TextStyle, readRemainingTime: @escaping @Sendable () -> RemainingTime) {
    self.output = output
    self.style = style
    self.readRemainingTime = readRemainingTime
  }

  /// Draws the progress and the running steps.
  ///
  /// - Parameters:
  ///   - time: The nanoseconds since the start of the launch.
  ///   - delayed: The steps whose process cannot start yet.
  func draw(_ record: LaunchRecord, at time: Int64, delayed: Set<Int> = []) {
    // Read at the first frame, because most launches end before it, and outside of the lock.
    let known = state.withLock { $0.isOver ? RemainingTime(medians: [:]) : $0.remainingTime }
    let remainingTime = known ?? readRemainingTime()
    state.withLock { state in
      guard !state.isOver, !state.isPaused, !output.isBusy else { return }
      state.remainingTime = remainingTime
      let left = remainingTime.estimate(record, at: time)
      let line = Self.text(of: record, at: time, left: left, delayed: delayed, style)
      // The terminal can be resized, and shows ^C at the end of the line.
      let width = Terminal.width(of: output.descriptor) ?? style.width ?? 80
      let text = style.fit(line, to: max(1, width - 3))
      output.write("\r\(style.paint(text, .faint))\u{1B}[K")
      state.isDrawn = true
    }
  }

  /// Erases the line, and calls a function that may write to the same terminal.
  func interrupting<Result>(_ body: () throws -> Result) rethrows -> Result {
    try state.withLock { state in
      erase(&state)
      return try body()
    }
  }

  /// Erases the line while an interactive process uses the terminal, and draws it again afterwards.
  func setPaused(_ isPaused: Bool) {
    state.withLock { state in
      erase(&state)
      state.isPaused = isPaused
    }
  }

  /// Erases the line. Later calls of ``draw(_:at:)`` have no effect.
  func finish() {
    state.withLock { state in
      erase(&state)
      state.isOver = true
    }
  }

  private func erase(_ state: inout State) {
    guard state.isDrawn else { return }
    output.write("\r\u{1B}[K")
    state.isDrawn = false
  }

  /// Returns the line's text, for example `2/5  about 4.1 s left  sync 1.2 s, index 300 ms  sync: 45 %`.
  ///
  /// The last line of output is that of the running step that printed last. It comes last, because a narrow terminal
  /// cuts the end.
  static func text(
    of record: LaunchRecord, at time: Int64, left: Int64? = nil, delayed: Set<Int> = [], _ style: TextStyle
  ) -> String {
    let running = record.filter { $0.state == .running && $0.execution.startTime != nil }
    let steps = running.map { step in
      let state =
        backoff(of: step, at: time, style)
        ?? elapsed(of: step, at: time, isDelayed: delayed.contains(step.index), style)
      // A long id would leave no room for the times.
      return "\(style.fit(style.visible(step.id), to: style.columns(over: 3))) \(state)"
    }
    var text = "\(StateCounts(record).progress)  "
    if let left, left > 0 { text += "about \(style.time(left)) left  " }
    text += steps.listed(atMost: 8)
    if let (step, undo) = record.undoing {
      text += "undoing \(style.visible(step.id)) \(style.time(max(0, time - undo.startTime)))"
    }
    let last = running.max { ($0.details.lastOutputTime ?? -1) < ($1.details.lastOutputTime ?? -1) }
    guard let last, let output = last.details.lastOutput, !output.isEmpty else { return text }
    return "\(text)  \(style.visible(last.id)): \(style.visible(output))"
  }

  /// Returns how long a step has been running, and the number of its attempt from the second one on.
  private static func elapsed(
    of step: StepRecord, at time: Int64, isDelayed: Bool, _ style: TextStyle
  ) -> String {
    let attempt = step.details.attempts.count
    var facts =
      attempt > 1 ? ["attempt \(attempt)" + (step.step.retry.map { " of \($0.attempts)" } ?? "")] : []
    if isDelayed { facts.append("cannot start yet") }
    let text = style.time(max(0, time - (step.execution.startTime ?? time)))
    return facts.isEmpty ? text : "\(text) (\(facts.joined(separator: ", ")))"
  }

  /// Returns when the next attempt of a step begins, for example `backs off 300 ms, then attempt 2 of 3`; `nil` while
  /// an attempt runs.
  private static func backoff(of step: StepRecord, at time: Int64, _ style: TextStyle) -> String? {
    let attempts = step.details.attempts
    guard let retry = step.step.retry, let end = attempts.last?.endTime, attempts.count < retry.attempts
    else {
      return nil
    }
    let next = "attempt \(attempts.count + 1) of \(retry.attempts)"
    let left = end.addingClamped(retry.delay(afterAttempt: attempts.count)) - time
    return left > 0 ? "backs off \(style.time(left)), then \(next)" : "waits for \(next)"
  }
}

extension LiveLine? {
  /// Calls a function that may write to the terminal, after the line was erased if there is one.
  func interrupting(_ body: () -> Void) {
    if let self { self.interrupting(body) } else { body() }
  }
}

extension LaunchRecord {
  /// The step that a rollback is undoing; `nil` without one.
  var undoing: (step: StepRecord, undo: StepAttempt)? {
    lazy.compactMap { step in step.details.undo.flatMap { $0.endTime == nil ? (step, $0) : nil } }.first
  }
}

/// The text that USR1 and `status` print: the running steps with their time and last output, and the waiting steps.
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
    let attempts = step.details.attempts
    guard let retry = step.step.retry, let last = attempts.last, let end = last.endTime else { return nil }
    let left = end + retry.delay(afterAttempt: attempts.count) - time
    // The pause begins when the process has ended, which may be later than the attempt's end.
    var facts =
      "retry (\(attempts.count + 1) of \(retry.attempts))" + (left > 0 ? " in \(brief(left))" : "")
    if let failure = last.failure { facts += ", failed: \(failure.description)" }
    return facts
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
