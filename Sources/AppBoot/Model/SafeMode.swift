/// Why and how far a launch is careful: the last ones died, or somebody asked for it.
public struct SafeMode: Sendable, Hashable {
  /// How much a careful launch leaves out.
  public enum Level: String, Sendable, Hashable, CaseIterable {
    /// The steps in which the last launches died.
    case culprits
    /// Those, and everything after them that is optional.
    case followers
  }

  /// The ids of the steps in which the last launches died; several where they ran side by side each time.
  public var culprits: [String]
  /// How much is left out.
  public var level: Level
  /// Why, in words.
  public var reason: String

  /// Describes a careful launch.
  public init(culprits: [String], level: Level = .culprits, reason: String) {
    self.culprits = culprits
    self.level = level
    self.reason = reason
  }

  /// A launch that is careful because somebody wants it to be, where nothing is known of earlier ones.
  public static var requested: SafeMode { SafeMode(culprits: [], reason: "it was asked for") }
}
