package import AppBoot
import AppBootRecords

extension StepState {
  /// The state in one or two words, for example `timed out`.
  var title: String {
    switch self {
    case .timedOut: "timed out"
    case .waiting, .ready, .running, .succeeded, .failed, .cancelled, .skipped: name
    }
  }

  /// The state as a verb in the past tense, for example `was skipped`.
  var verb: String {
    switch self {
    case .waiting, .ready: "never started"
    case .running: "did not finish"
    case .succeeded, .failed, .timedOut: title
    case .cancelled, .skipped: "was \(name)"
    }
  }
}

extension StepRecord {
  /// True if the step failed and the manifest allows its failure.
  package var isAllowedFailure: Bool { state.isFailure && step.onFailure == .continue }

  /// The running time, for example `at least 4.3 ms` for a step that was running at the end of its record.
  var lastedText: String { lasted(TimeNumbers.brief) }

  private func lasted(_ time: (Int64) -> String) -> String {
    (state == .running ? "at least " : "") + time(execution.runningTime)
  }

  /// True if the step starts a process that keeps running: its running time is that until the process was ready.
  var isService: Bool { details.failureTime != nil || step.commandName == "RunService" }

  /// The time that the step ran, for example `ran 6.0 ms`, or `was ready after 203 ms` for a service.
  func ranText(_ time: (Int64) -> String = TimeNumbers.brief) -> String {
    (isService && state != .running ? "was ready after " : "ran ")
      + lasted(time)
  }

  /// The last line of output; `nil` without output, or if the error message of an attempt contains it.
  var newLastOutput: String? {
    let failures = [state.failure] + details.attempts.map(\.failure)
    return details.lastOutput.map { VisibleText.lastDrawn($0) }.flatMap { output in
      failures.contains { $0?.contains(output: output) == true } ? nil : output
    }
  }

  /// The note of the step. That of a service that failed later has the time of the failure.
  var noteText: String? { details.note.map { $0 + failureMoment } }

  /// The words for a process that did not stop in time, for example `killed 2.00 s after the stop signal`; `nil` for
  /// others.
  var killText: String? {
    details.killTime.map { "killed \(TimeNumbers.brief($0)) after the stop signal" }
  }

  /// The moment at which a service that had been ready failed, for example ` at 732 ms`; empty for other steps.
  var failureMoment: String { details.failureTime.map { " at \(TimeNumbers.brief($0))" } ?? "" }

  /// The words for a step that succeeded after a retry, for example `2 attempts; the first failed: no lock`; `nil` for
  /// a step with one attempt.
  var attemptsText: String? {
    guard details.attempts.count > 1 else { return nil }
    let failure = state == .succeeded ? details.attempts.first?.failure : nil
    return "\(details.attempts.count) attempts"
      + (failure.map { "; the first failed: \($0.lastOutput.prefix(200))" } ?? "")
  }

  /// The cause of the step's failure as one line, for tables; `nil` if the step did not fail.
  ///
  /// It is the deepest error. Without causes, it is the last line of output if the error message contains it, and
  /// otherwise the first line of the message. For a service that failed after it had been ready, it is the last line of
  /// output in the message.
  package var cause: String? {
    guard let failure = state.failure else { return nil }
    // A service that had been ready may have printed more since the record's last line, which is no cause.
    if details.failureTime != nil, failure.causes.isEmpty, failure.lastOutput == details.lastOutput {
      return failure.linesWithoutOutput[0]
    }
    if !failure.causes.isEmpty || details.failureTime != nil { return failure.cause }
    guard let output = details.lastOutput else { return failure.firstLine }
    // The last line can be empty or only end a colour.
    if let line = failure.lineBeforeTrace { return line }
    return Failure.isTelling(output) && failure.contains(output: output) ? output : failure.lastOutput
  }
}

/// The words for a failed step, or for several with the same error, which several reports share.
struct FailureText {
  /// The words before the last line that the command printed.
  static let lastOutput = "last output:"
  /// The words before the ids of other steps with the same error.
  static let sameError = "same error:"

  /// The steps and the kind of their failure, for example `Sync timed out (allowed)`.
  let title: String
  /// The error message, then a line for each cause, then the last line of output.
  let message: [String]
  /// The command line of the step's process, if there is one, and then the message.
  let lines: [String]
  /// The line with the steps that the title only counts, for example `same error: b, c and 17 more`; empty for none.
  let others: [String]

  /// Creates the words for failed steps with the same error.
  ///
  /// - Parameters:
  ///   - event: The event whose handlers contain the steps; `nil` for steps of the launch.
  ///   - mark: A function that returns a text of the record, for example an id, in the report's markup.
  init(_ group: FailureGroup, on event: EventRecord? = nil, mark: (String) -> String = { $0 }) {
    let step = group.first
    let place = event.map { " on \(mark($0.name))" } ?? ""
    let moment = group.steps.count == 1 ? step.failureMoment : ""
    title = "\(group.subject(mark: mark))\(place) \(Self.verb(of: step))\(moment)"
    let failure = step.state.failure
    message =
      (failure?.lines ?? [""])
      + (step.newLastOutput.map { ["\(Self.lastOutput) \($0)"] } ?? [])
    lines = (group.hasOneCommandLine ? Self.commandLine(of: step).map { [$0] } ?? [] : []) + message
    others = group.others.map { ["\(Self.sameError) \($0)"] } ?? []
  }

  /// Creates the words for failed undos with the same error.
  init(undo group: FailureGroup, mark: (String) -> String = { $0 }) {
    let undo = group.first.details.undo
    title = Self.undo(of: group, mark: mark)
    message = undo?.failure?.lines ?? [""]
    lines = (undo?.commandLine.map { [Self.prompt($0)] } ?? []) + message
    others = group.others.map { ["\(Self.sameError) \($0)"] } ?? []
  }

  /// The title, the message and the other steps, for example `Sync failed: no network` or `Sync timed out after 3s`.
  var text: String {
    let text = (message + others).joined(separator: "\n")
    let verb = "timed out"
    guard title.hasSuffix(verb), text.hasPrefix("\(verb) ") else { return "\(title): \(text)" }
    return title + text.dropFirst(verb.count)
  }

  /// Returns the command line of a failed step's process for one line; `nil` if there is none, or if the error message
  /// already names the whole command.
  static func commandLine(of step: StepRecord) -> String? {
    guard let line = step.details.commandLine else { return nil }
    return step.state.failure?.message.hasPrefix("\"\(line)\" ") == true ? nil : prompt(line)
  }

  /// Returns the first line of a command line after the prompt of a shell, for example `$ sh -c 'set -e …'`.
  static func prompt(_ commandLine: String) -> String {
    let lines = commandLine.split(maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.count > 1 else { return "$ \(commandLine)" }
    // Words are in single quotes only, and a line feed is always in quotes.
    return "$ \(lines[0]) …'"
  }

  /// Returns the kind of the step's failure, for example `timed out (allowed)`.
  static func verb(of step: StepRecord) -> String {
    step.state.verb + (step.isAllowedFailure ? " (allowed)" : "")
  }

  /// Returns the words for a failed undo, for example `the undo of Sync failed`.
  static func undo(of group: FailureGroup, mark: (String) -> String = { $0 }) -> String {
    "the undo of \(group.subject(mark: mark)) failed"
  }
}

/// The result of a step as one line for tables.
package struct StepResult {
  let text: String

  init(_ step: StepRecord, in record: LaunchRecord) {
    let words = Self.words(for: step, in: record)
    // The last answer of a probe is in its failure too.
    let note = step.noteText.flatMap { words?.contains($0) == true ? nil : $0 }
    let parts: [String?] = [
      step.isOverBudget ? step.step.budgetTime.map(BudgetText.over) : nil, step.attemptsText,
      step.isAllowedFailure ? "allowed to fail" : nil, step.details.undo.map(Self.undone), words, note,
      step.state == .succeeded ? nil : step.killText,
    ]
    text = parts.compactMap(\.self).joined(separator: "; ")
  }

  /// Returns the result of an undo, for example `undone` or `undo failed: no such table`.
  package static func undone(_ undo: StepAttempt) -> String {
    guard undo.endTime != nil else { return "the undo did not finish" }
    return undo.failure.map { "undo failed: \($0.cause)" } ?? "undone"
  }

  private static func words(for step: StepRecord, in record: LaunchRecord) -> String? {
    switch step.state {
    case .waiting, .ready, .running: step.state.name
    case .succeeded: nil
    case .failed, .timedOut: step.cause
    case .cancelled, .skipped: record.stateText(of: step.index)
    }
  }
}

extension LaunchRecord {
  /// Returns a step's state and its reason if there is one, for example `skipped: "Database" did not succeed`.
  func stateText(of step: Int) -> String {
    self[step].state.title + (reasonText(of: step).map { ": \($0)" } ?? "")
  }
}

extension Failure {
  /// The maximum number of columns of the last line of output, which may be very long.
  static let outputColumns = 400

  /// Returns whether the error message contains a line of output. Of a long line, the message has only the end.
  func contains(output line: String) -> Bool {
    let lines = message.split(whereSeparator: \.isNewline)
    if line.unicodeScalars.count == LaunchRecord.longestOutput, line.hasSuffix("…") {
      // The record has the beginning of a long line, and the message its end.
      let part = line.dropLast().suffix(Self.outputColumns)
      return lines.contains { $0.contains(part) }
    }
    let end = line.suffix(Self.outputColumns)
    return lines.contains { $0.hasSuffix(end) }
  }

  /// Returns whether a line has more than blanks and colours.
  fileprivate static func isVisible(_ line: some StringProtocol) -> Bool {
    VisibleText.withoutColors(String(line)).contains { !$0.isWhitespace }
  }

  /// The line before the last stack trace in the output that the error message contains, as of Node.js and Java; `nil`
  /// without a stack trace.
  fileprivate var lineBeforeTrace: String? {
    let lines = message.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
    let isFrame = lines.map { $0.wholeMatch(of: /at \S.*(\(.*\)|:\d+)( \{)?/) != nil }
    let first = lines.indices.dropFirst(2).last {
      isFrame[$0] && !isFrame[$0 - 1] && !lines[$0 - 1].hasSuffix(":")
    }
    // Node.js lists the modules that required a missing one, and says where an event was emitted.
    let line = first.flatMap { lines[1..<$0].last { !$0.hasPrefix("- ") && !$0.hasSuffix(":") } }
    return line.map { String($0) }
  }

  /// Returns whether a line can name a cause: it has a letter or a digit beside its escape sequences, and is no advice
  /// that a runtime prints after an error.
  fileprivate static func isTelling(_ line: some StringProtocol) -> Bool {
    let escapes = /\u{1B}(\[[0-?]*[ -\/]*[@-~]|\][^\u{07}\u{1B}]*(\u{07}|\u{1B}\\)|[()][A-Z0-9])/
    let text = String(line).replacing(escapes, with: "").drop(while: \.isWhitespace)
    let advice = ["Node.js v", "(Use `node ", "note: run with `RUST_BACKTRACE"]
    return text.contains { $0.isLetter || $0.isNumber } && !advice.contains(where: text.hasPrefix)
  }

  /// The last line of the output that the error message contains, which is indented, or the line before a stack trace.
  /// Without output, the first line.
  var lastOutput: String {
    if let line = lineBeforeTrace { return line }
    let lines = message.split(whereSeparator: \.isNewline).dropFirst()
      .filter { $0.first?.isWhitespace == true && Self.isVisible($0) }
    let output = lines.last(where: Self.isTelling) ?? lines.last
    return output.map { String($0.drop(while: \.isWhitespace)) } ?? firstLine
  }

  /// The deepest error as one line; without causes, ``lastOutput``.
  package var cause: String { causes.last.map { Failure(message: $0, type: "").firstLine } ?? lastOutput }

  /// The error message, then a line for each cause.
  var lines: [String] { [message] + causes.map { "caused by: \($0)" } }

  /// ``lines`` without the output of the process, which follows a line that ends with `output:`.
  var linesWithoutOutput: [String] {
    let first = message.prefix { !$0.isNewline }
    guard first.hasSuffix("output:"), let end = first.ranges(of: ", after ").last else { return lines }
    return [String(first[..<end.lowerBound])] + lines.dropFirst()
  }

  /// The first line of the error message, for tables.
  package var firstLine: String {
    let lines = message.split(maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    let first = lines.first.map(String.init) ?? ""
    return lines.count > 1 && first.hasSuffix(":") ? String(first.dropLast()) : first
  }
}

/// A counter of a record's steps by state.
package struct StateCounts {
  private static let allowed = "allowed failure"
  private static let names = ["succeeded", "failed", allowed, "skipped", "cancelled", "unfinished"]

  private let counts: [String: Int]
  /// The number of skipped steps that a command-line option excluded.
  private let leftOut: Int
  private let count: Int

  package init(_ record: LaunchRecord) {
    count = record.count
    leftOut = record.count(where: \.state.isLeftOut)
    counts = Dictionary(record.map { (Self.name(of: $0), 1) }, uniquingKeysWith: +)
  }

  private static func name(of step: StepRecord) -> String {
    switch step.state {
    case .succeeded, .skipped, .cancelled: step.state.name
    case .failed, .timedOut: step.isAllowedFailure ? allowed : "failed"
    case .waiting, .ready, .running: "unfinished"
    }
  }

  private func number(_ name: String) -> Int { counts[name] ?? 0 }

  /// The number of steps that have ended, and of all steps: `2/5`.
  package var progress: String { "\(count - number("unfinished"))/\(count)" }

  /// The number of all steps and of those in each state, for example `8 steps: 2 succeeded, 1 failed, 5 skipped`.
  var text: String { count == 0 ? steps : "\(steps): \(parts)" }

  /// The number of steps for a verdict, for example `3 steps` or `2 of 5 steps, 1 skipped, 1 left out`.
  ///
  /// It does not mention failures, because the verdict names them. Allowed ones are ``allowedFailures``.
  var summary: String {
    let succeeded = number("succeeded")
    let done = succeeded == count ? steps : "\(succeeded) of \(steps)"
    return done + Self.exceptions(skipped: number("skipped") - leftOut, leftOut: leftOut)
  }

  /// Returns the number of steps that do not run, for example `, 1 skipped, 2 left out`; empty if all run.
  package static func exceptions(skipped: Int, leftOut: Int) -> String {
    (skipped > 0 ? ", \(skipped) skipped" : "") + (leftOut > 0 ? ", \(leftOut) left out" : "")
  }

  /// The number of steps by state, for example `2 succeeded, 1 failed, 5 skipped`; `none` without steps.
  var parts: String {
    let parts = Self.names.compactMap(words)
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  /// The number of allowed failures, for example `2 allowed failures`; `nil` without them.
  var allowedFailures: String? { words(Self.allowed) }

  private func words(_ name: String) -> String? {
    let count = number(name)
    return count == 0 ? nil : "\(count) \(name)\(name == Self.allowed && count > 1 ? "s" : "")"
  }

  private var steps: String { count == 1 ? "1 step" : "\(count) steps" }
}
