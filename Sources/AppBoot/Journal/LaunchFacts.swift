/// What the launch guard goes by: how one launch ended.
package struct LaunchFacts: Sendable, Hashable {
  /// How a launch ended, as far as the guard tells.
  package enum Ending: Sendable, Hashable {
    /// It reached its end, whatever its outcome, or the app said that it is up.
    case healthy
    /// It ended without reaching its end, while these steps ran; by id, in manifest order.
    case died(in: [String])
    /// It says nothing: it was stopped by its user, traced by a debugger, or run in the background.
    case neutral
  }

  /// How it ended.
  package let ending: Ending

  /// States how a launch ended.
  package init(_ ending: Ending) {
    self.ending = ending
  }

  /// What a journal says of its launch, whose process is gone.
  package init(of journal: Journal) {
    ending = Self.ending(of: journal)
  }

  private static func ending(of journal: Journal) -> Ending {
    let record = journal.record
    switch record.outline.options.reason {
    // The system ends such launches as it likes.
    case .background, .prewarm: return .neutral
    case .normal, .url, .activity, .quickAction, .notification: break
    }
    // A launch that was told to stop ends by its user's will, however soon.
    if case .requested = record.cancellation { return .neutral }
    if journal.hasEnded || record.healthyAt != nil { return .healthy }
    return journal.wasDebugged ? .neutral : .died(in: journal.running.map(\.id))
  }
}
