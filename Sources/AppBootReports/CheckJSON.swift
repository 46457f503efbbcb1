package import AppBoot

/// A report that writes a check's result as JSON, for programs. `Docs/ci.md` explains its members.
package struct CheckJSON {
  private let check: CheckSummary

  package init(_ check: CheckSummary) { self.check = check }

  /// Returns the JSON of a check. The text ends with a line feed.
  ///
  /// - Parameters:
  ///   - records: All launches of the check.
  ///   - exitCode: The exit code of the tool.
  package func text(of records: [StartupRecord], exitCode: Int32) -> String {
    var writer = JSONWriter(pretty: true)
    writer.object { writer in
      writer.member("format", "appboot-check")
      writer.member("version", 1)
      writer.member("name", records.last?.outline.name ?? "")
      writer.member("verdict", check.verdict.rawValue)
      writer.member("exitCode", exitCode)
      writer.member("reason", check.reason)
      writer.member("launches", check.tally.launches)
      writer.member("failedLaunches", check.tally.failedLaunches)
      let durations = records.filter(\.succeeded).map(\.elapsedTime)
      if !durations.isEmpty { writer.member("duration", durations.median) }
      if let budget = records.last?.outline.budgetTime { writer.member("budget", budget) }
      write("findings", check.findings, to: &writer)
      write("warnings", check.warnings, to: &writer)
      writer.key("steps")
      writer.array { writer in
        for index in check.tally.steps.indices { write(index, records, to: &writer) }
      }
      if !check.isFailure, let shown = records.last { LeverText.write(of: shown, to: &writer) }
      if let comparison = check.comparison {
        writer.key("comparison")
        writer.object { ComparisonJSON().write(comparison, to: &$0) }
      }
    }
    writer.endLine()
    return writer.text
  }

  private func write(_ key: String, _ findings: [CheckFinding], to writer: inout JSONWriter) {
    writer.key(key)
    writer.array { writer in
      for finding in findings {
        writer.object { writer in
          if let step = finding.step { writer.member("step", step) }
          writer.member("message", finding.message)
        }
      }
    }
  }

  private func write(_ index: Int, _ records: [StartupRecord], to writer: inout JSONWriter) {
    let step = check.tally.steps[index]
    let times = records.filter { $0.count > index && $0[index].state == .succeeded }
      .map { $0[index].execution.runningTime }
    writer.object { writer in
      writer.member("id", step.id)
      writer.member("launches", step.launches)
      writer.member("failures", step.failures)
      writer.member("allowedFailures", step.allowedFailures)
      writer.member("retried", step.retried)
      if !times.isEmpty { writer.member("running", times.median) }
      if let outline = records.last?.outline, outline.count > index, let budget = outline[index].budgetTime {
        writer.member("budget", budget)
      }
    }
  }
}
