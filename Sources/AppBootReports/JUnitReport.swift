public import AppBoot

/// A record as JUnit XML: the launch is a suite, each step a case.
///
/// A failure that the manifest allows is a skipped case, as an expected failure is elsewhere: the launch
/// booted. A launch that ran out of time or was cancelled has a failed case of its own.
public struct JUnitReport: Sendable {
  /// Creates a report.
  public init() {}

  /// The record as XML; lines end with a line feed.
  public func text(of record: StartupRecord) -> String { text(of: record, cases: []) }

  /// The record as XML with a case for a check, which failed where there is a message.
  package func text(of record: StartupRecord, check message: String?) -> String {
    text(of: record, cases: [JUnitCase(check: message, of: record)])
  }

  private func text(of record: StartupRecord, cases more: [JUnitCase]) -> String {
    let locations = record.plan.locations()
    var cases = record.map { JUnitCase($0, in: record, at: locations[$0.index]) }
    if let launch = JUnitCase(launch: record) { cases.append(launch) }
    cases += more
    let counts = """
      tests="\(cases.count)" failures="\(cases.count { $0.result.isFailure })" \
      errors="\(cases.count { $0.result.isError })" skipped="\(cases.count { $0.result.isSkip })" \
      time="\(TimeNumbers.seconds(record.duration))"
      """
    let name = Markup.xml(record.plan.name)
    // The schema of JUnit wants a time without a zone; the record's is UTC.
    let moment = Markup.xml(String(record.startedAt.prefix(19)))
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(name)" \(counts)>
        <testsuite name="\(name)" \(counts) timestamp="\(moment)">

      """
    text += JUnitCase.properties(Self.properties(of: record), indent: "    ")
    for item in cases { text += item.text(suite: name) }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private static func properties(of record: StartupRecord) -> [(String, String)] {
    var properties = [
      ("appboot.outcome", record.outcome.name), ("appboot.startedAt", record.startedAt),
      ("appboot.launch", record.plan.options.reason.rawValue),
    ]
    if let budget = record.plan.budget {
      properties.append(("appboot.budget", DurationText.exact(.nanoseconds(budget))))
      properties.append(("appboot.overBudget", String(record.duration > budget)))
    }
    if let manifest = record.plan.manifestName { properties.append(("appboot.manifest", manifest)) }
    if let tool = record.header.tool { properties.append(("appboot.tool", "\(tool.name) \(tool.version)")) }
    if let host = record.header.host {
      properties.append(("appboot.host", "\(host.system) \(host.architecture), \(host.cores) cores"))
    }
    return properties
  }
}
