import AppBoot
import AppBootReports
import AppBootSystem

/// Prints the lines of logs.
struct LogPrinter {
  let tool: ToolContext
  /// The ids of the steps before their lines.
  let hasPrefix: Bool
  /// The times before the lines.
  let hasTimes: Bool
  private let style: TextStyle
  private var width = 0
  /// The latest launch whose output was printed.
  private var launch: String?
  /// True if the last line that was printed is not whole.
  private var isInsideLine = false

  init(_ tool: ToolContext, hasPrefix: Bool, hasTimes: Bool) {
    (self.tool, self.hasPrefix, self.hasTimes) = (tool, hasPrefix, hasTimes)
    style = tool.outputStyle
  }

  /// Makes room for the ids of steps.
  mutating func widen(for steps: [String]) {
    for step in steps { width = max(width, DisplayWidth.of(style.visible(step))) }
  }

  mutating func print(_ item: LogMerge.Item) {
    switch item {
    case .line(let line, let step): print(line, of: step)
    case .pruned(let pruned, let step):
      let cause =
        switch pruned {
        case .files(1): "a log file was pruned before it was read"
        case .files(let count): "\(count) log files were pruned before they were read"
        case .unknown: "log files were pruned before they were read"
        }
      // The warning comes between the lines that it separates.
      tool.flush()
      tool.warn(
        "output of \"\(step)\" is missing: \(cause); "
          + "raise \"maxSize\" or \"files\" in the manifest's \"logs\"")
    case .unreadable(let step, let reason):
      tool.flush()
      tool.warn("the log of \"\(step)\" is left out: \(reason)")
    case .untimed(let steps):
      guard hasPrefix || hasTimes else { return }
      tool.flush()
      tool.warn(
        "some line times of \(steps.quoted) are missing or damaged: "
          + "these lines are shown at the time of their log file's last change")
    }
  }

  private mutating func print(_ line: LogLine, of step: String) {
    if let new = line.launch, new != launch, launch.map({ $0 < new }) ?? true {
      if launch != nil { tool.output.write(style.paint("-- launch \(style.visible(new)) --", .faint) + "\n") }
      launch = new
    }
    var text = style.visibleOutput(String(decoding: line.bytes, as: UTF8.self))
    if !isInsideLine { text = prefix(line, of: step) + text }
    isInsideLine = !line.isWhole && !hasPrefix
    tool.output.write(isInsideLine ? text : text + "\n")
  }

  private func prefix(_ line: LogLine, of step: String) -> String {
    var prefix = ""
    if hasTimes {
      prefix += line.time.map(WallClock.timestamp(microseconds:)) ?? "-"
      prefix += " "
    }
    if hasPrefix {
      prefix += DisplayWidth.pad(style.visible(step), to: width) + " | "
    }
    guard let last = prefix.popLast() else { return "" }
    return style.paint(prefix, .faint) + String(last)
  }
}
