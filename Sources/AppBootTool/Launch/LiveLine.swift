import AppBootAnalysis
import AppBoot
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
  func draw(_ record: StartupRecord, at time: Int64, delayed: Set<Int> = []) {
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
    of record: StartupRecord, at time: Int64, left: Int64? = nil, delayed: Set<Int> = [], _ style: TextStyle
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

extension StartupRecord {
  /// The step that a rollback is undoing; `nil` without one.
  var undoing: (step: StepRecord, undo: StepAttempt)? {
    lazy.compactMap { step in step.details.undo.flatMap { $0.endTime == nil ? (step, $0) : nil } }.first
  }
}
