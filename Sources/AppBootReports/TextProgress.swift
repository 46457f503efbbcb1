package import AppBoot
import AppBootRecords

/// A text report that is printed while a launch runs: a row for each step when it ends, and the rest at the end.
///
/// A failure is printed directly after its step's row. No row and no failure is printed twice. Of equal failures, the
/// first is printed, and a line at the end has the ids of the other steps.
package struct TextProgress: Sendable {
  private let report: TextReport
  private var columns: TextTable?
  /// The steps whose rows were printed, by their indices.
  private var shown: Set<Int> = []
  /// The steps with the same failure, by their indices. The first one was printed.
  private var failures: [FailureGroup.Key: [Int]] = [:]
  private var hasShownFailure = false
  /// True after the launch has ended. Later events belong to event handlers.
  private var hasEnded = false
  private var isLaunchShown = false
  private var shownEvents = 0

  /// Creates the report of a launch that has not begun.
  package init(_ report: TextReport) { self.report = report }

  /// Returns the text to print after an event; empty for most events.
  package mutating func text(after event: LaunchEvent, in record: LaunchRecord) -> String {
    guard !hasEnded else { return "" }
    switch event.kind {
    case .ended(let step, _): return end(of: step, in: record)
    case .undoEnded(let step, _): return undo(of: step, in: record)
    case .killed(let step, let time) where shown.contains(step) && report.detail != .failures:
      // The step's row is printed already. A row that is printed later has these words itself.
      let id = report.style.visible(record[step].id)
      return
        "\(id) did not stop within \(report.style.time(time.nanoseconds)) of its stop signal, and was killed\n"
    case .launchEnded: hasEnded = true
    default: break
    }
    return ""
  }

  /// Returns the text that was not printed yet, for a launch that has ended and for its event handlers.
  package mutating func rest(of record: LaunchRecord) -> String {
    let record = record.withEstimatedEnd
    var text = ""
    if !isLaunchShown {
      let isSeparate = report.detail == .failures && hasShownFailure
      let launch = report.text(ofLaunch: record, columns: columns) {
        shown.contains($0) && record[$0].details.failureTime == nil
      }
      let repeated = repeatedFailures(in: record)
      let front = repeated.isEmpty ? "" : "\n" + repeated
      text = front + (isSeparate && !launch.isEmpty ? "\n" : "") + launch
      isLaunchShown = true
    }
    for event in record.events.dropFirst(shownEvents) { text += self.text(of: event) }
    return text
  }

  /// Returns the text of an event's handlers that have ended, and marks it as printed.
  package mutating func text(of event: EventRecord) -> String {
    shownEvents += 1
    return report.following(event)
  }

  // MARK: - Steps

  private mutating func end(of step: Int, in record: LaunchRecord) -> String {
    shown.insert(step)
    let ended = record[step]
    let isFirst = ended.state.isFailure && isFirstFailure(ended)
    let failure = isFirst ? FailureBlocks(style: report.style).text(ofStep: step, in: record) : ""
    guard report.detail != .failures else { return separated(failure) }
    guard !ended.state.isLeftOut else { return "" }
    let row = StepRow(ended, in: record, style: report.style)
    return report.text(of: ended, row, known(record.outline)) + failure
  }

  /// Notes a failure, and returns whether no step before it had the same one.
  private mutating func isFirstFailure(_ step: StepRecord) -> Bool {
    failures[FailureGroup.Key(step), default: []].append(step.index)
    return failures[FailureGroup.Key(step)]?.count == 1
  }

  /// Returns a line for each failure that several steps had.
  private func repeatedFailures(in record: LaunchRecord) -> String {
    failures.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }.map { steps in
      let others = steps.dropFirst().sorted().map { record[$0] }
      return FailureBlocks(style: report.style).text(of: others, like: record[steps[0]])
    }.joined()
  }

  private mutating func undo(of step: Int, in record: LaunchRecord) -> String {
    guard let undo = record[step].details.undo else { return "" }
    let failure = undo.failure == nil ? "" : FailureBlocks(style: report.style).text(ofUndo: step, in: record)
    guard report.detail != .failures else { return separated(failure) }
    let row = StepRow(undo, of: record[step], style: report.style)
    return known(record.outline).line(row.cells) + "\n" + failure
  }

  /// Returns the table of the rows. All rows of the launch have the same columns.
  private mutating func known(_ outline: LaunchOutline) -> TextTable {
    let columns = columns ?? StepRow.table(outline, report.style)
    self.columns = columns
    return columns
  }

  /// Returns the text of a failure, with an empty line before it if another failure was printed earlier.
  private mutating func separated(_ failure: String) -> String {
    guard !failure.isEmpty else { return "" }
    defer { hasShownFailure = true }
    return hasShownFailure ? "\n" + failure : failure
  }
}
