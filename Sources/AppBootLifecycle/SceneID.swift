/// The name of a scene. A scene is a window of the app with its own state.
public struct SceneID: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The maximum length in bytes of a scene's name that is read from text. Platforms use identifiers of 36 bytes.
  package static let longestName = 256

  /// The name, as the platform or the caller provides it.
  public let name: String

  /// Creates the name of a scene.
  public init(_ name: String) { self.name = name }

  /// Creates the name of a scene.
  public init(stringLiteral name: String) { self.name = name }

  /// The name.
  public var description: String { name }

  /// Compares the names of two scenes as text.
  public static func < (left: SceneID, right: SceneID) -> Bool { left.name < right.name }
}
