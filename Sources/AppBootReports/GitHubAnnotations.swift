package import AppBoot
import AppBootRecords

/// A report that writes a record as GitHub Actions annotations: failures and exceeded budgets at the manifest's lines.
///
/// GitHub shows only ten errors and ten warnings of a job's step, so failures come first.
package struct GitHubAnnotations: Sendable {
  private let includesWarnings: Bool
  private let fileNamed: @Sendable (String) -> String

  /// Creates a report that converts the path of each manifest.
  ///
  /// - Parameters:
  ///   - includesWarnings: True to annotate allowed failures of the launch and exceeded budgets. `check` passes false,
  ///     because it reports them for all launches.
  ///   - fileNamed: A function that returns the path to annotate for the manifest's path in the record.
  package init(includesWarnings: Bool = true, fileNamed: @escaping @Sendable (String) -> String = { $0 }) {
    self.includesWarnings = includesWarnings
    self.fileNamed = fileNamed
  }

  /// Returns the record's annotations as workflow commands, each on its own line; empty if there are none.
  ///
  /// - Parameters:
  ///   - errors: The findings of a check that follow as errors.
  ///   - warnings: The findings of a check that follow as warnings.
  package func text(
    of record: LaunchRecord, errors: [CheckFinding] = [], warnings: [CheckFinding] = []
  ) -> String {
    let locations = record.outline.locations()
    let failures = failures(
      record.failuresFirstToFix.filter { includesWarnings || !$0.isAllowedFailure }, of: record, locations)
    let budgets = record.filter { includesWarnings && $0.isOverBudget }.map {
      overBudget($0, in: record, at: locations[$0.index])
    }
    let safeMode = record.outline.safeMode.map {
      command(.warning, "safe mode: \($0.reason)", title: nil, record, nil)
    }
    let all: [(CheckFinding, Diagnostic.Severity)] =
      errors.map { ($0, .error) } + warnings.map { ($0, .warning) }
    let findings = all.map { finding, severity in
      let place = finding.step.flatMap { record.outline.index(ofStep: $0) }.flatMap { locations[$0] }
      return command(severity, finding.message, title: finding.step, record, place)
    }
    let launch =
      [safeMode].compactMap(\.self) + failures + crashes(in: record, locations)
      + ending(of: record, "the launch")
      + undoFailures(of: record, locations) + budgets
    return (launch + record.events.flatMap { handlerLines(of: $0, isLive: record.header.isLive) } + findings)
      .map { $0 + "\n" }.joined()
  }

  /// Returns an error for each step that was running when the process crashed.
  private func crashes(in record: LaunchRecord, _ locations: [SourceLocation?]) -> [String] {
    guard record.outcome == .running, !record.header.isLive else { return [] }
    let running = record.filter { $0.state == .running }
    guard !running.isEmpty else {
      return [command(.error, "the process ended \(record.lastRunning)", title: nil, record, nil)]
    }
    return running.map { step in
      let output = step.lastOutputText.map { "; \($0)" } ?? ""
      let message = "the process ended while \(step.id) was running\(output)"
      return command(.error, message, title: step.id, record, locations[step.index])
    }
  }

  /// Returns the annotations of an event's handlers: failed steps, and steps that were running when the process ended.
  private func handlerLines(of event: EventRecord, isLive: Bool) -> [String] {
    let record = event.record
    let locations = record.outline.locations()
    // A journal does not say which step was running in handlers that did not end: the annotation is at the first one.
    let running = (record.first { $0.state == .running } ?? record.first).flatMap { locations[$0.index] }
    let words = isLive ? nil : event.interruption { $0 }
    let interruption = words.map { command(.error, $0, title: nil, record, running) }
    return failures(record.failuresFirstToFix, of: record, locations, on: event)
      + (interruption.map { [$0] } ?? [])
      + ending(of: record, "the handlers of \(event.name)") + undoFailures(of: record, locations)
  }

  /// Returns an annotation for each group of equal failures, at the line of its first step.
  private func failures(
    _ steps: [StepRecord], of record: LaunchRecord, _ locations: [SourceLocation?],
    on event: EventRecord? = nil
  ) -> [String] {
    FailureGroup.of(steps).map { group in
      let (text, step) = (FailureText(group, on: event).text, group.first)
      return command(
        step.isAllowedFailure ? .warning : .error, text, title: step.id, record, locations[step.index])
    }
  }

  private func undoFailures(of record: LaunchRecord, _ locations: [SourceLocation?]) -> [String] {
    FailureGroup.undos(of: record).map { group in
      command(
        .error, FailureText(undo: group).text, title: group.first.id, record, locations[group.first.index])
    }
  }

  private func overBudget(
    _ step: StepRecord, in record: LaunchRecord, at location: SourceLocation?
  ) -> String {
    let time = TimeNumbers.brief(step.execution.runningTime)
    let message = "\(step.id) took \(time), \(BudgetText.over(step.step.budgetTime ?? 0))"
    return command(.warning, message, title: step.id, record, location)
  }

  private func ending(of record: LaunchRecord, _ subject: String) -> [String] {
    var lines: [String] = []
    let time = TimeNumbers.brief(record.elapsedTime)
    switch record.outcome {
    case .running, .succeeded, .failed: break
    case .timedOut, .cancelled:
      let reason = OutcomeText(record).reason(subject: subject, after: TimeNumbers.brief) ?? ""
      let place = record.interrupted.first.flatMap { record.outline.locations()[$0.index] }
      lines.append(command(.error, reason, title: nil, record, place))
    }
    if includesWarnings, let budget = record.outline.budgetTime, record.elapsedTime > budget {
      lines.append(
        command(.warning, "\(subject) took \(time), \(BudgetText.over(budget))", title: nil, record, nil))
    }
    return lines
  }

  private func command(
    _ severity: Diagnostic.Severity, _ message: String, title: String?, _ record: LaunchRecord,
    _ location: SourceLocation?
  ) -> String {
    var renderer = DiagnosticRenderer(title: "appboot: \(title ?? record.outline.name)")
    renderer.fileNamed = fileNamed
    let place = record.outline.file(of: location).map {
      DiagnosticRenderer.GitHubPlace(file: $0, start: location)
    }
    return renderer.githubCommand(severity, message, at: place)
  }
}
