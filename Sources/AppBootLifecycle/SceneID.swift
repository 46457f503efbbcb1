/// The name of a scene: one window of the app with a state of its own.
public struct SceneID: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The longest name that an event's text may have, in bytes; a platform's own identifiers have 36.
  public static let longestName = 256

  /// The name, as the platform or the caller gives it.
  public let name: String

  /// Names a scene.
  public init(_ name: String) { self.name = name }

  /// Names a scene.
  public init(stringLiteral name: String) { self.name = name }

  /// The name.
  public var description: String { name }

  /// Orders by name.
  public static func < (left: SceneID, right: SceneID) -> Bool { left.name < right.name }
}

/// To whom an event belongs.
public enum LifecycleScope: Sendable, Hashable, CustomStringConvertible {
  /// The whole process.
  case process
  /// One scene.
  case scene(SceneID)

  /// The scene, where the event belongs to one.
  public var scene: SceneID? {
    switch self {
    case .process: nil
    case .scene(let scene): scene
    }
  }

  /// `process`, or `scene NAME`.
  public var description: String {
    switch self {
    case .process: "process"
    case .scene(let scene): "scene \(scene)"
    }
  }
}
