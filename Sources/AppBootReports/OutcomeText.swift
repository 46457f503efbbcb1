package import AppBoot
import AppBootRecords

/// The words for a launch's outcome, which several reports share.
struct OutcomeText {
  private let record: LaunchRecord
  private let mark: (String) -> String

  /// Creates the words for a record's outcome.
  ///
  /// - Parameter mark: A function that returns a text of the record, for example an id, in the report's markup.
  init(_ record: LaunchRecord, mark: @escaping (String) -> String = { $0 }) {
    self.record = record
    self.mark = mark
  }

  /// The outcome as a verb, for example `booted`, `did not boot`, `did not finish` or `is still running`.
  var verb: String { verb(in: "") }

  /// Returns the outcome as a verb. A launch that booted has its time, for example `booted in 41 ms, then stopped`.
  ///
  /// - Parameter time: The time of the launch after a space, for example ` in 41 ms`.
  func verb(in time: String) -> String {
    switch record.outcome {
    case .running: record.isStillRunning ? "is still running" : "did not finish"
    case .succeeded: "booted\(time)"
    case .failed, .timedOut, .cancelled: record.hasFailedLate ? "booted\(time), then stopped" : "did not boot"
    }
  }

  /// The outcome for a badge, for example `booted over budget` or `booted in safe mode`.
  var title: String {
    guard record.succeeded else { return verb }
    if record.hasFailedHandlers { return "\(verb), then a handler failed" }
    return verb
      + (record.isOverBudget ? " over budget" : record.outline.safeMode == nil ? "" : " in safe mode")
  }

  /// Returns the reason why the launch did not succeed, for example `Database failed at 41 ms`; `nil` if it succeeded.
  ///
  /// A moment of the launch follows `at`; the launch's duration follows `after`.
  ///
  /// - Parameters:
  ///   - subject: The subject of a sentence about the launch, for example `it` in `it was cancelled`.
  ///   - time: A function that returns nanoseconds since the launch began as text; `nil` to leave out the time.
  func reason(subject: String = "it", after time: ((Int64) -> String)? = nil) -> String? {
    let after = time.map { " after \($0(record.elapsedTime))" } ?? ""
    switch record.outcome {
    case .running where record.isStillRunning:
      return "\(mark(record.lastRunning))\(after.isEmpty ? "" : ",\(after)")" + cancellation + lastOutput
    case .running:
      // The process may have run for longer than its record.
      return
        "the record ends \(mark(record.lastRunning))\(after.isEmpty ? "" : ",\(after) or later")"
        + cancellation + lastOutput
    case .succeeded: return nil
    case .failed(let step):
      let end = record[step].details.failureTime ?? record[step].execution.endTime ?? record.elapsedTime
      let moment = time.map { " at \($0(end))" } ?? ""
      let verb = record[step].state.verb
      return "\(mark(record.outline[step].id)) \(verb)\(moment)\(otherFailures(besides: step))"
    case .timedOut: return "\(subject) timed out\(after)\(limit)\(stillRunning)"
    case .cancelled(let text): return "\(subject) was cancelled\(after): \(mark(text))\(stillRunning)"
    }
  }

  /// The reason why a launch without an end was cancelled, for example `; cancelled: a second SIGINT`.
  private var cancellation: String {
    guard case .requested(let cause)? = record.cancellation else { return "" }
    return "; cancelled: \(mark(cause))"
  }

  /// The result of the rollback, for example `; the undo of Sync failed` or `; rolled back`; empty without one.
  var rollback: String {
    let undone = record.filter { $0.details.undo?.endTime != nil }
    let failed = undone.filter { $0.details.undo?.failure != nil }.map { mark($0.id) }
    guard failed.isEmpty else { return "; the undo of \(failed.listed(atMost: 3)) failed" }
    return undone.isEmpty ? "" : "; rolled back"
  }

  /// The other steps whose failure the launch did not allow, for example `; Index failed too`.
  private func otherFailures(besides step: Int) -> String {
    let others = record.failures.filter { $0.index != step && $0.step.onFailure != .continue }
    let ids = others.map { mark($0.id) }
    return ids.isEmpty ? "" : "; \(ids.listed(atMost: 3)) failed too"
  }

  /// The steps that the end of the launch interrupted, for example `; still running: Sync`.
  private var stillRunning: String {
    let steps = record.interrupted
    return steps.isEmpty ? "" : "; still running: \(steps.map { mark($0.id) }.listed(atMost: 5))\(lastOutput)"
  }

  /// The last line of output of the steps that were interrupted, for example `; last output: waiting for a lock`.
  private var lastOutput: String {
    record.interrupted.compactMap(\.lastOutputText).last.map { "; \(mark($0))" } ?? ""
  }

  private var limit: String {
    record.outline.timeoutTime.map { " (timeout \(DurationText.exact(.nanoseconds($0))))" } ?? ""
  }
}

extension LaunchOutcome.Kind {
  /// The outcome in one or two words, for example `timed out`.
  var title: String { self == .timedOut ? "timed out" : rawValue }
}

extension LaunchSummary {
  /// The words for what failed, for example `sync failed` or `web failed later`; `nil` if no step did.
  var failureText: String? {
    failedStep.map { "\($0) failed" } ?? failedLater.map { "\($0) failed later" }
  }
}

extension StepRecord {
  /// The last line of output with the words before it, at most 300 characters; `nil` without output.
  var lastOutputText: String? {
    details.lastOutput.map { "\(FailureText.lastOutput) \($0.prefix(300))" }
  }
}

extension LaunchRecord {
  /// True if the launch had not ended when its record was read, and its process was running.
  var isStillRunning: Bool { outcome == .running && header.isLive }

  /// The steps that were running when the launch timed out or was cancelled, or when its process ended, in manifest
  /// order.
  package var interrupted: [StepRecord] {
    filter { step in
      switch (outcome, step.state) {
      case (.running, .running): true
      case (.timedOut, .cancelled(.deadline)), (.cancelled, .cancelled(.requested)):
        step.execution.startTime != nil
      default: false
      }
    }
  }

  /// True if the launch succeeded, and the failure of a service ended the app later.
  var hasFailedLate: Bool { failedLaterStep != nil }

  /// True if the launch took longer than its budget.
  var isOverBudget: Bool { outline.budgetTime.map { elapsedTime > $0 } ?? false }

  /// True if an event handler failed, or had not ended when the process ended.
  var hasFailedHandlers: Bool {
    events.contains { $0.hasFailed || $0.record.outcome == .running && !header.isLive }
  }

  /// The severity of the outcome of a launch with its event handlers.
  enum Severity { case good, running, warning, failure }

  /// The severity that the marks and colours of all reports show.
  var severity: Severity {
    switch outcome {
    case .running: isStillRunning ? .running : .failure
    case .succeeded: isFlawless ? .good : hasFailedHandlers ? .failure : .warning
    case .failed, .timedOut, .cancelled: .failure
    }
  }

  /// True for a launch that succeeded within its budget, without allowed failures, and not in safe mode.
  var isFlawless: Bool {
    succeededWithEvents && toleratedFailures.isEmpty && !isOverBudget && outline.safeMode == nil
  }

  /// Returns a sentence about the events whose handlers failed or did not end; `nil` if there are none.
  ///
  /// For example: `openURL and didBecomeActive failed, and didReceiveReload was still running in slow`.
  ///
  /// - Parameter mark: A function that returns a name in the report's markup.
  func failedEvents(_ mark: (String) -> String) -> String? {
    var failed: [String] = []
    for event in events where event.hasFailed && !failed.contains(event.name) { failed.append(event.name) }
    var words = failed.isEmpty ? [] : ["\(failed.firstThree(mark)) failed"]
    let interruptions = events.compactMap { $0.interruption(mark) }
    if !interruptions.isEmpty { words.append(interruptions.firstThree { $0 }) }
    return words.isEmpty ? nil : words.joined(separator: ", and ")
  }
}

/// The words for a budget, which several reports share.
enum BudgetText {
  /// Returns the words for an exceeded budget in nanoseconds, for example `over its budget of 80ms`.
  static func over(_ budget: Int64) -> String {
    "over its budget of \(DurationText.exact(.nanoseconds(budget)))"
  }

  /// Returns the words for a launch's budget, for example `budget 80ms`; `nil` if it has none.
  ///
  /// - Parameter mark: A function that returns the words for an exceeded budget in the report's markup.
  static func of(_ record: LaunchRecord, mark: (String) -> String) -> String? {
    record.outline.budgetTime.map { budget in
      record.elapsedTime > budget ? mark(over(budget)) : "budget \(DurationText.exact(.nanoseconds(budget)))"
    }
  }
}

extension EventRecord {
  /// The event's name with its scene or its service, for example `sceneWillConnect in main` or `serviceReady for web`.
  package var name: String { Self.name(event, in: scene, for: service) }

  /// The id of the service whose state has changed; `nil` for other events.
  private var service: String? {
    guard EventName.ofServices.contains(where: { $0.name == event }),
      let payload = record.outline.options.payload
    else { return nil }
    return try? JSONDocument(parsing: SourceText(name: "payload", text: payload)).root["id"]?.string
  }

  /// Returns an event's name, with its scene or its service if it has one.
  package static func name(_ event: String, in scene: String?, for service: String?) -> String {
    event + (scene.map { " in \($0)" } ?? "") + (service.map { " for \($0)" } ?? "")
  }

  /// True if the event's handlers have ended without success.
  var hasFailed: Bool { record.outcome != .running && !record.succeeded }

  /// Returns a sentence about handlers that had not ended when the record ended; `nil` if they had.
  ///
  /// For example: `openURL was still running in route`.
  ///
  /// - Parameter mark: A function that returns a name in the report's markup.
  func interruption(_ mark: (String) -> String) -> String? {
    guard record.outcome == .running else { return nil }
    let steps = record.filter { $0.state == .running }.map(\.id)
    return "\(mark(name)) was still running\(steps.isEmpty ? "" : " in \(steps.firstThree(mark))")"
  }
}

extension [String] {
  /// Returns the first three texts as a list: `a`, `a and b`, or `a, b, c and 2 more`.
  fileprivate func firstThree(_ mark: (String) -> String) -> String {
    map(mark).listed(atMost: 3, separator: count > 3 ? ", " : " and ")
  }
}
