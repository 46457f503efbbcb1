public import AppBoot

/// A record as text for a terminal: a row per step, the failures, and a verdict.
public struct TextReport: Sendable {
  /// The amount of detail in a report.
  public enum Detail: Sendable, Hashable {
    /// The failures only.
    case failures
    /// A row per step, the failures, a short summary of times, and the verdict.
    case normal
    /// Also the details of each step, the slowest steps, the critical path, slack and budgets.
    case full
  }

  /// The width, colours and character set.
  public var style: TextStyle
  /// The amount of detail.
  public var detail: Detail

  /// Creates a text report in a style.
  public init(style: TextStyle = TextStyle(), detail: Detail = .normal) {
    self.style = style
    self.detail = detail
  }

  /// Returns the record as text; every line ends with a line feed.
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

  /// Returns the record of an event's handlers as text: a row per step, the failures and a verdict.
  public func text(of event: EventRecord) -> String {
    let failures = FailureBlocks(style: style).text(of: event.record)
    guard detail != .failures else { return failures }
    var text = style.paint("on \(style.visible(event.name))", .heading) + "\n"
    text += table(of: event.record)
    if !failures.isEmpty { text += "\n\(failures)\n" }
    return text + Verdict(style: style).line(for: event) + "\n"
  }

  /// Returns one line that says whether the launch booted, how long it took and how many steps it had.
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
