import AppBoot
import AppBootRecords
import AppBootAnalysis

/// The data of a page as JSON, which the page's script draws.
///
/// Each step is an object with its times in nanoseconds and its texts. What takes words to say is a sentence already.
/// A step leaves out the usual values, and those that the script can take from other members.
struct PageData {
  /// The JSON without the character `<`, so that it cannot end the script element around it.
  let json: String

  /// Creates the data of a launch.
  ///
  /// - Parameters:
  ///   - record: The launch, with its event handlers.
  ///   - changes: The differences from a base launch; `nil` without a base.
  init(of record: StartupRecord, _ changes: PageChanges? = nil) {
    var writer = JSONWriter()
    writer.object { json in
      json.key("parts")
      json.array { json in
        PagePart(record, changes).write(to: &json)
        for event in record.events { PagePart(event.record, on: event.name).write(to: &json) }
      }
    }
    var bytes: [UInt8] = []
    for byte in writer.bytes {
      if byte == UInt8(ascii: "<") { bytes += "\\u003c".utf8 } else { bytes.append(byte) }
    }
    json = String(decoding: bytes, as: UTF8.self)
  }
}

/// A launch, or the handlers of an event, in the data of a page.
private struct PagePart {
  private let record: StartupRecord
  private let event: String?
  private let changes: PageChanges?
  private let path: CriticalPath
  private let reasons: StartReasons
  private let locations: [SourceLocation?]
  /// The command line that runs only one step, before and after the step's id; `nil` without one.
  private let runOnly: [String]?
  /// The maximum number of characters of an output, a note or another text of a step that did not fail.
  private let textLimit: Int
  /// The same for a command line.
  private let lineLimit: Int
  /// The same for an error message.
  private let failureLimit: Int

  init(_ record: StartupRecord, on event: String? = nil, _ changes: PageChanges? = nil) {
    self.record = record
    self.event = event
    self.changes = changes
    path = CriticalPath(of: record)
    reasons = StartReasons(of: record)
    locations = record.outline.locations()
    let manifest = record.outline.manifestName
    let words = manifest.map { " \(ShellText.word($0))" } ?? ""
    runOnly =
      event == nil && JSONWriter.visible(words) == words
      ? ["\(record.header.tool?.name ?? "appboot") run --only ", words] : nil
    textLimit = max(60, min(1000, 250_000 / max(1, record.count)))
    lineLimit = max(40, 150_000 / max(1, record.count))
    let failures = record.reduce(0) { $0 + max(1, $1.details.attempts.count) }
    failureLimit = max(200, min(8000, 1_000_000 / max(1, failures)))
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.text("name", event.map { "on \($0)" } ?? "the launch")
      json.member("duration", record.elapsedTime)
      json.time("budget", record.outline.budgetTime)
      json.text("manifest", record.outline.manifestName)
      if let runOnly {
        json.key("runOnly")
        json.array { json in for part in runOnly { json.value(part) } }
      }
      if let changes { json.member("base", changes.baseStart == nil ? "medians" : "launch") }
      json.key("chain")
      let chain = path.steps.last.flatMap { StartChain(reasons, to: $0) }?.links.reversed() ?? []
      json.array { json in for link in chain { json.value(link.step) } }
      json.key("steps")
      json.array { json in
        for step in record {
          json.object { json in
            writePlan(of: step, to: &json)
            writeTimes(of: step, to: &json)
            writeTexts(of: step, to: &json)
            writeAttempts(of: step, to: &json)
            if let changes { write(changes, of: step.index, to: &json) }
          }
        }
      }
    }
  }

  private func writePlan(of step: StepRecord, to json: inout JSONWriter) {
    json.text("id", step.id)
    json.text("command", step.step.commandName, unless: step.index > 0 ? record[0].step.commandName : nil)
    json.text("lane", step.step.lane.rawValue, unless: Lane.background.rawValue)
    json.text("onFailure", step.step.onFailure.rawValue, unless: FailurePolicy.stop.rawValue)
    let predecessors = record.outline.predecessors(of: step.index)
    if !predecessors.isEmpty {
      json.key("after")
      json.array { json in for other in predecessors { json.value(other) } }
    }
    json.text("place", place(of: step))
    json.text("comment", step.step.comment, atMost: textLimit)
    json.time("budget", step.step.budgetTime)
    json.time("timeout", step.step.timeoutTime)
    let word = ShellText.word(step.id)
    // No command line can be copied with hidden characters.
    let isVisible = JSONWriter.visible(word) == word
    if let runOnly, word != step.id || !isVisible {
      json.member("runOnly", isVisible ? runOnly.joined(separator: word) : "")
    }
  }

  /// Returns the place of a step without the name of the manifest.
  private func place(of step: StepRecord) -> String? {
    guard let place = record.outline.place(of: locations[step.index]) else { return nil }
    guard let manifest = record.outline.manifestName, place.hasPrefix("\(manifest):") else { return place }
    return String(place.dropFirst(manifest.count))
  }

  private func writeTimes(of step: StepRecord, to json: inout JSONWriter) {
    json.text("state", step.state.name, unless: StepState.succeeded.name)
    json.text("title", step.state.title, unless: step.state.name)
    if step.state != .succeeded { json.member("mark", StepRow.mark(of: step, ascii: false).text) }
    if step.isAllowedFailure { json.member("isAllowed", true) }
    json.time("slack", path.slack(of: step.index))
    guard let start = step.execution.startTime else { return }
    json.member("ready", max(0, start - step.execution.waitingTime))
    json.member("start", start)
    json.member("end", start + step.execution.runningTime)
    json.time("cpu", step.details.processorTime)
    json.time("killed", step.details.killTime)
    json.time("failedAt", step.details.failureTime)
    if step.details.overran { json.member("overran", true) }
    guard let link = reasons[step.index] else { return }
    let words = StartChainText(beginning: event == nil ? "the launch" : "the event")
    json.text("why", words.sentence(link, jobs: reasons.jobs, record))
    if let other = link.reason.step {
      json.member(link.reason.name == "after" ? "waitedFor" : "releasedBy", other)
    }
  }

  private func writeTexts(of step: StepRecord, to json: inout JSONWriter) {
    let details = step.details
    let isFailed = step.state.isFailure
    if let failure = step.state.failure {
      json.text("cause", failure.lines.joined(separator: "\n"), atMost: failureLimit)
    }
    if record.reasonText(of: step.index) != nil { json.text("reason", record.stateText(of: step.index)) }
    let note = details.note.flatMap { $0.count > textLimit ? nil : $0 }
    json.text("result", StepResult(step, in: record).text, atMost: max(textLimit, 200), unless: note)
    json.text("commandLine", details.commandLine, atMost: isFailed ? .max : lineLimit)
    json.text("output", step.newLastOutput, atMost: isFailed ? 1000 : textLimit)
    json.text("note", details.note, atMost: textLimit)
    json.text("announcement", details.announcement, atMost: textLimit)
    json.text("reads", details.reads.joined(separator: ", "))
    json.text("provides", details.provides.joined(separator: ", "))
    json.text("emitted", details.emitted.map(\.name).joined(separator: ", "))
  }

  private func writeAttempts(of step: StepRecord, to json: inout JSONWriter) {
    let details = step.details
    if details.attempts.count > 1 {
      json.text("ran", StartChainText().run(of: step.index, record))
      json.key("attempts")
      json.array { json in
        for attempt in details.attempts {
          let line = attempt.commandLine.flatMap { $0 == details.commandLine ? nil : "$ \($0)\n" } ?? ""
          let message = attempt.failure?.message ?? "not failed"
          write(attempt, until: step.execution.endTime ?? 0, text: line + message, to: &json)
        }
      }
    }
    if !details.spans.isEmpty {
      json.key("spans")
      json.array { json in
        for span in details.spans {
          json.object { json in
            json.text("name", span.name)
            json.member("start", span.startTime)
            json.time("end", span.endTime)
            json.text("error", span.error, atMost: failureLimit)
          }
        }
      }
    }
    if let undo = details.undo {
      json.key("undo")
      write(undo, until: undo.startTime, text: undo.failure?.message, to: &json)
    }
  }

  private func write(_ attempt: StepAttempt, until end: Int64, text: String?, to json: inout JSONWriter) {
    json.object { json in
      json.member("start", attempt.startTime)
      json.member("end", attempt.endTime ?? max(attempt.startTime, end))
      if attempt.failure != nil { json.member("isFailed", true) }
      json.text("text", text, atMost: min(2000, failureLimit))
    }
  }

  private func write(_ changes: PageChanges, of step: Int, to json: inout JSONWriter) {
    json.time("change", changes.change[step])
    json.time("baseRun", changes.baseRunning[step])
    json.time("baseStart", changes.baseStart?[step])
    json.text("changed", changes.words[step])
    json.text("effect", changes.gain[step])
  }
}

extension JSONWriter {
  /// Writes a text in the form for people. Leaves out an empty text, and the text that the script assumes.
  fileprivate mutating func text(
    _ name: String, _ text: String?, atMost limit: Int = .max, unless usual: String? = nil
  ) {
    guard let text, !text.isEmpty, text != usual else { return }
    member(name, Self.visible(text.count > limit ? "\(text.prefix(limit))…" : text))
  }

  fileprivate mutating func time(_ name: String, _ time: Int64?) {
    if let time { member(name, time) }
  }

  /// Returns a text without hidden characters. Only line feeds stay.
  fileprivate static func visible(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { VisibleText.line(String($0)) }.joined(separator: "\n")
  }
}
