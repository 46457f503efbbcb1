public import AppBoot
import AppBootSystem

/// One connected scene: its screens, its values, and its events in order.
public final class SceneSession: Sendable {
  /// The scene's name.
  public let id: SceneID
  /// What owns the scene's window; `nil` where it has none.
  public let coordinator: ScreenCoordinator?
  let queue: SerialQueue
  let values: ContextValues
  private let current = Lock(ScenePhase.connecting)

  init(id: SceneID, coordinator: ScreenCoordinator?, executor: any LifecycleExecutor, values: ContextValues) {
    self.id = id
    self.values = values
    self.coordinator = coordinator
    queue = SerialQueue(executor: executor, isHeld: true)
  }

  /// Where the scene stands.
  public var phase: ScenePhase { current.withLock { $0 } }

  /// Keeps a value for this scene only.
  public func provide<Value>(_ value: Value, for key: ContextKey<Value>) {
    values.provide(value, as: key.name)
  }

  /// The scene's value, or else the process's; `nil` where none of this type was provided.
  public func value<Value>(for key: ContextKey<Value>) -> Value? {
    values[key.name] as? Value
  }

  func apply(_ event: LifecycleEvent) {
    current.withLock { $0 = $0.after(event) }
  }
}
