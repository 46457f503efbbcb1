package import AppBoot
import AppBootRecords

/// A report that writes a record as JUnit XML: the launch is a test suite, and each step is a test case.
///
/// An allowed failure is a skipped case, as expected failures are in test frameworks: the launch succeeded. A failed
/// undo is an error. A launch that timed out or was cancelled has an additional failed case. The handlers of each event
/// are a further suite.
package struct JUnitReport: Sendable {
  /// Creates a report in JUnit's format.
  package init() {}

  /// Returns the record as XML. Each line ends with a line feed.
  package func text(of record: LaunchRecord) -> String { text(of: record, cases: []) }

  /// Returns the record as XML. The first case is that of a check that failed before its first launch.
  package func text(of record: LaunchRecord, check message: String) -> String {
    text(of: record, cases: [JUnitCase.check(message, of: record)])
  }

  /// Returns the record as XML. The first case is that of the check.
  package func text(of record: LaunchRecord, check: CheckSummary) -> String {
    text(of: record, cases: [JUnitCase.check(check, of: record)])
  }

  private func text(of record: LaunchRecord, cases first: [JUnitCase]) -> String {
    let record = record.withEstimatedEnd
    let launch = JUnitSuite(record, name: record.outline.name, kind: "launch", first: first)
    let handlers = record.events.map {
      JUnitSuite($0.record, name: "\(record.outline.name): on \($0.name)", kind: "run")
    }
    let suites = [launch] + handlers
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(launch.name)" \(JUnitSuite.counts(of: suites))>

      """
    for suite in suites { text += suite.text }
    return text + "</testsuites>\n"
  }
}

/// A suite of a JUnit report: a launch, or one run of an event's handlers.
private struct JUnitSuite {
  /// The suite's name, escaped for XML.
  let name: String
  private let record: LaunchRecord
  private let cases: [JUnitCase]

  init(_ record: LaunchRecord, name: String, kind: String, first: [JUnitCase] = []) {
    let locations = record.outline.locations()
    self.name = Markup.xml(name)
    self.record = record
    cases =
      first + record.map { JUnitCase.step($0, in: record, at: locations[$0.index]) }
      + [JUnitCase.ending(record, of: kind)].compactMap(\.self)
  }

  static func counts(of suites: [JUnitSuite]) -> String {
    let cases = suites.flatMap(\.cases)
    let time = suites.reduce(Int64(0)) { $0.addingClamped($1.record.elapsedTime) }
    return """
      tests="\(cases.count)" failures="\(cases.count { $0.result.isFailure })" \
      errors="\(cases.count { $0.result.isError })" skipped="\(cases.count { $0.result.isSkip })" \
      time="\(TimeNumbers.seconds(time))"
      """
  }

  var text: String {
    // JUnit's schema has no time zone; the record's time is UTC.
    let moment = Markup.xml(String(record.startedAt.prefix(19)))
    let timestamp = moment.isEmpty ? "" : " timestamp=\"\(moment)\""
    var text = "  <testsuite name=\"\(name)\" \(Self.counts(of: [self]))\(timestamp)>\n"
    text += JUnitCase.properties(Self.properties(of: record), indent: "    ")
    for item in cases { text += item.text(suite: name) }
    return text + "  </testsuite>\n"
  }

  private static func properties(of record: LaunchRecord) -> [(name: String, value: String?)] {
    // The record of a check that could not launch never began.
    guard !record.startedAt.isEmpty else { return [] }
    let (outline, budget) = (record.outline, record.outline.budgetTime)
    return [
      ("appboot.outcome", record.outcome.name),
      ("appboot.startedAt", record.startedAt),
      ("appboot.launch", outline.options.reason.rawValue),
      ("appboot.safeMode", outline.safeMode?.reason),
      ("appboot.budget", budget.map { DurationText.exact(.nanoseconds($0)) }),
      ("appboot.overBudget", budget.map { String(record.elapsedTime > $0) }),
      ("appboot.manifest", outline.manifestName),
      ("appboot.tool", record.header.toolText),
      ("appboot.host", record.header.hostText),
    ]
  }
}

/// A test case of a JUnit report.
///
/// It is a step, a check, or a launch or event handlers that timed out or were cancelled.
struct JUnitCase {
  /// The result of a test case. It is written as an element inside the case; a passed case has no element.
  enum Result {
    case passed
    case failure(type: String, message: String, text: String)
    case error(message: String)
    case skipped(message: String)

    var isFailure: Bool { if case .failure = self { true } else { false } }
    var isError: Bool { if case .error = self { true } else { false } }
    var isSkip: Bool { if case .skipped = self { true } else { false } }
  }

  let name: String
  let time: Int64
  let file: String?
  var line: Int?
  var properties: [(name: String, value: String?)] = []
  var output = ""
  let result: Result

  /// Returns the case of a step.
  static func step(_ step: StepRecord, in record: LaunchRecord, at location: SourceLocation?) -> JUnitCase {
    JUnitCase(
      name: step.id, time: step.execution.runningTime, file: location.flatMap { record.outline.file(of: $0) },
      line: location?.line, properties: properties(of: step, in: record, at: location),
      output: [step.attemptsText, step.noteText, step.details.announcement, step.newLastOutput]
        .compactMap(\.self).joined(separator: "\n"),
      result: result(of: step, in: record))
  }

  /// Returns the case of a launch or of event handlers that timed out or were cancelled; `nil` for other outcomes.
  ///
  /// - Parameter kind: The word for the record in the case's name and message, `launch` or `run`.
  static func ending(_ record: LaunchRecord, of kind: String) -> JUnitCase? {
    switch record.outcome {
    case .running, .succeeded, .failed: return nil
    case .timedOut, .cancelled: break
    }
    let message = OutcomeText(record).reason(subject: "the \(kind)") ?? ""
    let place = record.interrupted.first.flatMap { record.outline.locations()[$0.index] }
    return JUnitCase(
      name: "(\(kind))", time: record.elapsedTime, file: record.outline.manifestName, line: place?.line,
      result: .failure(type: record.outcome.name, message: message, text: message))
  }

  /// Returns the case of a check that failed before its first launch.
  static func check(_ message: String, of record: LaunchRecord) -> JUnitCase {
    JUnitCase(
      name: "(check)", time: record.elapsedTime, file: record.outline.manifestName,
      result: .failure(type: "check", message: message, text: message))
  }

  /// Returns the case of a check, with its verdict, its reason, the comparison with the baseline, and the warnings.
  static func check(_ check: CheckSummary, of record: LaunchRecord) -> JUnitCase {
    let rows = check.rows.prefix(50).map(\.line)
    let text = ([check.line] + rows).joined(separator: "\n")
    return JUnitCase(
      name: "(check)", time: record.elapsedTime, file: record.outline.manifestName,
      properties: [
        ("appboot.verdict", check.verdict.rawValue), ("appboot.launches", String(check.tally.launches)),
        ("appboot.failedLaunches", String(check.tally.failedLaunches)),
      ],
      output: ((check.isFailure ? [] : [text]) + check.warnings.map(\.message)).joined(separator: "\n"),
      result: check.isFailure
        ? .failure(type: "check", message: check.line, text: text)
        : check.verdict == .inconclusive ? .skipped(message: check.line) : .passed)
  }

  private static func result(of step: StepRecord, in record: LaunchRecord) -> Result {
    switch step.state {
    case .succeeded:
      guard let undo = step.details.undo, undo.failure != nil || undo.endTime == nil else { return .passed }
      guard undo.failure != nil else { return .error(message: StepResult.undone(undo)) }
      return .error(message: FailureText(undo: FailureGroup(steps: [step])).text)
    case .failed(let failure), .timedOut(let failure):
      guard !step.isAllowedFailure else {
        return .skipped(message: "\(FailureText.verb(of: step)): \(failure.description)")
      }
      let causes = failure.causes.map { "caused by: \($0)\n" }.joined()
      let type = failure.type.isEmpty ? step.state.name : failure.type
      return .failure(type: type, message: failure.message, text: "\(failure.message)\n\(causes)")
    case .skipped, .cancelled:
      return .skipped(message: record.stateText(of: step.index))
    case .waiting, .ready: return .skipped(message: "the step never started")
    case .running where record.header.isLive: return .skipped(message: "the step is still running")
    case .running: return .error(message: "the step was running at the end of the record")
    }
  }

  private static func properties(
    of step: StepRecord, in record: LaunchRecord, at location: SourceLocation?
  ) -> [(name: String, value: String?)] {
    let attempts = step.details.attempts.count
    return [
      ("appboot.command", step.step.commandName),
      ("appboot.lane", step.step.lane.rawValue),
      ("appboot.place", record.outline.place(of: location)),
      ("appboot.budget", step.step.budgetTime.map { DurationText.exact(.nanoseconds($0)) }),
      ("appboot.overBudget", step.step.budgetTime.map { _ in String(step.isOverBudget) }),
      (
        "appboot.waiting",
        step.execution.startTime.map { _ in TimeNumbers.seconds(step.execution.waitingTime) }
      ),
      ("appboot.attempts", attempts > 1 ? String(attempts) : nil),
    ]
  }

  // MARK: - Writing

  /// Returns the case as an XML element.
  ///
  /// - Parameter suite: The name of the case's suite, escaped for XML.
  func text(suite: String) -> String {
    var attributes =
      "classname=\"\(suite)\" name=\"\(Markup.xml(name))\" time=\"\(TimeNumbers.seconds(time))\""
    if let file { attributes += " file=\"\(Markup.xml(file))\"" }
    if let line { attributes += " line=\"\(line)\"" }
    var text = "    <testcase \(attributes)>\n"
    text += Self.properties(properties, indent: "      ")
    switch result {
    case .passed: break
    case .failure(let type, let message, let body):
      text += "      <failure type=\"\(Markup.xml(type))\" message=\"\(Markup.xml(message))\">"
      text += "\(Markup.xml(body))</failure>\n"
    case .error(let message): text += "      <error message=\"\(Markup.xml(message))\"/>\n"
    case .skipped(let message): text += "      <skipped message=\"\(Markup.xml(message))\"/>\n"
    }
    if !output.isEmpty { text += "      <system-out>\(Markup.xml(output))</system-out>\n" }
    return text + "    </testcase>\n"
  }

  /// Returns properties as an XML element. Those without a value are left out.
  static func properties(_ properties: [(name: String, value: String?)], indent: String) -> String {
    let lines = properties.compactMap { name, value in
      value.map { "\(indent)  <property name=\"\(name)\" value=\"\(Markup.xml($0))\"/>\n" }
    }
    return lines.isEmpty ? "" : "\(indent)<properties>\n\(lines.joined())\(indent)</properties>\n"
  }
}
