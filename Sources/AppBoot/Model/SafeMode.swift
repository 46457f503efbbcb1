/// The safe mode of a launch: the steps that it skips after crashes, and the reason.
package struct SafeMode: Sendable, Hashable {
  /// The extent of the steps that safe mode skips.
  package enum Level: String, Sendable, Hashable, CaseIterable {
    /// The steps that were running when the last launches crashed.
    case culprits
    /// The steps of `culprits`, and all optional steps after them.
    case followers
  }

  /// The ids of the steps that were running when the last launches crashed.
  ///
  /// There can be several, for example if steps ran in parallel.
  package var culprits: [String]
  /// The extent of the steps that are skipped.
  package var level: Level
  /// The reason for safe mode, as text.
  package var reason: String

  /// Creates a safe mode.
  package init(culprits: [String], level: Level = .culprits, reason: String) {
    self.culprits = culprits
    self.level = level
    self.reason = reason
  }

  /// The safe mode that a user requested. It has no culprits.
  package static var requested: SafeMode { SafeMode(culprits: [], reason: "requested") }
}
