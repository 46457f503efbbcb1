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
    id: SceneID, coordinator: ScreenCoordinator?, executor: @escaping LifecycleExecutor, values: ContextValues
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
