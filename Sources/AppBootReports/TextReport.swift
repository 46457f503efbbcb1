public import AppBoot

/// A launch's record as text for people: a row per step, what failed and why, and a verdict.
public struct TextReport: Sendable {
  /// How much a report says.
  public enum Detail: Sendable, Hashable {
    /// Only what failed.
    case failures
    /// A row per step, the failures, what stands out, and the verdict.
    case normal
    /// Also lanes, waiting times, attempts, spans, values and the last line each step said; then who was slow, the
    /// critical path with the slack beside it, and the budgets.
    case full
  }

  /// How the text is written.
  public var style: TextStyle
  /// How much it says.
  public var detail: Detail

  /// Creates a report.
  public init(style: TextStyle = TextStyle(), detail: Detail = .normal) {
    self.style = style
    self.detail = detail
  }

  /// The record as text; every line ends with a line feed.
  public func text(of record: StartupRecord) -> String {
    let record = record.withEstimatedEnd
    let failures = FailureBlocks(style: style).text(of: record)
    guard detail != .failures else {
      return failures + record.events.map { self.text(of: $0) }.joined()
    }
    var text = table(of: record)
    if detail == .full { text += TextSections(record, style: style).all }
    if !failures.isEmpty { text += "\n\(failures)" }
    text += record.isEmpty && failures.isEmpty ? "" : "\n"
    if detail != .full { text += TimeSummary(style: style).text(of: record) }
    if let safeMode = record.outline.safeMode {
      text += "\(style.paint("safe mode", .warning)): \(style.visible(safeMode.reason))\n"
    }
    text += Verdict(style: style).line(for: record) + "\n"
    return text + record.events.map { "\n" + self.text(of: $0) }.joined()
  }

  /// What the list of an event did as text: the event, a row per step, the failures and a verdict.
  public func text(of event: EventRecord) -> String {
    let failures = FailureBlocks(style: style).text(of: event.record)
    guard detail != .failures else { return failures }
    var text = style.paint("on \(style.visible(event.name))", .heading) + "\n"
    text += table(of: event.record)
    if !failures.isEmpty { text += "\n\(failures)\n" }
    return text + Verdict(style: style).line(for: event) + "\n"
  }

  /// One line: whether it booted, how long it took, how many steps.
  public func verdict(of record: StartupRecord) -> String {
    Verdict(style: style).line(for: record.withEstimatedEnd)
  }

  // MARK: - The table

  private func table(of record: StartupRecord) -> String {
    let rows = record.map { StepRow($0, in: record, style: style) }
    let columns = StepRow.Columns(rows, width: style.width)
    var text = ""
    for (index, row) in rows.enumerated() {
      text += row.line(columns, style) + "\n"
      guard detail == .full else { continue }
      for line in StepDetailLines(style: style).lines(of: record[index], in: record) {
        text += style.paint(style.fit("    \(line)", to: style.width ?? .max), .faint) + "\n"
      }
    }
    return text
  }
}
