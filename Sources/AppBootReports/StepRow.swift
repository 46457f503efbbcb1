import AppBoot

/// A row of the text report's table: a symbol for the step's state, its id, its time and its result.
struct StepRow {
  /// The widths of a table's columns.
  struct Columns {
    let mark: Int
    let id: Int
    let time: Int
    let result: Int

    /// Creates the widths that the given rows need.
    init(_ rows: [StepRow], width: Int?) {
      self.init(
        mark: rows.map { DisplayWidth.of($0.mark) }.max() ?? 1,
        longest: rows.map { DisplayWidth.of($0.id) }.max() ?? 0,
        time: rows.map { DisplayWidth.of($0.time) }.max() ?? 0, width: width)
    }

    /// Creates the widths for a launch that has not ended. The ids of its steps are known, but not their times.
    init(_ outline: LaunchOutline, _ style: TextStyle) {
      let ids = outline.indices.lazy.filter { outline[$0].skip?.leavesOut != true }.map { outline[$0].id }
      // "FAIL" is the longest mark in ASCII, and "2m 05s" is among the longest times.
      self.init(
        mark: style.usesASCII ? 4 : 1, longest: ids.map { DisplayWidth.of(style.visible($0)) }.max() ?? 0,
        time: 7, width: style.width)
    }

    private init(mark: Int, longest: Int, time: Int, width: Int?) {
      (self.mark, self.time) = (mark, time)
      guard let width else {
        id = longest
        result = .max
        return
      }
      let rest = max(0, width - mark - time - 5)
      id = min(longest, max(8, rest * 6 / 10))
      result = max(0, rest - id)
    }
  }

  let mark: String
  let id: String
  let time: String
  let result: String
  let role: TextStyle.Role
  private let resultRole: TextStyle.Role?

  init(_ step: StepRecord, in record: StartupRecord, style: TextStyle) {
    (mark, role) = Self.mark(of: step, ascii: style.usesASCII)
    id = style.visible(step.id)
    time = step.execution.startTime == nil ? "" : style.time(step.execution.runningTime)
    result = style.visible(StepResult(step, in: record).text)
    resultRole =
      step.state.hasEnded && step.execution.startTime == nil
      ? .faint : step.isOverBudget ? .warning : nil
  }

  /// Creates the row of a step's undo that has ended.
  init(_ undo: StepAttempt, of step: StepRecord, style: TextStyle) {
    let failure = undo.failure
    mark = failure == nil ? (style.usesASCII ? "undo" : "↶") : Self.failureMark(style)
    role = failure == nil ? .warning : .failure
    id = style.visible(step.id)
    time = style.time(max(0, (undo.endTime ?? undo.startTime) - undo.startTime))
    result = style.visible(StepResult.undone(undo) + (failure.map { ": \($0.firstLine)" } ?? ""))
    resultRole = nil
  }

  /// Returns the row without a line feed, at most as wide as the style allows.
  func line(_ columns: Columns, _ style: TextStyle) -> String {
    let id = DisplayWidth.pad(style.fit(id, to: columns.id), to: columns.id)
    let time = String(repeating: " ", count: columns.time - DisplayWidth.of(time)) + time
    let result = style.fit(result, to: columns.result)
    let front = style.paint(DisplayWidth.pad(mark, to: columns.mark), role) + " \(id)  "
    guard !result.isEmpty else { return front + (self.time.isEmpty ? "" : time) }
    return "\(front)\(time)  \(resultRole.map { style.paint(result, $0) } ?? result)"
  }

  private static func failureMark(_ style: TextStyle) -> String { style.usesASCII ? "FAIL" : "✗" }

  /// Returns the symbol for a step's state, and its role.
  static func mark(of step: StepRecord, ascii: Bool) -> (text: String, role: TextStyle.Role) {
    if step.isAllowedFailure { return (ascii ? "warn" : "!", .warning) }
    return switch step.state {
    case .waiting, .ready: (ascii ? "wait" : "·", .faint)
    case .running: (ascii ? "run" : "▸", .accent)
    case .succeeded: (ascii ? "ok" : "✓", .success)
    case .failed: (ascii ? "FAIL" : "✗", .failure)
    case .timedOut: (ascii ? "TIME" : "⏱", .failure)
    case .cancelled: (ascii ? "stop" : "■", .warning)
    case .skipped: (ascii ? "skip" : "–", .faint)
    }
  }
}
