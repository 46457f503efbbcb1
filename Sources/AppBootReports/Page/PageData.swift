import AppBoot
import AppBootRecords
import AppBootAnalysis

/// The data of a page as compact JSON, which the page's script draws.
///
/// A launch has columns instead of an object for each step, and differences instead of start times. A text that occurs
/// several times is stored once.
struct PageData {
  /// The maximum number of characters of all steps' outputs together.
  private static let outputBudget = 250_000

  /// The maximum number of characters of all steps' command lines together.
  private static let commandLineBudget = 150_000

  private var writer = JSONWriter()
  private var texts = PageTexts()

  /// Creates the data of a launch.
  ///
  /// - Parameters:
  ///   - record: The launch, with its event handlers.
  ///   - changes: The differences from a base launch; `nil` without a base.
  init(of record: StartupRecord, _ changes: PageChanges? = nil) {
    writer.beginObject()
    writer.member("tool", PageTexts.visible(record.header.tool?.name ?? "appboot"))
    writer.member("manifest", PageTexts.visible(record.outline.manifestName ?? ""))
    writer.key("parts")
    writer.beginArray()
    write(record, named: "the launch", at: 0, changes)
    for event in record.events { write(event.record, named: "on \(event.name)", at: event.time) }
    writer.endArray()
    writer.member("texts", texts.all)
    writer.endObject()
  }

  /// The JSON without the character `<`, so that it cannot end the script element around it.
  var json: String {
    writer.text.unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == "<" { text += "\\u003c" } else { text.unicodeScalars.append(scalar) }
    }
  }

  // MARK: - A launch or the handlers of an event

  private mutating func write(
    _ record: StartupRecord, named name: String, at time: Int64, _ changes: PageChanges? = nil
  ) {
    writer.beginObject()
    writer.member("name", PageTexts.visible(name).filter { $0 != "\n" })
    writer.member("at", time)
    writer.member("duration", record.elapsedTime)
    if let budget = record.outline.budgetTime { writer.member("budget", budget) }
    writer.member("id", record.outline.lazy.map { PageTexts.visible($0.id) })
    numbers("command", record.map { Int64(texts.number($0.step.commandName)) })
    writer.member("lane", String(record.outline.map { $0.lane == .main ? "m" : "b" }))
    numbers("policy", record.map { Int64(texts.number($0.step.onFailure.rawValue)) })
    writer.member("state", String(record.map(\.state.letter)))
    writer.key("after")
    writer.array { writer in
      for step in record.indices {
        writer.array { for predecessor in record.outline.predecessors(of: step) { $0.value(predecessor) } }
      }
    }
    writeTimes(of: record)
    writeReasons(of: record)
    writePlaces(in: record.outline)
    if let changes { write(changes) }
    writeResults(of: record)
    writeDetails(of: record)
    writer.endObject()
  }

  private mutating func writeTimes(of record: StartupRecord) {
    var last: Int64 = 0
    let differences = record.map { step -> Int64? in
      guard let start = step.execution.startTime else { return nil }
      defer { last = start }
      return start - last
    }
    numbers("start", differences)
    numbers("wait", record.map { $0.execution.startTime == nil ? nil : $0.execution.waitingTime })
    numbers("run", record.map { $0.execution.startTime == nil ? nil : $0.execution.runningTime })
    let path = CriticalPath(of: record)
    numbers("slack", record.indices.map { path.slack(of: $0) })
  }

  private mutating func writeReasons(of record: StartupRecord) {
    let reasons = StartReasons(of: record)
    let links = record.indices.map { reasons[$0]?.reason }
    writer.member("jobs", reasons.jobs)
    writer.member("why", String(links.map { $0?.letter ?? "-" }))
    numbers("by", links.map { $0?.step.map(Int64.init) })
    let last = CriticalPath(of: record).steps.last
    let chain = last.flatMap { StartChain(reasons, to: $0) }?.links.reversed().map(\.step) ?? []
    writer.key("chain")
    writer.array { writer in for step in chain { writer.value(step) } }
  }

  private mutating func writePlaces(in outline: LaunchOutline) {
    let locations = outline.locations()
    guard locations.contains(where: { $0 != nil }) else { return }
    numbers("line", locations.map { $0.map { Int64($0.line) } })
    numbers("column", locations.map { $0.map { Int64($0.column) } })
  }

  private mutating func write(_ changes: PageChanges) {
    numbers("change", changes.change)
    numbers("baseRun", changes.baseRunning)
    if let starts = changes.baseStart { numbers("baseStart", starts) }
    numbers("words", changes.words.map { Int64(texts.number($0)) })
    numbers("gain", changes.gain.map { $0.map { Int64(texts.number($0)) } })
  }

  /// Writes the facts that most steps of a long launch have: their outputs, notes and CPU times.
  private mutating func writeResults(of record: StartupRecord) {
    let limit = Self.outputLimit(record)
    numbers("cpu", record.map(\.details.processorTime))
    let longest = Self.commandLineLimit(record)
    numbers(
      "shell",
      record.map { step in
        step.details.commandLine.map {
          Int64(texts.number($0, atMost: step.state.isFailure ? .max : longest))
        }
      })
    numbers("note", record.map { $0.details.note.map { Int64(texts.number($0, atMost: limit)) } })
    numbers(
      "output",
      record.map { step in
        step.newLastOutput.map { Int64(texts.number($0, atMost: step.state.isFailure ? 1000 : limit)) }
      })
    numbers(
      "result",
      record.map { step in
        let result = StepResult(step, in: record).text
        return result.isEmpty ? nil : Int64(texts.number(result, atMost: max(limit, 200)))
      })
  }

  /// Returns the maximum number of characters of one output.
  private static func outputLimit(_ record: StartupRecord) -> Int {
    max(60, min(1000, outputBudget / max(1, record.count)))
  }

  /// Returns the maximum number of characters of the command line of a step that did not fail.
  private static func commandLineLimit(_ record: StartupRecord) -> Int {
    max(40, commandLineBudget / max(1, record.count))
  }

  /// Writes the numbers of a column: `null` for a step without one, and one number if all steps have the same.
  private mutating func numbers(_ name: String, _ values: [Int64?]) {
    if let first = values.first, values.count > 1, values.allSatisfy({ $0 == first }) {
      writer.key(name)
      if let first { writer.value(first) } else { writer.null() }
      return
    }
    writer.key(name)
    writer.array { writer in
      for value in values { if let value { writer.value(value) } else { writer.null() } }
    }
  }

  // MARK: - Details that only some steps have

  private mutating func writeDetails(of record: StartupRecord) {
    let limit = Self.outputLimit(record)
    let locations = record.outline.locations()
    writer.key("more")
    writer.beginObject()
    for step in record {
      var details = JSONWriter()
      details.beginObject()
      let empty = details.bytes.count
      write(step, of: record, file: locations[step.index]?.file, limit, to: &details)
      guard details.bytes.count > empty else { continue }
      details.endObject()
      writer.key(String(step.index))
      writer.raw(details.bytes)
    }
    writer.endObject()
  }

  private mutating func write(
    _ step: StepRecord, of record: StartupRecord, file: String?, _ limit: Int, to json: inout JSONWriter
  ) {
    let details = step.details
    if let failure = step.state.failure {
      let lines = [failure.message] + failure.causes
      json.key("failure")
      json.array { json in
        for line in lines { json.value(texts.number(line, atMost: step.isAllowedFailure ? 4 * limit : 8000)) }
      }
    }
    text("reason", record.reasonText(of: step.index).map { "\(step.state.title): \($0)" }, to: &json)
    text("announcement", details.announcement, limit, to: &json)
    text("comment", step.step.comment, limit, to: &json)
    text("file", file, to: &json)
    for (name, list) in [
      ("reads", details.reads), ("provides", details.provides), ("emitted", details.emitted.map(\.name)),
    ] where !list.isEmpty {
      json.key(name)
      json.array { json in for name in list { json.value(texts.number(name)) } }
    }
    writeTimes(of: step, to: &json)
  }

  private mutating func writeTimes(of step: StepRecord, to json: inout JSONWriter) {
    let details = step.details
    for (name, time) in [
      ("budget", step.step.budgetTime), ("timeout", step.step.timeoutTime), ("killed", details.killTime),
    ] {
      if let time { json.member(name, time) }
    }
    if details.overran { json.member("overran", true) }
    let end = step.execution.endTime ?? 0
    if details.attempts.count > 1 {
      json.key("attempts")
      json.array { json in
        for attempt in details.attempts { write(attempt, of: details, before: end, to: &json) }
      }
    }
    if !details.spans.isEmpty {
      json.key("spans")
      json.array { json in
        for span in details.spans {
          json.array { json in
            json.value(texts.number(span.name))
            json.value(span.startTime)
            if let end = span.endTime { json.value(end) } else { json.null() }
            if let error = span.error { json.value(texts.number(error)) } else { json.null() }
          }
        }
      }
    }
    if let undo = details.undo {
      json.key("undo")
      write(undo, of: details, before: undo.startTime, to: &json)
    }
  }

  /// Writes an attempt as an array: start, end, and the number of the failure's text or `null`.
  ///
  /// The number of its command line follows if it differs from that of the last attempt.
  private mutating func write(
    _ attempt: StepAttempt, of details: StepDetails, before end: Int64, to json: inout JSONWriter
  ) {
    json.array { json in
      json.value(attempt.startTime)
      json.value(attempt.endTime ?? max(attempt.startTime, end))
      if let failure = attempt.failure {
        json.value(texts.number(failure.message, atMost: 2000))
      } else {
        json.null()
      }
      if let line = attempt.commandLine, line != details.commandLine { json.value(texts.number(line)) }
    }
  }

  private mutating func text(
    _ name: String, _ text: String?, _ limit: Int = .max, to json: inout JSONWriter
  ) {
    guard let text, !text.isEmpty else { return }
    json.member(name, texts.number(text, atMost: limit))
  }
}

extension StepState {
  /// The letter of the state in a page's data.
  var letter: Character {
    switch self {
    case .waiting: "w"
    case .ready: "y"
    case .running: "r"
    case .succeeded: "s"
    case .failed: "f"
    case .timedOut: "t"
    case .cancelled: "c"
    case .skipped: "k"
    }
  }
}

extension StartChain.Reason {
  /// The letter of the reason in a page's data.
  fileprivate var letter: Character {
    switch self {
    case .launch: "-"
    case .after: "a"
    case .lane: "l"
    case .slot: "s"
    }
  }
}
