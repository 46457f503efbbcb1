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
    let durations = records.filter(\.succeeded).map(\.elapsedTime)
    let outline = records.last?.outline
    let json: JSONObject = [
      "format": "appboot-check",
      "version": 1,
      "name": outline?.name ?? "",
      "verdict": check.verdict.rawValue,
      "exitCode": Int(exitCode),
      "reason": check.reason,
      "launches": check.tally.launches,
      "failedLaunches": check.tally.failedLaunches,
      "duration": durations.isEmpty ? nil : durations.median,
      "budget": outline?.budgetTime,
      "findings": check.findings.map(\.json),
      "warnings": check.warnings.map(\.json),
      "steps": check.tally.steps.indices.map { step($0, of: records) },
      "levers": check.isFailure ? nil : records.last.flatMap(LeverText.init)?.json,
      "comparison": check.comparison?.json,
    ]
    return json.text(pretty: true)
  }

  private func step(_ index: Int, of records: [StartupRecord]) -> JSONObject {
    let step = check.tally.steps[index]
    let times = records.filter { $0.count > index && $0[index].state == .succeeded }
      .map { $0[index].execution.runningTime }
    let outline = records.last?.outline
    return [
      "id": step.id,
      "launches": step.launches,
      "failures": step.failures,
      "allowedFailures": step.allowedFailures,
      "retried": step.retried,
      "running": times.isEmpty ? nil : times.median,
      "budget": outline.flatMap { $0.count > index ? $0[index].budgetTime : nil },
    ]
  }
}

extension CheckFinding {
  fileprivate var json: JSONObject { ["step": step, "message": message] }
}
