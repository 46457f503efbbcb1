import AppBootSystem

/// One connected scene: its screens, its values, and its events in order.
public final class SceneSession: Sendable {
  /// The scene's name.
  public let id: SceneID
  /// What owns the scene's window; `nil` where it has none.
  public let coordinator: ScreenCoordinator?
  let queue: SerialQueue
  private let contents = Lock(Contents())

  private struct Contents {
    var phase = ScenePhase.connecting
    var values: [String: any Sendable] = [:]
  }

  init(id: SceneID, coordinator: ScreenCoordinator?, executor: any LifecycleExecutor) {
    self.id = id
    self.coordinator = coordinator
    queue = SerialQueue(executor: executor, isHeld: true)
  }

  /// Where the scene stands.
  public var phase: ScenePhase { contents.withLock { $0.phase } }

  /// Keeps a value for this scene only.
  public func provide<Value>(_ value: Value, for key: ContextKey<Value>) {
    // The value before this one ends after the lock: its end is user code.
    _ = contents.withLock { $0.values.updateValue(value, forKey: key.name) }
  }

  /// The scene's value, or `nil` where none of this type was provided.
  public func value<Value>(for key: ContextKey<Value>) -> Value? {
    contents.withLock { $0.values[key.name] } as? Value
  }

  func apply(_ event: LifecycleEvent) {
    contents.withLock { $0.phase = $0.phase.after(event) }
  }
}
