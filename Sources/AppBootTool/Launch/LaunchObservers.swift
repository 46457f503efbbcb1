import AppBoot
import AppBootReports
import AppBootSystem

/// Prints the output of the steps on standard error, each line after its step's id: `id | line`.
final class OutputLines: StartupObserver {
  /// The number of columns to which ids are padded, at most; longer ids are cut.
  static let idColumns = 20

  private let output: StandardOutput
  private let style: TextStyle
  private let live: LiveLine?
  /// The columns of the ids in the launch that began last.
  private let columns = Lock(0)

  init(output: StandardOutput, style: TextStyle, live: LiveLine?) {
    self.output = output
    self.style = style
    self.live = live
  }

  func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    switch event.kind {
    case .launchStarted:
      let longest = outline.map { $0.skip == nil ? DisplayWidth.of(style.visible($0.id)) : 0 }.max() ?? 0
      columns.withLock { $0 = min(longest, Self.idColumns) }
    case .output(let step, _, _, let line):
      let text = Self.text(of: line, step, outline[step].id, columns: columns.withLock { $0 }, style)
      if let live { live.interrupting { output.write(text) } } else { output.write(text) }
    default: return
    }
  }

  /// Returns a line of a step's output, with its line feed.
  static func text(of line: String, _ step: Int, _ id: String, columns: Int, _ style: TextStyle) -> String {
    let id = DisplayWidth.pad(style.fit(style.visible(id), to: idColumns), to: columns)
    return "\(style.paint("\(id) |", asStep: step)) \(style.visible(line))\n"
  }
}

/// Writes each event as one line of JSON when it happens.
struct EventLines: StartupObserver {
  let output: StandardOutput

  func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    output.write(event.json(in: outline) + "\n")
    // The tool reports a write error at its end.
    try? output.flush()
  }
}
