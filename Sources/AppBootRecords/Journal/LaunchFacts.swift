import AppBoot

/// The facts about a launch that the launch guard needs.
package struct LaunchFacts: Sendable, Hashable {
  /// The end of a launch, as the launch guard classifies it.
  package enum Ending: Sendable, Hashable {
    /// The launch ended with any outcome, or the app reported that it is healthy.
    ///
    /// The user excluded the steps in `without`. Earlier crashes in these steps still count.
    case healthy(without: Set<String> = [])
    /// The process ended before the launch did. The ids are those of the running steps, in manifest order.
    case crashed(in: [String])
    /// The launch does not count: a user stopped it, a debugger was attached, or it ran in the background.
    case neutral
  }

  /// The end of the launch.
  package let ending: Ending

  /// Creates the facts about a launch.
  package init(_ ending: Ending) {
    self.ending = ending
  }

  /// Creates the facts from the journal of a launch whose process has ended.
  package init(of journal: Journal) {
    ending = Self.ending(of: journal)
  }

  private static func ending(of journal: Journal) -> Ending {
    let record = journal.record
    switch record.outline.options.reason {
    // The system may end background launches at any time.
    case .background, .prewarm: return .neutral
    case .normal, .url, .activity, .quickAction, .notification: break
    }
    // A cancelled launch ends because its user wants it to.
    if case .requested = record.cancellation { return .neutral }
    if journal.hasEnded || record.healthyTime != nil {
      return .healthy(without: Set(record.filter { $0.isExcluded }.map(\.id)))
    }
    return journal.wasDebugged ? .neutral : .crashed(in: journal.running.map(\.id))
  }
}

extension StepRecord {
  /// True if the selection of steps excluded the step, for example with `--skip`.
  fileprivate var isExcluded: Bool { if case .skipped(.excluded) = state { true } else { false } }
}
