import AppBoot

/// A row of the text report's table: a symbol for the step's state, its id, its time and its result.
struct StepRow {
  /// The symbol, the id, the time and the result.
  let cells: [TextTable.Cell]

  init(_ step: StepRecord, in record: StartupRecord, style: TextStyle) {
    let (mark, role) = Self.mark(of: step, ascii: style.usesASCII)
    let hasRun = step.execution.startTime != nil
    let result = style.visible(StepResult(step, in: record).text)
    let resultRole: TextStyle.Role? =
      step.state.hasEnded && !hasRun ? .faint : step.isOverBudget ? .warning : nil
    cells = [
      (mark, role), (style.visible(step.id), nil),
      (hasRun ? style.time(step.execution.runningTime) : "", nil),
      (result, resultRole),
    ]
  }

  /// Creates the row of a step's undo that has ended.
  init(_ undo: StepAttempt, of step: StepRecord, style: TextStyle) {
    let (mark, role) = Self.mark(of: undo, ascii: style.usesASCII)
    cells = [
      (mark, role), (style.visible(step.id), nil),
      (style.time(max(0, (undo.endTime ?? undo.startTime) - undo.startTime)), nil),
      (style.visible(StepResult.undone(undo)), nil),
    ]
  }

  /// Returns the table for a launch that has not ended. The ids of its steps are known, but not their times.
  static func table(_ outline: LaunchOutline, _ style: TextStyle) -> TextTable {
    let ids = outline.filter { $0.skip?.leavesOut != true }.map { style.visible($0.id) }
    // "FAIL" is the longest mark in ASCII, and "2m 05s" is among the longest times.
    return table(
      ids.map { [("", nil), ($0, nil), ("", nil), ("", nil)] }, mark: style.usesASCII ? 4 : 1, time: 7, style)
  }

  /// Returns the table that rows need.
  static func table(_ rows: [[TextTable.Cell]], mark: Int = 1, time: Int = 0, _ style: TextStyle) -> TextTable
  {
    let columns: [TextTable.Column] = [
      .leading(least: mark, gap: 1), .leading(), .trailing(least: time), .leading(),
    ]
    var table = TextTable(columns, style: style, limit: style.width).fitted(to: rows)
    guard let width = style.width else { return table }
    let room = width - table.columns[0].least - table.columns[2].least - 5
    table.columns[1].most = max(8, room * 6 / 10)
    table.columns[1].least = min(table.columns[1].least, table.columns[1].most)
    return table
  }

  /// Returns the symbol for an undo, and its role.
  private static func mark(of undo: StepAttempt, ascii: Bool) -> (text: String, role: TextStyle.Role) {
    undo.failure == nil ? (ascii ? "undo" : "↶", .warning) : (ascii ? "FAIL" : "✗", .failure)
  }

  /// Returns the symbol for a step's state or its undo, and its role.
  static func mark(of step: StepRecord, ascii: Bool) -> (text: String, role: TextStyle.Role) {
    if step.isAllowedFailure { return (ascii ? "warn" : "!", .warning) }
    return switch step.state {
    case .waiting, .ready: (ascii ? "wait" : "·", .faint)
    case .running: (ascii ? "run" : "▸", .accent)
    case .succeeded: step.details.undo.map { mark(of: $0, ascii: ascii) } ?? (ascii ? "ok" : "✓", .success)
    case .failed: (ascii ? "FAIL" : "✗", .failure)
    case .timedOut: (ascii ? "TIME" : "⏱", .failure)
    case .cancelled: (ascii ? "stop" : "■", .warning)
    case .skipped: (ascii ? "skip" : "–", .faint)
    }
  }
}
