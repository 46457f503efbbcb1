import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The rows of the screen.
extension LiveScreen {
  /// Returns the rows, each with at most as many columns as the screen.
  mutating func text() -> [String] {
    (idColumns, axis) = (widestID, max(1_000_000, time.addingClamped(left)))
    var rows = [header]
    if case .text(let lines) = overlay {
      rows += lines.map { row($0) }
    } else {
      if !isLogFull {
        rows +=
          cause.enumerated().map { row(($0 == 0 ? symbol(.failed) : " ") + " \($1)", .failure) } + list()
      }
      rows += [divider] + logLines
    }
    rows = rows.prefix(size.rows - 1) + []
    while rows.count < size.rows - 1 { rows.append("") }
    return rows + [footer]
  }

  // MARK: - The layout

  /// The rows that the cause, the list and the log share.
  private var freeRows: Int { max(0, size.rows - 4) }
  private var listRows: Int {
    let free = freeRows - cause.count
    return min(model.rows.count, max(1, model.isLaunching ? free * 2 / 3 : free / 2))
  }
  /// The number of rows of the log.
  var logRows: Int { isLogFull ? max(1, size.rows - 3) : max(1, freeRows - cause.count - listRows) }

  private var isWide: Bool { size.columns >= 90 }
  private var widestID: Int {
    let longest = model.rows.map { DisplayWidth.of(style.visible($0)) }.max() ?? 0
    return min(max(7, longest), size.columns >= 140 ? 32 : size.columns >= 80 ? 20 : 14)
  }

  private func row(_ text: String, _ role: TextStyle.Role? = nil) -> String {
    var row = LiveRow(style, columns: size.columns)
    row.add(text, nil, role)
    return row.text
  }

  /// The style without colours, because a row cuts its cells.
  private var plain: TextStyle { TextStyle(usesASCII: style.usesASCII) }

  // MARK: - The header and the footer

  private var name: String { style.visible(model.record?.outline.name ?? "appboot") }

  private var header: String {
    var row = LiveRow(style, columns: size.columns)
    // A long name leaves room for the verdict.
    row.add(style.fit(name, to: size.columns / 3) + "  ", nil, .heading)
    let (text, role) = headline
    row.add(text, max(0, row.rest - (isReadOnly ? 11 : 0)), role)
    if isReadOnly { row.add("  read-only", nil, .warning) }
    return row.text
  }

  private var headline: (String, TextStyle.Role?) {
    guard let record = model.record else { return ("waits for the launch", .faint) }
    if record.outcome == .running {
      guard !isOver else { return ("crashed or was killed during the launch", .failure) }
      let rest = left > 0 ? ", about \(style.time(left)) left" : ""
      let undo = record.undoing.map { step, attempt in
        "undoing \(style.visible(step.id)) for \(style.time(max(0, time - attempt.startTime)))"
      }
      let facts = "\(undo ?? "launching")  \(StateCounts(record).progress) steps  \(style.time(time))"
      return (facts + rest, .accent)
    }
    let line = style.visible(TextReport(style: plain).verdict(of: record))
    let verdict = String(line.trimmingPrefix("\(name) "))
    if isOver {
      let end = model.services.isEmpty ? "" : model.hasEnded ? "ended; " : "crashed or was killed; "
      return (end + verdict, record.succeeded && (model.hasEnded || end.isEmpty) ? .success : .failure)
    }
    let event = model.events.first.map {
      "  handles \(style.visible($0.name)) for \(uptime(since: $0.start))"
    }
    guard record.succeeded, !model.services.isEmpty else {
      return (verdict + (event ?? ""), record.succeeded ? .success : .failure)
    }
    let states = Dictionary(grouping: model.services, by: { state(of: $0).text }).mapValues(\.count)
    let counts = states.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    let isGood = states.keys.allSatisfy { ["ready", "skipped"].contains($0) }
    let text = "up \(uptime(since: model.origin))  \(counts.joined(separator: ", "))\(event ?? "")"
    return (text, isGood ? .success : .warning)
  }

  /// The failure to fix first, in at most two rows: of a step, of a service, or of the handlers of an event.
  private var cause: [String] {
    let most = size.rows >= 24 ? 2 : 1
    let step = model.failedStep.map { "\($0.id): \($0.state.failure?.cause ?? "")" }
    let service = model.failedService.map { ServiceState.sentence($0.id, $0.state, end: $0.end) }
    guard let text = step ?? service ?? model.failedEvent else { return [] }
    let lines = text.split(whereSeparator: \.isNewline).map { style.visible(String($0)) }
    guard lines.count == 1 else { return Array(lines.prefix(most)) }
    return Array(style.wrap(lines[0], to: max(1, size.columns - 4)).prefix(most))
  }

  private var footer: String {
    switch overlay {
    case .input(let text, nil):
      return row("/\(style.visible(text))_   Enter finds it, Escape closes", .accent)
    case .input(let text, let id?):
      let name = text.isEmpty ? "[TERM]" : style.visible(text)
      return row("signal for \(style.visible(id)): \(name)_   Enter sends it, Escape closes", .accent)
    case .question(let question, _, _): return row(question, .warning)
    case .text: return row("any key closes this", .faint)
    case nil:
      if !message.isEmpty { return row(style.visible(message), .warning) }
      let keys = "q quit  ? help  Enter log  / find  e explain  r restart  s stop or start  a all logs"
      return row(keys, .faint)
    }
  }

  /// It fits 60 columns.
  static let help = [
    "", "up, down, j, k   select a row; in the full log, scroll", "PageUp, PageDown scroll the log",
    "Home, g, End, G  first or last row; in the full log, line",
    "f                follow the log", "Enter            the log on the whole screen, and back",
    "/, n, N          find a text or an error: older, newer",
    "a, t             all logs together; the times of the lines",
    "e                why it waits, or did not start earlier",
    "o                open the page of the launch in the browser",
    "r, s, K          restart, stop or start, or signal a service",
    "q                leave, which stops nothing without asking", "",
    "* critical path so far, ! allowed failure; r, s, K ask first",
  ]

  // MARK: - The list

  private func list() -> [String] {
    let ids = model.rows
    guard let record = model.record else { return [] }
    let path = Set(CriticalPath(of: record.withEstimatedEnd).steps)
    let place = selected.flatMap { ids.firstIndex(of: $0) } ?? 0
    let first = max(0, min(place - listRows / 2, ids.count - listRows))
    var rows = [model.showsServices ? serviceHeading : stepHeading]
    for id in ids[first..<min(ids.count, first + listRows)] {
      var row = LiveRow(style, columns: size.columns)
      row.add(id == selected ? ">" : " ", 2, .accent)
      if model.showsServices, let service = model.service(id) {
        add(service, to: &row)
      } else if let index = record.outline.index(ofStep: id) {
        add(record[index], isCritical: path.contains(index), record, to: &row)
      }
      rows.append(row.text)
    }
    return rows
  }

  /// The columns of the bars.
  private var barColumns: Int { max(8, (size.columns - idColumns - (isWide ? 26 : 15)) / 2) }

  /// The estimated nanoseconds until the launch ends; 0 if they are unknown.
  private var left: Int64 {
    guard let record = model.record, model.isLaunching else { return 0 }
    return RemainingTime(medians: model.expected).estimate(record, at: time) ?? 0
  }

  private var stepHeading: String {
    var row = LiveRow(style, columns: size.columns)
    row.add("", 5)
    row.add("step", idColumns, .faint)
    row.add("time", 9, .faint, isTrailing: true)
    if isWide { row.add("expected", 11, .faint, isTrailing: true) }
    row.add(" 0", barColumns - 6, .faint)
    row.add(style.time(axis), 7, .faint, isTrailing: true)
    return row.text
  }

  private func add(_ step: StepRecord, isCritical: Bool, _ record: LaunchRecord, to row: inout LiveRow) {
    let kind = step.state.kind
    let end = step.execution.endTime ?? (step.state.kind == .running ? time : 0)
    let elapsed = step.execution.startTime.map { max(0, end - $0) }
    let expected = model.expected[step.id]
    let isLate = kind == .running && expected.map { elapsed ?? 0 > $0 + $0 / 2 } ?? false
    let role: TextStyle.Role =
      switch kind {
      case .succeeded: .success
      case .failed, .timedOut: step.isAllowedFailure ? .warning : .failure
      case .running: isLate ? .warning : .accent
      case .waiting, .ready, .skipped, .cancelled: .faint
      }
    row.add(symbol(kind, role), 1, role)
    row.add(isCritical ? "*" : "", 2, .warning)
    row.add(style.visible(step.id), idColumns, step.id == selected ? .heading : nil)
    row.add(elapsed.map(style.time) ?? "", 9, role, isTrailing: true)
    if isWide { row.add(expected.map { "/ \(style.time($0))" } ?? "", 11, .faint, isTrailing: true) }
    row.add(" ", 1)
    row.add(bar(of: step, end: end, expected), barColumns, role)
    row.add("  " + facts(of: step, record))
  }

  private func bar(of step: StepRecord, end: Int64, _ expected: Int64?) -> String {
    guard let start = step.execution.startTime else { return "" }
    // A step that took almost no time has a column too.
    let least = start + axis / Int64(max(1, barColumns)) + 1
    return LiveRow.bar(
      columns: barColumns, total: axis,
      [
        (step.execution.readyTime ?? start, " "), (start, style.usesASCII ? "." : "·"),
        (max(end, least), style.usesASCII ? "#" : "█"),
        (step.state.hasEnded ? 0 : start + (expected ?? 0), style.usesASCII ? "-" : "░"),
      ])
  }

  private func facts(of step: StepRecord, _ record: LaunchRecord) -> String {
    if let failure = step.state.failure { return style.visible(failure.firstLine) }
    // The log has newer output than the record.
    let output = RunningProcesses(unfinishedLines: lastLines[step.id].map { [step.index: $0] } ?? [:])
    guard let (state, facts) = LiveExplanation(style: plain).facts(of: step, in: record, at: time, output)
    else {
      return style.visible(record.reasonText(of: step.index) ?? step.details.note ?? "")
    }
    if step.state == .waiting { return style.visible("\(state) \(facts)") }
    // The time is in the row.
    let rest =
      facts.hasPrefix("for ") ? facts.split(separator: ", ", maxSplits: 1).dropFirst().joined() : facts
    return style.visible(String(rest.trimmingPrefix("output: ")))
  }

  /// Returns the symbol of a state. A failure that is only a warning is allowed.
  private func symbol(_ kind: StepState.Kind, _ role: TextStyle.Role = .failure) -> String {
    if kind.isFailure, role == .warning { return "!" }
    // In the order of the kinds, which begins with "waiting".
    let symbols = Array(style.usesASCII ? ".o*+xx--" : "·○●✓✗✗––")
    return String(symbols[StepState.Kind.allCases.firstIndex(of: kind) ?? 0])
  }

  // MARK: - Services

  private func state(of service: LiveModel.Service) -> (text: String, StepState.Kind, TextStyle.Role) {
    switch service.state {
    case "ready" where service.health?.hasPrefix("unhealthy") == true: ("unhealthy", .running, .warning)
    case "ready": (service.state, .succeeded, .success)
    case "starting", "restarting", "stopping": (service.state, .running, .warning)
    case "failed": (service.state, .failed, model.hasFailed(service) ? .failure : .warning)
    case "ended" where model.hasFailed(service): (service.state, .failed, .failure)
    case "waiting", "stopped", "skipped", "ended": (service.state, .skipped, .faint)
    default: ("unknown", .skipped, .faint)
    }
  }

  private func uptime(since start: Int64) -> String { style.time(max(0, now - start)) }

  /// The columns of a curve; 0 on a narrow screen.
  private var curveColumns: Int { size.columns >= 140 ? 20 : isWide ? 8 : 0 }

  private var serviceHeading: String {
    var row = LiveRow(style, columns: size.columns)
    row.add("", 4)
    row.add("service", idColumns + 1, .faint)
    row.add("state", 11, .faint)
    if isWide { row.add("pid", 8, .faint) }
    row.add("up", 8, .faint, isTrailing: true)
    row.add("rst", 4, .faint, isTrailing: true)
    row.add("cpu", 6, .faint, isTrailing: true)
    row.add("", curveColumns + 1)
    row.add("memory", 9, .faint, isTrailing: true)
    row.add("", curveColumns + 1)
    row.add(" last output", nil, .faint)
    return row.text
  }

  private func add(_ service: LiveModel.Service, to row: inout LiveRow) {
    let (state, kind, role) = self.state(of: service)
    row.add(symbol(kind, role), 2, role)
    row.add(style.visible(service.id), idColumns + 1, service.id == selected ? .heading : nil)
    row.add(state, 11, role)
    if isWide { row.add(service.pid.map { "\($0)" } ?? "", 8, .faint) }
    row.add(service.start.map(uptime) ?? "", 8, isTrailing: true)
    row.add(service.restarts > 0 ? "\(service.restarts)" : "", 4, .warning, isTrailing: true)
    row.add(service.cpu.last.map { "\(Int(min(99_999, $0.rounded())))%" } ?? "", 6, isTrailing: true)
    row.add("", 1)
    row.add(LiveRow.curve(service.cpu, columns: curveColumns, top: 100, style), curveColumns, .accent)
    row.add(service.memory.last.map { ByteSize(bytes: Int64($0)).brief } ?? "", 9, isTrailing: true)
    row.add("", 1)
    row.add(LiveRow.curve(service.memory, columns: curveColumns, top: 0, style), curveColumns, .accent)
    let answer = service.health.map { "\(style.visible($0)); " } ?? ""
    row.add(" " + answer + (service.end.map(style.visible) ?? lastLines[service.id] ?? ""))
  }

  // MARK: - The log

  private var divider: String {
    let line = style.usesASCII ? "-" : "─"
    let subject = isMerged ? "all logs" : "log of \(style.visible(selected ?? "nothing"))"
    let all = "\(hasOlder ? "the last " : "")\(log.count)"
    let place = logEnd.map { "line \($0) of \(all), f follows" } ?? "following"
    let find = pattern.isEmpty ? "" : " \(line) /\(style.visible(pattern))"
    let text = "\(line)\(line) \(subject) \(line) \(place)\(find) "
    return row(text + String(repeating: line, count: max(0, size.columns - DisplayWidth.of(text))), .faint)
  }

  private var logLines: [String] {
    // The first line of the log is at the top.
    let end = min(log.count, max(logEnd ?? log.count, logRows))
    let shown = log[max(0, end - logRows)..<end]
    let width = isMerged ? shown.map { DisplayWidth.of(style.visible($0.step)) }.max() ?? 0 : 0
    return shown.map { line in
      var row = LiveRow(style, columns: size.columns)
      if showsTimes {
        // The time of the day of an RFC 3339 time.
        let time = line.time.map { WallClock.timestamp(microseconds: $0).dropFirst(11).prefix(12) }
        row.add(String(time ?? "-"), 13, .faint)
      }
      if isMerged {
        let step = model.record?.outline.index(ofStep: line.step)
        let id = style.fit(style.visible(line.step), to: 20)
        row.add(DisplayWidth.pad(id, to: min(width, 20)) + " | ", step: step ?? 0)
      }
      let isFound = !pattern.isEmpty && line.text.contains(pattern)
      row.add(line.text, nil, isFound ? .warning : line.isError ? .failure : nil)
      return row.text
    }
  }

  // MARK: - The explanation

  /// The rows that explain the selected step: what it waits for, or why it did not start earlier.
  var explanation: [String] {
    guard let record = model.record, let id = selected, let index = record.outline.index(ofStep: id) else {
      return ["nothing is selected"]
    }
    let explanation = LiveExplanation(style: plain)
    let step = record[index]
    var text = "\(id): \(model.service(id)?.state ?? step.state.name)"
    if let (state, facts) = explanation.facts(of: step, in: record, at: time) {
      text = "\(id) is \(state)\(facts.hasPrefix("for ") ? " " : ": ")\(facts)"
    } else if let reason = step.state.failure?.message ?? record.reasonText(of: index) {
      text += ": \(reason)"
    }
    text += "\n\n"
    if step.execution.startTime != nil {
      text += StartChainText(style: plain).text(ofStep: index, in: record.withEstimatedEnd)
    }
    for before in record.outline.predecessors(of: index) {
      guard let facts = explanation.facts(of: record[before], in: record, at: time) else { continue }
      text += "\(record.outline[before].id) is \(facts.state) \(facts.facts)\n"
    }
    return [""]
      + text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { style.wrap(String($0), to: max(20, size.columns - 2)) }.map { " " + $0 }
  }
}
