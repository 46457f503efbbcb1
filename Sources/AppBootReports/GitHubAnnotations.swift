public import AppBoot

/// A record as annotations of GitHub Actions, at the manifest's lines: what failed and what was over budget.
///
/// GitHub shows ten errors and ten warnings of a step, so the failures come first.
public struct GitHubAnnotations: Sendable {
  private let includesBudgets: Bool
  private let fileNamed: @Sendable (String) -> String

  /// Creates a report; annotations name the manifest as the record does.
  public init() { self.init(fileNamed: { $0 }) }

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - includesBudgets: `false` where another verdict tells of them.
  ///   - fileNamed: The path in an annotation of a file of that name.
  package init(includesBudgets: Bool = true, fileNamed: @escaping @Sendable (String) -> String) {
    self.includesBudgets = includesBudgets
    self.fileNamed = fileNamed
  }

  /// The record's annotations, and errors at the steps that something was found about.
  package func text(of record: StartupRecord, findings: [(step: String?, message: String)]) -> String {
    let locations = record.outline.locations()
    let lines = findings.map { step, message in
      let place = step.flatMap { record.outline.index(ofStep: $0) }.flatMap { locations[$0] }
      return command(.error, message, title: step, record, place) + "\n"
    }
    return text(of: record) + lines.joined()
  }

  /// One workflow command per line; empty for a launch with nothing to say about it.
  public func text(of record: StartupRecord) -> String {
    let locations = record.outline.locations()
    let failures = record.failures.map { failure(of: $0, in: record, at: locations[$0.index]) }
    let undone = record.compactMap { undoFailure(of: $0, in: record, at: locations[$0.index]) }
    let budgets = record.filter { includesBudgets && $0.isOverBudget }.map {
      overBudget($0, in: record, at: locations[$0.index])
    }
    let careful = record.outline.safeMode.map {
      command(.warning, "safe mode: \($0.reason)", title: nil, record, nil)
    }
    let lines =
      [careful].compactMap(\.self) + failures + crashes(in: record, locations)
      + ending(of: record, "the launch") + undone + budgets
    return (lines + record.events.flatMap { listLines(of: $0) }).map { $0 + "\n" }.joined()
  }

  /// What was under way when the process died.
  private func crashes(in record: StartupRecord, _ locations: [SourceLocation?]) -> [String] {
    guard record.outcome == .running else { return [] }
    let running = record.filter { $0.state == .running }
    guard !running.isEmpty else { return [command(.error, "the process died", title: nil, record, nil)] }
    return running.map {
      command(.error, "the process died while \($0.id) ran", title: $0.id, record, locations[$0.index])
    }
  }

  /// What failed in the list of an event, or was under way in it when the process died.
  private func listLines(of event: EventRecord) -> [String] {
    let record = event.record
    let locations = record.outline.locations()
    let running = record.first { $0.state == .running }.flatMap { locations[$0.index] }
    let interruption = event.interruption { $0 }.map { command(.error, $0, title: nil, record, running) }
    return record.failures.map { failure(of: $0, in: record, at: locations[$0.index], on: event) }
      + (interruption.map { [$0] } ?? [])
      + ending(of: record, "the list of \(event.name)")
      + record.compactMap { undoFailure(of: $0, in: record, at: locations[$0.index]) }
  }

  private func failure(
    of step: StepRecord, in record: StartupRecord, at location: SourceLocation?, on event: EventRecord? = nil
  ) -> String {
    let isAllowed = step.step.onFailure == .continue
    let words = isAllowed ? "\(step.state.verb), as it is allowed to" : step.state.verb
    let place = event.map { " on \($0.name)" } ?? ""
    var message = "\(step.id)\(place) \(words): \(step.state.failure?.message ?? "")"
    for cause in step.state.failure?.causes ?? [] { message += "\ncaused by: \(cause)" }
    if let line = step.details.lastLine { message += "\nit last said: \(line)" }
    return command(isAllowed ? .warning : .error, message, title: step.id, record, location)
  }

  private func undoFailure(
    of step: StepRecord, in record: StartupRecord, at location: SourceLocation?
  ) -> String? {
    guard let failure = step.details.undo?.failure else { return nil }
    return command(.error, "the undo of \(step.id) failed: \(failure)", title: step.id, record, location)
  }

  private func overBudget(
    _ step: StepRecord, in record: StartupRecord, at location: SourceLocation?
  ) -> String {
    let budget = DurationText.exact(.nanoseconds(step.step.budget ?? 0))
    let message = "\(step.id) took \(TimeNumbers.brief(step.execution.running)), over its budget of \(budget)"
    return command(.warning, message, title: step.id, record, location)
  }

  private func ending(of record: StartupRecord, _ subject: String) -> [String] {
    var lines: [String] = []
    let time = TimeNumbers.brief(record.duration)
    switch record.outcome {
    case .running, .succeeded, .failed: break
    case .timedOut:
      lines.append(
        command(.error, "\(subject) reached its time limit after \(time)", title: nil, record, nil))
    case .cancelled(let reason):
      lines.append(
        command(.error, "\(subject) was cancelled after \(time): \(reason)", title: nil, record, nil))
    }
    if includesBudgets, let budget = record.outline.budget, record.duration > budget {
      let limit = DurationText.exact(.nanoseconds(budget))
      let message = "\(subject) took \(time), over its budget of \(limit)"
      lines.append(command(.warning, message, title: nil, record, nil))
    }
    return lines
  }

  private func command(
    _ severity: Diagnostic.Severity, _ message: String, title: String?, _ record: StartupRecord,
    _ location: SourceLocation?
  ) -> String {
    var renderer = DiagnosticRenderer(title: "appboot: \(title ?? record.outline.name)")
    renderer.fileNamed = fileNamed
    let place = record.outline.manifestName.map { DiagnosticRenderer.GitHubPlace(file: $0, start: location) }
    return renderer.githubCommand(severity, message, at: place)
  }
}

extension StepState {
  /// The state as a verb in the past.
  var verb: String {
    switch self {
    case .waiting: "waits"
    case .ready: "is ready"
    case .running: "runs"
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .timedOut: "timed out"
    case .cancelled: "was cancelled"
    case .skipped: "was skipped"
    }
  }
}
