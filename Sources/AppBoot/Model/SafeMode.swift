/// A launch's safe mode: the steps that it leaves out after crashes, and why.
public struct SafeMode: Sendable, Hashable {
  /// The steps that safe mode skips.
  public enum Level: String, Sendable, Hashable, CaseIterable {
    /// The steps that ran when the last launches crashed.
    case culprits
    /// The steps of `culprits`, and every optional step after them.
    case followers
  }

  /// The ids of the steps that ran when the last launches crashed; several if they ran in parallel each time.
  public var culprits: [String]
  /// The steps that are left out.
  public var level: Level
  /// The reason, as text.
  public var reason: String

  /// Creates a safe mode.
  public init(culprits: [String], level: Level = .culprits, reason: String) {
    self.culprits = culprits
    self.level = level
    self.reason = reason
  }

  /// Safe mode on request, without known crashes.
  public static var requested: SafeMode { SafeMode(culprits: [], reason: "requested") }
}
