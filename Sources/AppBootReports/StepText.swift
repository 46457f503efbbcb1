package import AppBoot

extension StepState {
  /// The state as two words at most: `timed out`.
  var title: String {
    switch self {
    case .timedOut: "timed out"
    case .waiting, .ready, .running, .succeeded, .failed, .cancelled, .skipped: name
    }
  }

  /// The state as a verb in the past tense: `was skipped`.
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
  /// True if the step failed and the manifest allows it to fail.
  package var isAllowedFailure: Bool { state.isFailure && step.onFailure == .continue }
}

/// The words for a failed step, shared by all reports.
struct FailureText {
  /// The words in front of the command's last line of output.
  static let lastOutput = "last output:"

  /// The step and how it failed: `Sync timed out (allowed)`.
  let title: String
  /// The message, then a line for each cause, then the last line of output.
  let lines: [String]

  /// - Parameters:
  ///   - event: The event whose handler the step is; `nil` for a step of the launch.
  ///   - mark: Returns a text of the record, such as an id, in the report's markup.
  init(_ step: StepRecord, on event: EventRecord? = nil, mark: (String) -> String = { $0 }) {
    let place = event.map { " on \(mark($0.name))" } ?? ""
    title = "\(mark(step.id))\(place) \(Self.verb(of: step))"
    let failure = step.state.failure
    lines =
      [failure?.message ?? ""] + (failure?.causes ?? []).map { "caused by: \($0)" }
      + (step.details.lastOutput.map { ["\(Self.lastOutput) \($0)"] } ?? [])
  }

  /// Returns how the step failed: `timed out (allowed)`.
  static func verb(of step: StepRecord) -> String {
    step.state.verb + (step.isAllowedFailure ? " (allowed)" : "")
  }

  /// Returns the words for a failed undo: `the undo of Sync failed`.
  static func undo(of step: StepRecord) -> String { "the undo of \(step.id) failed" }
}

/// The result of a step in one line, for tables.
struct StepResult {
  let text: String

  init(_ step: StepRecord, in record: StartupRecord) {
    var parts: [String] = []
    if step.isOverBudget, let budget = step.step.budget { parts.append(BudgetText.over(budget)) }
    if step.details.attempts.count > 1 { parts.append("\(step.details.attempts.count) attempts") }
    if step.isAllowedFailure { parts.append("allowed to fail") }
    if let undo = step.details.undo { parts.append(Self.undone(undo)) }
    if let words = Self.words(for: step, in: record) { parts.append(words) }
    if let note = step.details.note { parts.append(note) }
    text = parts.joined(separator: "; ")
  }

  /// Returns `undone` or `undo failed`, for an undo that has ended.
  static func undone(_ undo: StepAttempt) -> String { undo.failure == nil ? "undone" : "undo failed" }

  private static func words(for step: StepRecord, in record: StartupRecord) -> String? {
    switch step.state {
    case .waiting, .ready, .running: step.state.name
    case .succeeded: nil
    case .failed(let failure), .timedOut(let failure): failure.firstLine
    case .cancelled, .skipped: record.stateText(of: step.index)
    }
  }
}

extension StartupRecord {
  /// Returns a step's state and the reason for it, if there is one: `skipped: "Database" did not succeed`.
  func stateText(of step: Int) -> String {
    self[step].state.title + (reasonText(of: step).map { ": \($0)" } ?? "")
  }
}

extension Failure {
  /// The message's first line, for tables.
  package var firstLine: String {
    let lines = message.split(maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    let first = lines.first.map(String.init) ?? ""
    return lines.count > 1 && first.hasSuffix(":") ? String(first.dropLast()) : first
  }
}
