import AppBoot
import AppBootRecords

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
  ///   - outputs: The output of the steps from their logs, by id.
  init(of record: LaunchRecord, _ changes: PageChanges? = nil, _ outputs: [String: StepOutput] = [:]) {
    let events = record.events.map { PagePart($0.record, on: $0.name) }
    let data: JSONObject = ["parts": ([PagePart(record, changes, outputs)] + events).map(\.json)]
    var writer = JSONWriter()
    data.write(to: &writer)
    var bytes: [UInt8] = []
    for byte in writer.bytes {
      if byte == UInt8(ascii: "<") { bytes += "\\u003c".utf8 } else { bytes.append(byte) }
    }
    json = String(decoding: bytes, as: UTF8.self)
  }
}

/// A launch, or the handlers of an event, in the data of a page.
private struct PagePart {
  private let record: LaunchRecord
  private let event: String?
  private let changes: PageChanges?
  private let outputs: [String: StepOutput]
  private let path: CriticalPath
  private let locations: [SourceLocation?]
  /// The command line that runs only one step, before and after the option with the step's id; `nil` without one.
  private let runOnly: [String]?
  private static let only = "--only"
  /// The maximum number of characters of an output, a note or another text of a step that did not fail.
  private let textLimit: Int
  /// The same for a command line.
  private let lineLimit: Int
  /// The same for an error message.
  private let failureLimit: Int

  init(
    _ record: LaunchRecord, on event: String? = nil, _ changes: PageChanges? = nil,
    _ outputs: [String: StepOutput] = [:]
  ) {
    self.record = record
    self.outputs = outputs
    self.event = event
    self.changes = changes
    path = CriticalPath(of: record)
    locations = record.outline.locations()
    let manifest = record.outline.manifestName
    let words = manifest.map { " \(ShellText.word($0))" } ?? ""
    runOnly =
      event == nil && (visible(words) ?? "") == words
      ? ["\(record.header.tool?.name ?? "appboot") run ", words] : nil
    textLimit = max(60, min(1000, 250_000 / max(1, record.count)))
    lineLimit = max(40, 150_000 / max(1, record.count))
    let failures = record.reduce(0) { $0 + max(1, $1.details.attempts.count) }
    failureLimit = max(200, min(8000, 1_000_000 / max(1, failures)))
  }

  var json: JSONObject {
    [
      "name": visible(event.map { "on \($0)" } ?? "the launch"),
      "duration": record.elapsedTime,
      "budget": record.outline.budgetTime,
      "manifest": visible(record.outline.manifestName),
      // The script adds an id that needs neither quotes nor a backslash.
      "runOnly": runOnly.map { ["\($0[0])\(Self.only) ", $0[1]] },
      "base": changes.map { $0.drawsLaunch ? "launch" : "medians" },
      "chain": path.steps,
      "steps": record.map {
        plan(of: $0) + times(of: $0) + texts(of: $0) + attempts(of: $0) + change(of: $0.index)
      },
    ]
  }

  private func plan(of step: StepRecord) -> JSONObject {
    let predecessors = Array(record.outline.predecessors(of: step.index))
    let option = StepArgument.option(Self.only, [step.id])
    // No command line can be copied with hidden characters.
    let isVisible = visible(option) == option
    let line = runOnly.map { isVisible ? $0.joined(separator: option) : "" }
    return [
      "id": visible(step.id),
      "command": visible(step.step.commandName, unless: step.index > 0 ? record[0].step.commandName : nil),
      "lane": visible(step.step.lane.rawValue, unless: Lane.background.rawValue),
      "onFailure": visible(step.step.onFailure.rawValue, unless: FailurePolicy.stop.rawValue),
      "after": predecessors.isEmpty ? nil : predecessors,
      "place": visible(place(of: step)),
      "comment": visible(step.step.comment, atMost: textLimit),
      "budget": step.step.budgetTime,
      "timeout": step.step.timeoutTime,
      "runOnly": option == "\(Self.only) \(step.id)" && isVisible ? nil : line,
    ]
  }

  /// Returns the place of a step without the name of the manifest.
  private func place(of step: StepRecord) -> String? {
    guard let place = record.outline.place(of: locations[step.index]) else { return nil }
    guard let manifest = record.outline.manifestName, place.hasPrefix("\(manifest):") else { return place }
    return String(place.dropFirst(manifest.count))
  }

  private func times(of step: StepRecord) -> JSONObject {
    let state: JSONObject = [
      "state": visible(step.state.name, unless: StepState.succeeded.name),
      "title": visible(step.state.title, unless: step.state.name),
      "mark": step.state == .succeeded ? nil : StepRow.mark(of: step, ascii: false).text,
      "isAllowed": step.isAllowedFailure ? true : nil,
      "slack": path.slack(of: step.index),
    ]
    guard let start = step.execution.startTime else { return state }
    let link = path[step.index]
    let words = StartChainText(beginning: event == nil ? "the launch" : "the event")
    let isAfter = link?.reason.name == "after"
    return state + [
      "ready": max(0, start - step.execution.waitingTime),
      "start": start,
      "end": start + step.execution.runningTime,
      "cpu": step.details.processorTime,
      "killed": step.details.killTime,
      "failedAt": step.details.failureTime,
      "overran": step.details.overran ? true : nil,
      "why": visible(link.map { words.sentence($0, jobs: path.jobs, record) }),
      isAfter ? "waitedFor" : "releasedBy": link?.reason.step,
      "resource": visible(
        link?.reason.resourceText, unless: step.step.lane == .main ? "the main lane" : "a slot"),
    ]
  }

  private func texts(of step: StepRecord) -> JSONObject {
    let details = step.details
    let isFailed = step.state.isFailure
    let note = details.note.flatMap { $0.count > textLimit ? nil : $0 }
    let output = outputs[step.id]
    return [
      "cause": visible(step.state.failure.map { message(of: $0, step) }, atMost: failureLimit),
      "reason": record.reasonText(of: step.index) == nil ? nil : visible(record.stateText(of: step.index)),
      "result": visible(StepResult(step, in: record).text, atMost: max(textLimit, 200), unless: note),
      "commandLine": visible(details.commandLine, atMost: isFailed ? .max : lineLimit),
      "output": visible(output?.text) ?? visible(step.newLastOutput, atMost: isFailed ? 1000 : textLimit),
      "rest": visible(output?.rest),
      "note": visible(details.note, atMost: textLimit),
      "announcement": visible(details.announcement, atMost: textLimit),
      "reads": visible(details.reads.joined(separator: ", ")),
      "provides": visible(details.provides.joined(separator: ", ")),
      "emitted": visible(details.emitted.map(\.name).joined(separator: ", ")),
    ]
  }

  /// Returns the message of a failure and its causes. The panel of a step with a log shows the output apart from it.
  private func message(of failure: Failure, _ step: StepRecord) -> String {
    (outputs[step.id] == nil ? failure.lines : failure.linesWithoutOutput).joined(separator: "\n")
  }

  private func attempts(of step: StepRecord) -> JSONObject {
    let details = step.details
    let attempts = details.attempts.map { attempt in
      let line = attempt.commandLine.flatMap { $0 == details.commandLine ? nil : "$ \($0)\n" } ?? ""
      let message = attempt.failure.map { self.message(of: $0, step) } ?? "not failed"
      return json(of: attempt, until: step.execution.endTime ?? 0, line + message)
    }
    let spans = details.spans.map { span -> JSONObject in
      [
        "name": visible(span.name),
        "start": span.startTime,
        "end": span.endTime,
        "error": visible(span.error, atMost: failureLimit),
      ]
    }
    let isRetried = attempts.count > 1
    return [
      "ran": isRetried || step.isService ? visible(StartChainText().run(of: step.index, record)) : nil,
      "attempts": isRetried ? attempts : nil,
      "spans": spans.isEmpty ? nil : spans,
      "undo": details.undo.map { json(of: $0, until: $0.startTime, $0.failure?.message) },
    ]
  }

  private func json(of attempt: StepAttempt, until end: Int64, _ text: String?) -> JSONObject {
    [
      "start": attempt.startTime,
      "end": attempt.endTime ?? max(attempt.startTime, end),
      "isFailed": attempt.failure == nil ? nil : true,
      "text": visible(text, atMost: min(2000, failureLimit)),
    ]
  }

  private func change(of step: Int) -> JSONObject {
    guard let change = changes?.steps[step] else { return [:] }
    return [
      "isNamed": change.isHighlighted ? true : nil,
      "change": change.time,
      "baseRun": change.baseRunning,
      "baseStart": change.baseStart,
      "changed": visible(change.words),
      "effect": visible(change.effect),
    ]
  }
}

/// Returns a text without hidden characters, in which only line feeds stay; `nil` for an empty text, and for the text
/// that the script assumes.
private func visible(_ text: String?, atMost limit: Int = .max, unless usual: String? = nil) -> String? {
  guard let text, !text.isEmpty, text != usual else { return nil }
  return (text.count > limit ? "\(text.prefix(limit))…" : text)
    .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    .map { VisibleText.line(String($0)) }.joined(separator: "\n")
}
