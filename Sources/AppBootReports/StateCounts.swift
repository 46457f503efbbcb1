package import AppBoot

/// A counter of a record's steps by state.
package struct StateCounts {
  private var succeeded = 0
  private var failed = 0
  private var skipped = 0
  /// The number of skipped steps that a command-line option excluded.
  private var leftOut = 0
  private var cancelled = 0
  private var unfinished = 0
  private let count: Int

  package init(_ record: StartupRecord) {
    count = record.count
    for step in record {
      switch step.state {
      case .succeeded: succeeded += 1
      case .failed, .timedOut: failed += 1
      case .skipped(let reason):
        skipped += 1
        if reason.leavesOut { leftOut += 1 }
      case .cancelled: cancelled += 1
      case .waiting, .ready, .running: unfinished += 1
      }
    }
  }

  /// The number of steps that have ended, and of all steps: `2/5`.
  package var progress: String { "\(count - unfinished)/\(count)" }

  /// The number of all steps and of those in each state, for example `8 steps: 2 succeeded, 1 failed, 5 skipped`.
  var text: String { count == 0 ? steps : "\(steps): \(parts)" }

  /// The number of steps for a verdict, for example `3 steps` or `2 of 5 steps, 1 skipped, 1 left out`.
  ///
  /// It does not mention failures, because the verdict names them.
  var summary: String {
    let done = succeeded == count ? steps : "\(succeeded) of \(steps)"
    return done + Self.exceptions(skipped: skipped - leftOut, leftOut: leftOut)
  }

  /// Returns the number of steps that do not run, for example `, 1 skipped, 2 left out`; empty if all run.
  package static func exceptions(skipped: Int, leftOut: Int) -> String {
    (skipped > 0 ? ", \(skipped) skipped" : "") + (leftOut > 0 ? ", \(leftOut) left out" : "")
  }

  /// The number of steps by state, for example `2 succeeded, 1 failed, 5 skipped`; `none` without steps.
  var parts: String {
    let parts = [
      (succeeded, "succeeded"), (failed, "failed"), (skipped, "skipped"), (cancelled, "cancelled"),
      (unfinished, "unfinished"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  private var steps: String { count == 1 ? "1 step" : "\(count) steps" }
}
