import AppBootAnalysis
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
  package func text(of record: StartupRecord) -> String { text(of: record, cases: []) }

  /// Returns the record as XML. The first case is that of a check that failed before its first launch.
  package func text(of record: StartupRecord, check message: String) -> String {
    text(of: record, cases: [JUnitCase(check: message, of: record)])
  }

  /// Returns the record as XML. The first case is that of the check.
  package func text(of record: StartupRecord, check: CheckSummary) -> String {
    text(of: record, cases: [JUnitCase(check, of: record)])
  }

  private func text(of record: StartupRecord, cases first: [JUnitCase]) -> String {
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
  private let record: StartupRecord
  private let cases: [JUnitCase]

  init(_ record: StartupRecord, name: String, kind: String, first: [JUnitCase] = []) {
    let locations = record.outline.locations()
    self.name = Markup.xml(name)
    self.record = record
    cases =
      first + record.map { JUnitCase($0, in: record, at: locations[$0.index]) }
      + [JUnitCase(ending: record, of: kind)].compactMap(\.self)
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

  private static func properties(of record: StartupRecord) -> [(String, String)] {
    // The record of a check that could not launch never began.
    guard !record.startedAt.isEmpty else { return [] }
    var properties = [
      ("appboot.outcome", record.outcome.name), ("appboot.startedAt", record.startedAt),
      ("appboot.launch", record.outline.options.reason.rawValue),
    ]
    if let safeMode = record.outline.safeMode { properties.append(("appboot.safeMode", safeMode.reason)) }
    if let budget = record.outline.budgetTime {
      properties.append(("appboot.budget", DurationText.exact(.nanoseconds(budget))))
      properties.append(("appboot.overBudget", String(record.elapsedTime > budget)))
    }
    if let manifest = record.outline.manifestName { properties.append(("appboot.manifest", manifest)) }
    if let tool = record.header.tool { properties.append(("appboot.tool", "\(tool.name) \(tool.version)")) }
    if let host = record.header.host {
      properties.append(("appboot.host", "\(host.system) \(host.architecture), \(host.cores) cores"))
    }
    return properties
  }
}
