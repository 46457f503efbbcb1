package import AppBoot

/// One row of the table: a mark, the step's id, its time, and its result in a few words.
struct StepRow {
  /// How wide the columns are.
  struct Columns {
    let mark: Int
    let id: Int
    let time: Int
    let result: Int

    init(_ rows: [StepRow], width: Int?) {
      mark = rows.map { DisplayWidth.of($0.mark) }.max() ?? 1
      time = rows.map { DisplayWidth.of($0.time) }.max() ?? 0
      let longest = rows.map { DisplayWidth.of($0.id) }.max() ?? 0
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
    let (mark, role) = Self.mark(of: step.state, ascii: style.usesASCII)
    self.mark = mark
    self.role = step.isAllowedFailure ? .warning : role
    id = style.visible(step.id)
    time =
      step.execution.start == nil
      ? "" : DurationText.brief(nanoseconds: step.execution.running, ascii: style.usesASCII)
    result = style.visible(StepResult(step, in: record).text)
    resultRole =
      step.state.hasEnded && step.execution.start == nil
      ? .faint : step.isOverBudget ? .warning : nil
  }

  /// The row without its line feed; never wider than the style allows.
  func line(_ columns: Columns, _ style: TextStyle) -> String {
    let id = DisplayWidth.pad(style.fit(id, to: columns.id), to: columns.id)
    let time = String(repeating: " ", count: columns.time - DisplayWidth.of(time)) + time
    let result = style.fit(result, to: columns.result)
    let front = style.paint(DisplayWidth.pad(mark, to: columns.mark), role) + " \(id)  "
    guard !result.isEmpty else { return front + (self.time.isEmpty ? "" : time) }
    return "\(front)\(time)  \(resultRole.map { style.paint(result, $0) } ?? result)"
  }

  private static func mark(of state: StepState, ascii: Bool) -> (String, TextStyle.Role) {
    switch state {
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

extension StepRecord {
  /// Whether the step failed and the manifest lets the launch go on as if it had not.
  package var isAllowedFailure: Bool { state.isFailure && step.onFailure == .continue }
}

/// What became of a step, in a few words.
struct StepResult {
  let text: String

  init(_ step: StepRecord, in record: StartupRecord) {
    var parts: [String] = []
    if step.isOverBudget, let budget = step.step.budget {
      parts.append("over its budget of \(DurationText.exact(.nanoseconds(budget)))")
    }
    if step.details.attempts.count > 1 { parts.append("\(step.details.attempts.count) attempts") }
    if step.isAllowedFailure { parts.append("allowed to fail") }
    if let undo = step.details.undo { parts.append(undo.failure == nil ? "undone" : "undo failed") }
    if let words = Self.words(for: step.state, in: record) { parts.append(words) }
    if let note = step.details.note { parts.append(note) }
    text = parts.joined(separator: "; ")
  }

  private static func words(for state: StepState, in record: StartupRecord) -> String? {
    switch state {
    case .waiting, .ready, .running: state.name
    case .succeeded: nil
    case .failed(let failure), .timedOut(let failure): failure.firstLine
    case .cancelled(let reason): "cancelled: \(reason.words)"
    case .skipped(let reason): "skipped: \(reason.words(in: record.outline))"
    }
  }
}

extension Failure {
  /// The message's first line: what there is room for in a table.
  package var firstLine: String {
    let lines = message.split(maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    let first = lines.first.map(String.init) ?? ""
    return lines.count > 1 && first.hasSuffix(":") ? String(first.dropLast()) : first
  }
}

extension CancelReason {
  /// The reason in words.
  package var words: String {
    switch self {
    case .requested(let text): text
    case .deadline: "the launch ran out of time"
    case .selfCancelled: "by itself"
    }
  }
}

extension SkipReason {
  /// The reason in words, with the steps' ids.
  package func words(in plan: LaunchOutline) -> String {
    switch self {
    case .excluded(let option): option
    case .condition(let text), .safeMode(let text): text
    case .dependency(let step): "after \(plan[step].id), which did not succeed"
    case .stopped(let step): "the launch stopped at \(plan[step].id)"
    }
  }
}
