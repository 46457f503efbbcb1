public import AppBoot
import AppBootSystem

/// A session of a connected scene, with its screens, its values and its queue of events.
public final class SceneSession: Sendable {
  /// The name of the scene.
  public let id: SceneID
  /// The coordinator of the scene's window; `nil` if the scene has no window.
  public let coordinator: ScreenCoordinator?
  let queue: SerialQueue
  let values: ContextValues
  private let current = Lock(Phase.connecting)

  init(
    id: SceneID, coordinator: ScreenCoordinator?, executor: @escaping JobExecutor, values: ContextValues
  ) {
    self.id = id
    self.values = values
    self.coordinator = coordinator
    queue = SerialQueue(executor: executor, isHeld: true)
  }

  /// The phase of the scene.
  public var phase: Phase { current.withLock { $0 } }

  /// Stores a value for this scene. Other scenes and the process do not find it.
  public func provide<Value>(_ value: Value, for key: ContextKey<Value>) {
    values.provide(value, as: key.name)
  }

  /// Returns the scene's value or, if it has none, the process's value; `nil` if there is no value of this type.
  public func value<Value>(for key: ContextKey<Value>) -> Value? {
    values[key.name] as? Value
  }

  func apply(_ event: LifecycleEvent) {
    current.withLock { $0 = $0.after(event) }
  }
}

extension SceneSession {
  /// A phase in the life of a scene.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The scene is connected and about to appear.
    case connecting
    /// The scene is in the foreground, but receives no input.
    case inactive
    /// The scene is in the foreground, and receives input.
    case active
    /// The scene is in the background.
    case background
    /// The scene is no longer connected.
    case disconnected

    /// Returns the phase that follows this phase when an event of the scene arrives.
    package func after(_ event: LifecycleEvent) -> Phase {
      switch event {
      case .sceneWillConnect: .connecting
      case .sceneDidDisconnect: .disconnected
      case .sceneWillEnterForeground, .sceneWillResignActive: .inactive
      case .sceneDidBecomeActive: .active
      case .sceneDidEnterBackground: .background
      default: self
      }
    }
  }
}

/// The scenes of a host by name: connected scenes, and disconnected ones whose last events are not handled yet.
///
/// A scene that disconnects and connects again has several sessions under one name. The later session begins when the
/// earlier one has ended.
struct SceneRegistry: Sendable {
  private var connected: [SceneID: SceneSession] = [:]
  /// The sessions that are disconnected but still have events to handle, by name; the oldest first.
  private var leaving: [SceneID: [SceneSession]] = [:]
  private var hasLaunched = false

  /// The current session for each name, sorted by name.
  var all: [SceneSession] { Set(connected.keys).union(leaving.keys).sorted().compactMap { self[$0] } }

  /// Returns the current session of a name, which is the oldest one that has not ended; `nil` if there is none.
  subscript(id: SceneID) -> SceneSession? { leaving[id]?.first ?? connected[id] }

  /// The sorted names of the connected scenes.
  var names: [SceneID] { connected.keys.sorted() }

  /// Returns the session that receives new events for a name; `nil` if no scene with this name is connected.
  func connected(_ id: SceneID) -> SceneSession? { connected[id] }

  /// Adds a session. Returns `false` if a scene with its name is already connected.
  mutating func connect(_ session: SceneSession) -> Bool {
    guard connected[session.id] == nil else { return false }
    connected[session.id] = session
    return true
  }

  /// Disconnects a scene and returns its session, which still has events to handle; `nil` if no scene with this name is
  /// connected.
  mutating func disconnect(_ id: SceneID) -> SceneSession? {
    guard let session = connected.removeValue(forKey: id) else { return nil }
    leaving[id, default: []].append(session)
    return session
  }

  /// Removes a session that has handled its last event.
  mutating func end(_ session: SceneSession) {
    leaving[session.id]?.removeAll { $0 === session }
    if leaving[session.id]?.isEmpty == true { leaving[session.id] = nil }
  }

  /// Records that the launch has finished, so that ``begun(_:)`` returns sessions.
  mutating func launch() { hasLaunched = true }

  /// Returns the current session of a name; `nil` if there is none, or if the launch has not finished.
  func begun(_ id: SceneID) -> SceneSession? { hasLaunched ? self[id] : nil }
}

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
