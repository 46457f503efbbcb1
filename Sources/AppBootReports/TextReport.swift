package import AppBoot
import AppBootRecords

/// A report that writes a record as text for a terminal: a row for each step, the failures, and a verdict.
package struct TextReport: Sendable {
  /// The amount of detail in a text report.
  package enum Detail: Sendable, Hashable {
    /// Only the failures.
    case failures
    /// A row for each step, the failures, a short summary of times, and the verdict.
    case normal
    /// A row and the details of each step, the levers, the critical path, slack, budgets, the failures and the
    /// verdict.
    case full
  }

  /// The width, colours and character set.
  package var style: TextStyle
  /// The amount of detail.
  package var detail: Detail
  /// A function that returns the difference of a launch from those before it; `nil` if there is none.
  package var difference: @Sendable (LaunchRecord) -> LaunchDifference? = { _ in nil }

  /// Creates a text report in a style.
  package init(style: TextStyle = TextStyle(), detail: Detail = .normal) {
    self.style = style
    self.detail = detail
  }

  /// Returns the record as text. Each line ends with a line feed.
  package func text(of record: LaunchRecord) -> String {
    let record = record.withEstimatedEnd
    return text(ofLaunch: record, columns: nil) { _ in false } + record.events.map(following).joined()
  }

  /// Returns the text of an event's handlers for printing after other text.
  ///
  /// It begins with an empty line, except in a report of failures only.
  func following(_ event: EventRecord) -> String {
    (detail == .failures ? "" : "\n") + text(of: event)
  }

  /// Returns the text of the launch without its event handlers.
  ///
  /// - Parameters:
  ///   - columns: The column widths of the rows that were printed before; `nil` if there are none.
  ///   - isShown: A function that returns true for a step whose row and failures were printed before. Both are left
  ///     out.
  func text(
    ofLaunch record: LaunchRecord, columns: TextTable?, isShown: (_ step: Int) -> Bool
  ) -> String {
    let failures = FailureBlocks(style: style).text(of: record, isShown: isShown)
    guard detail != .failures else { return failures }
    var text = table(of: record, columns, isShown)
    if !failures.isEmpty { text += "\n\(failures)" }
    text += record.isEmpty && failures.isEmpty ? "" : "\n"
    text += TimeSummary(style: style, isFull: detail == .full).text(of: record)
    return text + safeMode(of: record) + causeLine(of: record, isShown)
      + style.wrapped(Verdict(style: style).line(for: record)) + "\n" + differenceLine(of: record)
      + serverHelp(for: record) + announcements(of: record)
  }

  /// Returns the text of an event's handlers: a row for each step, the failures and a verdict.
  package func text(of event: EventRecord) -> String {
    let failures = FailureBlocks(style: style).text(of: event.record)
    guard detail != .failures else { return failures }
    var text = style.paint("on \(style.visible(event.name))", .heading) + "\n"
    text += table(of: event.record, nil) { _ in false }
    if !failures.isEmpty { text += "\n\(failures)\n" }
    return text + style.wrapped(Verdict(style: style).line(for: event)) + "\n"
      + announcements(of: event.record)
  }

  /// Returns the line with the reason for safe mode; empty outside safe mode.
  package func safeMode(of record: LaunchRecord) -> String {
    guard let safeMode = record.outline.safeMode else { return "" }
    return style.wrapped("\(style.paint("safe mode", .warning)): \(style.visible(safeMode.reason))") + "\n"
  }

  /// Returns the cause of a failure that was printed before other output, for example that of services which stopped;
  /// empty without one.
  private func causeLine(of record: LaunchRecord, _ isShown: (_ step: Int) -> Bool) -> String {
    guard case .failed(let step) = record.outcome, isShown(step), let cause = record[step].cause else {
      return ""
    }
    return style.wrapped("\(style.paint("cause:", .failure)) \(style.visible(cause))") + "\n"
  }

  private func differenceLine(of record: LaunchRecord) -> String {
    guard let difference = difference(record) else { return "" }
    let text = difference.text(ascii: style.usesASCII, mark: style.visible)
    return style.wrapped(style.paint(text, difference.change > 0 ? .warning : .success)) + "\n"
  }

  /// Returns the help for processes that printed something and then timed out, as servers do; empty without one.
  private func serverHelp(for record: LaunchRecord) -> String {
    let timedOut = record.filter { if case .timedOut = $0.state { true } else { false } }
    let steps = (timedOut + (record.outcome == .timedOut ? record.interrupted : [])).filter {
      $0.step.commandName == "RunProcess" && $0.details.lastOutput != nil
    }
    guard !steps.isEmpty else { return "" }
    let ids = style.visible(steps.map(\.id).listed(atMost: FailureGroup.mostIDs))
    let words = steps.count == 1 ? "is a server, start it" : "are servers, start them"
    let tool = style.visible(record.header.tool?.name ?? "appboot")
    let help = "if \(ids) \(words) with RunService: \(tool) help services"
    return style.wrapped("\(style.paint("help:", .accent)) \(help)", indent: 2) + "\n"
  }

  /// Returns the texts that the steps announced, in plan order; empty if the launch did not succeed.
  private func announcements(of record: LaunchRecord) -> String {
    guard record.succeeded else { return "" }
    return record.compactMap(\.details.announcement).flatMap(style.lines).map { $0 + "\n" }.joined()
  }

  /// Returns one line with the launch's result, duration and number of steps.
  ///
  /// - Parameter launches: Words for the launches that failed, for example ` in 1 of 5 launches`.
  package func verdict(of record: LaunchRecord, launches: String = "") -> String {
    Verdict(style: style).line(for: record.withEstimatedEnd, launches: launches)
  }

  // MARK: - The table

  private func table(
    of record: LaunchRecord, _ given: TextTable?, _ isShown: (_ step: Int) -> Bool
  ) -> String {
    let steps = record.filter { !$0.state.isLeftOut && !isShown($0.index) }
    let rows = steps.map { StepRow($0, in: record, style: style) }
    let columns = given ?? StepRow.table(rows.map(\.cells), style)
    let lines = zip(steps, rows).map { text(of: $0, $1, columns) }
    return lines.joined() + LeftOutLine(style: style).text(of: record.compactMap(\.state.leftOutReason))
  }

  /// Returns a step's row. In a full report, the step's details follow.
  func text(of step: StepRecord, _ row: StepRow, _ columns: TextTable) -> String {
    var text = columns.line(row.cells) + "\n"
    guard detail == .full else { return text }
    for line in StepDetailLines(style: style).lines(of: step) {
      let lines = style.width.map { style.wrap(line, to: max(20, $0 - 6)) } ?? [line]
      for (index, part) in lines.enumerated() {
        text += style.paint((index == 0 ? "    " : "      ") + part, .faint) + "\n"
      }
    }
    return text
  }
}

/// The last line of a text report: the launch's result, duration and number of steps.
struct Verdict {
  let style: TextStyle

  /// Returns the verdict on a launch.
  ///
  /// - Parameter launches: Words for the launches that failed, for example ` in 1 of 5 launches`.
  func line(for record: LaunchRecord, launches: String = "") -> String {
    let outcome = OutcomeText(record, mark: style.visible)
    let name = style.visible(record.outline.name)
    let time = style.time(record.elapsedTime)
    let states = StateCounts(record)
    let counts = states.summary
    if let reason = outcome.reason(after: style.time) {
      let verb = outcome.verb(in: " in \(time)")
      let role: TextStyle.Role = record.isStillRunning ? .accent : .failure
      return "\(style.paint("\(name) \(verb)\(launches)", role)): \(reason)\(outcome.rollback); \(counts)"
        + (record.header.shuffle.map { "; order: \(style.visible($0))" } ?? "")
    }
    var text = style.paint("\(name) \(outcome.verb)", record.isFlawless ? .success : .warning) + " in \(time)"
    text += BudgetText.of(record) { style.paint($0, .warning) }.map { ", \($0)" } ?? ""
    text += ": \(counts)"
    text += states.allowedFailures.map { style.paint(", \($0)", .warning) } ?? ""
    return text
  }

  /// Returns the verdict on an event's handlers.
  func line(for event: EventRecord) -> String {
    let record = event.record
    let name = style.visible(event.event)
    let time = style.time(record.elapsedTime)
    guard record.outcome != .running else { return "\(name) is still running" }
    let counts = StateCounts(record).summary
    let outcome = OutcomeText(record, mark: style.visible)
    guard let reason = outcome.reason(after: style.time) else {
      return style.paint("\(name) done", .success) + " in \(time): \(counts)"
    }
    return "\(style.paint("\(name) failed", .failure)): \(reason)\(outcome.rollback); \(counts)"
  }
}

extension RecordHeader {
  /// The tool with its version, for example `appboot 0.1.0`; `nil` if it is unknown.
  var toolText: String? { tool.map { "\($0.name) \($0.version)" } }
  /// The machine, for example `Linux x86_64, 8 cores`; `nil` if it is unknown.
  var hostText: String? { host.map { "\($0.system) \($0.architecture), \($0.cores) cores" } }
  /// The option that repeats the random start order of the launch; `nil` for another order.
  package var shuffle: String? {
    labels.first { $0.name == "order" && $0.value.hasPrefix("--shuffle=") }?.value
  }
}

/// A line of text with the number of steps that `--only`, `--to` or `--skip` left out.
package struct LeftOutLine {
  /// The maximum number of different reasons that are shown. If there are more, none is shown.
  private static let shownReasons = 3

  private let style: TextStyle

  package init(style: TextStyle) { self.style = style }

  /// Returns the line with its line feed, for example `– 2 steps left out: not in --only`.
  ///
  /// Returns an empty text if no step was left out.
  package func text(of reasons: [String]) -> String {
    guard !reasons.isEmpty else { return "" }
    let different = reasons.reduce(into: [String]()) { different, reason in
      if different.count <= Self.shownReasons, !different.contains(reason) { different.append(reason) }
    }
    var text =
      "\(style.usesASCII ? "skip" : "–") \(reasons.count) step\(reasons.count == 1 ? "" : "s") left out"
    if different.count <= Self.shownReasons { text += ": \(different.joined(separator: ", "))" }
    return style.paint(style.fit(style.visible(text), to: style.width ?? .max), .faint) + "\n"
  }
}

extension SkipReason {
  /// True if a command-line option excluded the step.
  package var leavesOut: Bool { if case .excluded = self { true } else { false } }
}

extension StepState {
  /// The reason why a command-line option excluded the step; `nil` if none did.
  var leftOutReason: String? { if case .skipped(.excluded(let reason)) = self { reason } else { nil } }

  /// True if a command-line option excluded the step.
  var isLeftOut: Bool { leftOutReason != nil }
}
