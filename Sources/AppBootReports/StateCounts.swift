import AppBoot

/// How many steps of a record ended how.
struct StateCounts {
  private(set) var succeeded = 0
  private(set) var failed = 0
  private(set) var skipped = 0
  private(set) var cancelled = 0
  private(set) var unfinished = 0
  private let count: Int

  init(_ record: StartupRecord) {
    count = record.count
    for step in record {
      switch step.state {
      case .succeeded: succeeded += 1
      case .failed, .timedOut: failed += 1
      case .skipped: skipped += 1
      case .cancelled: cancelled += 1
      case .waiting, .ready, .running: unfinished += 1
      }
    }
  }

  /// `8 steps: 2 succeeded, 1 failed, 5 skipped`
  var text: String {
    let noun = count == 1 ? "1 step" : "\(count) steps"
    return parts.map { "\(noun): \($0)" } ?? noun
  }

  /// `2 succeeded, 1 failed, 5 skipped`; `nil` where there is no step.
  var parts: String? {
    let parts = [
      (succeeded, "succeeded"), (failed, "failed"), (skipped, "skipped"), (cancelled, "cancelled"),
      (unfinished, "unfinished"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
