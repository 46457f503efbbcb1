package import AppBoot
import AppBootRecords

/// A report that writes a record as Markdown, for a pull request's comment or a CI summary.
package struct MarkdownReport: Sendable {
  /// The default limit in bytes. A comment on GitHub can have 65,536 characters.
  package static let commentLimit = 65_000

  /// The maximum number of UTF-8 bytes of the text. Rows that do not fit are only counted.
  package var limit: Int

  /// The words for the launch in the report of a check, in place of its outcome; `nil` for other reports.
  var caption: String?
  /// True to show what would make the launch shorter.
  var showsLevers = true

  /// The difference of the launch from those before it; `nil` if there is none, or if it is unknown.
  package var difference: LaunchDifference?

  /// Creates a report of at most `limit` UTF-8 bytes.
  package init(limit: Int = MarkdownReport.commentLimit) { self.limit = limit }

  /// Returns the record as Markdown.
  package func text(of record: LaunchRecord) -> String {
    let record = record.withEstimatedEnd
    let head = heading(of: record) + failures(of: record)
    let tail = criticalPath(of: record) + levers(of: record) + footer(of: record)
    let room = max(0, limit - head.utf8.count - tail.utf8.count - 400)
    return head + table(of: record, room: room) + tail
  }

  private func heading(of record: LaunchRecord) -> String {
    let mark =
      switch record.severity {
      case .good: "✅"
      case .running: "⏳"
      case .warning: "⚠️"
      case .failure: "❌"
      }
    let outcome = OutcomeText(record, mark: code)
    let least = record.outcome == .running ? "at least " : ""
    let facts: [String?] = [
      "**\(least)\(TimeNumbers.brief(record.elapsedTime))**",
      BudgetText.of(record) { "**\($0)**" },
      StateCounts(record).text,
      record.outline.safeMode.map { "**safe mode**: \(code($0.reason))" },
    ]
    let reason =
      outcome.reason().map { ": \($0)\(outcome.rollback)" }
      ?? record.failedEvents(code).map { ", but \($0)" } ?? ""
    let title = "\(mark) \(code(record.outline.name)) \(outcome.verb)\(reason)"
    return "### \(caption ?? title)\n\n\(facts.compactMap(\.self).joined(separator: " · "))\n\n"
      + (difference.map { "**\($0.text(mark: code))**\n\n" } ?? "")
  }

  // MARK: - Failures

  private func failures(of record: LaunchRecord) -> String {
    var text = ""
    for (record, event) in [(record, nil)] + record.events.map({ ($0.record, $0) }) {
      let locations = record.outline.locations()
      let failures = FailureGroup.of(record.failuresFirstToFix).map {
        ($0, FailureText($0, on: event, mark: code), $0.first.isAllowedFailure)
      }
      let undos = FailureGroup.undos(of: record).map { ($0, FailureText(undo: $0, mark: code), false) }
      for (group, words, isAllowed) in failures + undos {
        let place = record.outline.place(of: locations[group.first.index])
        let block = failure(group, words, at: place, isAllowed: isAllowed)
        guard text.utf8.count + block.utf8.count < limit / 3 else {
          return text + "More failures are in the \(event == nil ? "table" : "record").\n\n"
        }
        text += block
      }
    }
    return text
  }

  private func failure(
    _ group: FailureGroup, _ text: FailureText, at place: String?, isAllowed: Bool
  ) -> String {
    let title =
      "\(isAllowed ? "⚠️ " : "")**\(text.title)**" + (place.map { " (\(code($0)))" } ?? "")
    let message = text.lines.joined(separator: "\n")
    let others = group.others.map { "The same error: \(code($0))\n\n" } ?? ""
    return "\(title)\n\n\(MarkdownText.block(String(message.prefix(4000))))\n\(others)"
  }

  // MARK: - The table

  /// Returns the table of steps. If not all rows fit, failed steps have priority, and then the slowest steps.
  private func table(of record: LaunchRecord, room: Int) -> String {
    guard !record.isEmpty else { return "" }
    let path = CriticalPath(of: record)
    let rows = record.map { row(of: $0, in: record, path) }
    let slowest = record.ranked { $0.execution.runningTime }
    let order = slowest.filter(\.state.isFailure) + slowest.filter { !$0.state.isFailure }
    var used = 0
    let shown = Set(
      order.map(\.index).prefix { index in
        used += rows[index].utf8.count
        return used <= room
      })
    let failed = record.failuresFirstToFix.map(\.index)
    let others = rows.indices.filter { !record[$0].state.isFailure }
    let lines = (failed + others).filter(shown.contains).map { rows[$0] }.joined()
    let missing = rows.count - shown.count
    return "|   | Step | Ran | Waited | Result |\n|---|---|--:|--:|---|\n\(lines)\n"
      + (missing > 0 ? "\(missing) faster steps are not shown.\n\n" : "")
  }

  private func row(of step: StepRecord, in record: LaunchRecord, _ path: CriticalPath) -> String {
    let hasRun = step.execution.startTime != nil
    let time = { (time: Int64) in MarkdownText.number(TimeNumbers.brief(time)) }
    let ran = hasRun ? time(step.execution.runningTime) : ""
    let waited = hasRun && step.execution.waitingTime > 0 ? time(step.execution.waitingTime) : ""
    let result = StepResult(step, in: record).text
    let name = path.contains(step.index) ? "**\(code(step.id))**" : code(step.id)
    let cell = result.isEmpty ? "" : code(String(result.prefix(300)))
    let symbol = StepRow.mark(of: step, ascii: false).text
    let mark = step.isOverBudget && symbol == "✓" ? "⚠️" : ["!": "⚠️", "✗": "❌"][symbol] ?? symbol
    return "| \(mark) | \(name) | \(ran) | \(waited) | \(cell) |\n"
  }

  // MARK: - The end

  private func criticalPath(of record: LaunchRecord) -> String {
    let path = CriticalPathText(record)
    guard path.links.count > 1 else { return "" }
    let title = "Critical path, in bold above:"
    let text = "\(title) \(path.line(TextStyle(), atMost: 20, mark: code, time: TimeNumbers.brief))\n\n"
    return text.utf8.count <= limit / 4 ? text : "\(title) \(path.links.count) steps\n\n"
  }

  private func levers(of record: LaunchRecord) -> String {
    guard showsLevers else { return "" }
    let retries = RetryText(record).map { "\($0.sentence(mark: code, time: TimeNumbers.brief)).\n\n" }
    let levers = LeverText(record).map { "Levers: \($0.line(mark: code, time: TimeNumbers.brief))\n\n" }
    return (retries ?? "") + (levers ?? "")
  }

  private func footer(of record: LaunchRecord) -> String {
    let header = record.header
    let facts: [String?] = [
      "Started \(code(record.startedAt))",
      header.host.map { "\(code("\($0.system) \($0.architecture)")), \($0.cores) cores" },
      header.toolText.map(code),
    ]
    let all = facts.compactMap(\.self) + header.labels.map { code("\($0.name)=\($0.value)") }
    return "<sub>\(all.joined(separator: " · "))</sub>\n"
  }

  private func code(_ text: String) -> String { MarkdownText.code(String(text.prefix(300))) }
}
