import AppBoot
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
      let text = style.fit(line, to: (style.width ?? 80) - 1)
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

  /// Returns the line's text, for example `2/5  about 4.1 s left  sync 1.2 s, index 300 ms`.
  static func text(
    of record: StartupRecord, at time: Int64, left: Int64? = nil, delayed: Set<Int> = [], _ style: TextStyle
  ) -> String {
    var running: [String] = []
    for step in record {
      guard step.state == .running, let start = step.execution.start, running.count < 8 else { continue }
      let elapsed = DurationText.brief(nanoseconds: max(0, time - start), ascii: style.usesASCII)
      let obstacle = delayed.contains(step.index) ? " (cannot start yet)" : ""
      running.append("\(style.visible(step.id)) \(elapsed)\(obstacle)")
    }
    var text = "\(StateCounts(record).progress)  "
    if let left, left > 0 {
      text += "about \(DurationText.brief(nanoseconds: left, ascii: style.usesASCII)) left  "
    }
    return text + running.joined(separator: ", ")
  }
}
