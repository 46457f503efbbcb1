import AppBoot

/// A row of the text report's table: a symbol for the step's state, its id, its time and its result.
struct StepRow {
  /// The symbol, the id, the time and the result.
  let cells: [TextTable.Cell]

  init(_ step: StepRecord, in record: LaunchRecord, style: TextStyle) {
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

/// The details of a step that a full text report prints below the step's row.
struct StepDetailLines {
  let style: TextStyle

  func lines(of step: StepRecord) -> [String] {
    guard let start = step.execution.startTime else { return [] }
    let details = step.details
    let separator = style.usesASCII ? ", " : " · "
    let waited = step.execution.waitingTime
    func list(_ verb: String, _ names: [String]) -> String? {
      names.isEmpty ? nil : "\(verb) \(names.joined(separator: ", "))"
    }
    let facts: [String?] = [
      step.step.commandName, "\(step.step.lane.rawValue) lane", "started at \(style.time(start))",
      waited > 0 ? "waited \(style.time(waited))" : nil,
      details.processorTime.map { "CPU time \(style.time($0))" },
      step.state == .succeeded ? step.killText : nil,
      list("read", details.reads), list("provided", details.provides),
      list("emitted", details.emitted.map(\.name)),
    ]
    var lines = [facts.compactMap(\.self).map(style.visible).joined(separator: separator)]
    if let line = details.commandLine, !step.state.isFailure {
      lines.append(style.visible(FailureText.prompt(line)))
    }
    lines += attempts(details.attempts)
    lines += details.spans.map { span($0, depth: depth(of: $0, details.spans)) }
    if let output = step.newLastOutput, !step.state.isFailure {
      lines.append("\(FailureText.lastOutput) \(style.visible(output))")
    }
    return lines
  }

  /// Returns a line for each attempt. Attempts in a row with the same failure have one line with their number.
  private func attempts(_ attempts: [StepAttempt]) -> [String] {
    var lines: [String] = []
    var next = 0
    while next < attempts.count {
      let failure = attempts[next].failure
      let equal =
        failure == nil ? 1 : attempts[next...].prefix { $0.failure?.message == failure?.message }.count
      let times = attempts[next..<(next + equal)].map { attempt in
        attempt.endTime.map { style.time($0 - attempt.startTime) } ?? ""
      }
      let name = equal > 1 ? "attempts \(next + 1) to \(next + equal)" : "attempt \(next + 1)"
      let message = failure.map { ": \(style.visible($0.message))" } ?? ""
      lines.append("\(name)  \(times.joined(separator: ", "))\(message)")
      next += equal
    }
    return lines
  }

  private func span(_ span: StepSpan, depth: Int) -> String {
    let time = span.endTime.map { style.time($0 - span.startTime) } ?? "unfinished"
    let error = span.error.map { "  failed: \($0)" } ?? ""
    let indent = String(repeating: "  ", count: depth)
    return "\(indent)\(style.visible(span.name))  \(time)\(style.visible(error))"
  }

  private func depth(of span: StepSpan, _ spans: [StepSpan]) -> Int {
    var depth = 0
    var parent = span.parent
    while let number = parent, spans.indices.contains(number), depth < 16 {
      depth += 1
      parent = spans[number].parent
    }
    return depth
  }
}
