import AppBoot
import AppBootReports
import AppBootSystem

/// The line at the bottom of a terminal that says what runs right now; redrawn in place, gone at the end.
///
/// Everything else that is written to the terminal meanwhile goes through ``interrupting(_:)``.
final class LiveLine: Sendable {
  /// Nanoseconds between two drawings: ten frames a second. A launch that is shorter draws nothing.
  static let interval: Int64 = 100_000_000

  private struct State {
    var isDrawn = false
    var isOver = false
    var timeLeft: RemainingTime?
  }

  private let output: StandardOutput
  private let style: TextStyle
  private let state = Lock(State())

  private let readTimeLeft: @Sendable () -> RemainingTime

  /// - Parameter history: The state directory, whose records say how long the steps took before.
  convenience init(output: StandardOutput, style: TextStyle, history: String? = nil) {
    self.init(output: output, style: style) {
      history.map(RemainingTime.init(keptIn:)) ?? RemainingTime(medians: [:])
    }
  }

  /// - Parameter readTimeLeft: Answers how long the steps took before; called with no lock held.
  init(output: StandardOutput, style: TextStyle, readTimeLeft: @escaping @Sendable () -> RemainingTime) {
    self.output = output
    self.style = style
    self.readTimeLeft = readTimeLeft
  }

  /// Draws what runs at a time of the launch.
  func draw(_ record: StartupRecord, at time: Int64) {
    // Read when there is something to draw, as most launches are over before, and while others may write.
    let known = state.withLock { $0.isOver ? RemainingTime(medians: [:]) : $0.timeLeft }
    let timeLeft = known ?? readTimeLeft()
    state.withLock { state in
      guard !state.isOver else { return }
      state.timeLeft = timeLeft
      let left = timeLeft.estimate(record, at: time)
      let text = style.fit(Self.text(of: record, at: time, left: left, style), to: (style.width ?? 80) - 1)
      output.write("\r\(style.paint(text, .faint))\u{1B}[K")
      state.isDrawn = true
    }
  }

  /// Does something that writes to the same terminal, with the line out of the way.
  func interrupting<Result>(_ body: () throws -> Result) rethrows -> Result {
    try state.withLock { state in
      erase(&state)
      return try body()
    }
  }

  /// Takes the line away for good.
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

  /// `2/5  about 4.1 s left  sync 1.2 s, index 300 ms`
  static func text(
    of record: StartupRecord, at time: Int64, left: Int64? = nil, _ style: TextStyle
  ) -> String {
    var running: [String] = []
    for step in record {
      guard step.state == .running, let start = step.execution.start, running.count < 8 else { continue }
      let elapsed = DurationText.brief(nanoseconds: max(0, time - start), ascii: style.usesASCII)
      running.append("\(style.visible(step.id)) \(elapsed)")
    }
    var text = "\(StateCounts(record).progress)  "
    if let left, left > 0 {
      text += "about \(DurationText.brief(nanoseconds: left, ascii: style.usesASCII)) left  "
    }
    return text + running.joined(separator: ", ")
  }
}
