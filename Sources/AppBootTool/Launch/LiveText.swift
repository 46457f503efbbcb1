import AppBootReports
import AppBootSystem

/// A text at the bottom of a terminal that is redrawn in place: the progress of a launch or a check, or a status.
///
/// It is not drawn while earlier output waits for the terminal. All other writes to the terminal use
/// ``interrupting(_:)``.
final class LiveText: Sendable {
  /// The nanoseconds between two redraws: ten redraws in a second. A shorter launch draws no line.
  static let interval: Int64 = 100_000_000

  private struct State {
    /// The text that was drawn last; `nil` before the first one.
    var text: String?
    /// The columns of each row that is drawn.
    var widths: [Int] = []
    var isOver = false
    var isPaused = false
  }

  private let output: StandardOutput
  private let style: TextStyle
  private let state = Lock(State())

  /// Returns `nil` unless the output is a terminal that can be redrawn.
  init?(_ output: StandardOutput, _ style: TextStyle) {
    guard Terminal.isTerminal(output.descriptor), Terminal.type != "dumb" else { return nil }
    (self.output, self.style) = (output, style)
  }

  /// True if the terminal reflows its rows when it becomes narrower. Some terminals cut their rows instead.
  private static let wrapsAgain: Bool = {
    let isScreen = Terminal.type?.hasPrefix("screen") == true && ProcessEnvironment.value(of: "TMUX") == nil
    return !isScreen && Terminal.type != "linux" && ProcessEnvironment.value(of: "XTERM_VERSION") == nil
  }()

  /// The current width of the terminal.
  private var columns: Int { max(1, Terminal.width(of: output.descriptor) ?? 80) }

  /// Draws a line in place of the last text.
  func draw(line: String) {
    // The terminal shows ^C at the end of the line.
    draw(style.paint(style.fit(line, to: max(1, columns - 3)), .faint))
  }

  /// Draws lines in place of the last text. The terminal cuts long lines; those without a row are left out.
  func draw(_ text: String) {
    state.withLock { state in
      if !output.isBusy { draw(text, &state) }
    }
  }

  private func draw(_ text: String, _ state: inout State) {
    guard !state.isOver, !state.isPaused else { return }
    let most = max(1, (Terminal.size(of: output.descriptor)?.rows ?? 24) - 1)
    var rows = text.split(separator: "\n", omittingEmptySubsequences: false)
    if rows.count > most { rows = rows[..<(most - 1)] + [""] }
    let lines = rows.joined(separator: "\u{1B}[K\n")
    // Without the wrap of long lines (DECAWM), each line takes one row.
    output.write(start(of: state.widths) + "\u{1B}[?7l\(lines)\u{1B}[?7h\u{1B}[J")
    state.text = text
    state.widths = rows.map { min(columns, TextStyle.columns(of: String($0))) }
  }

  /// Erases the text, calls a function that may write to the same terminal, and draws the text again.
  ///
  /// If earlier output waits for the terminal, the text is drawn again later.
  func interrupting<Result>(_ body: () throws -> Result) rethrows -> Result {
    try state.withLock { state in
      // The output of the function always waits for a moment, even if the terminal is fast.
      let text = output.isBusy ? nil : state.text
      erase(&state)
      defer {
        if let text { draw(text, &state) }
      }
      return try body()
    }
  }

  /// Erases the text while an interactive process uses the terminal, and draws it again afterwards.
  func setPaused(_ isPaused: Bool) {
    state.withLock { state in
      erase(&state)
      state.isPaused = isPaused
    }
  }

  /// Erases the text. It is not drawn again.
  func finish() {
    state.withLock { state in
      erase(&state)
      state.isOver = true
    }
  }

  private func erase(_ state: inout State) {
    guard !state.widths.isEmpty else { return }
    output.write(start(of: state.widths) + "\u{1B}[J")
    state.widths = []
  }

  /// Returns the sequence that moves the cursor to the first of the rows that are drawn.
  private func start(of widths: [Int]) -> String {
    let rows = widths.reduce(0) { $0 + (Self.wrapsAgain ? max(1, ($1 + columns - 1) / columns) : 1) }
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }
}

extension LiveText? {
  /// Calls a function that may write to the terminal. If there is a text, erases it before, and then draws it again.
  func interrupting(_ body: () -> Void) {
    if let self { self.interrupting(body) } else { body() }
  }
}
