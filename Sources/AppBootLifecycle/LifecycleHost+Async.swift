import AppBootSystem

extension LifecycleHost {
  /// Handles an event and returns its outcome. For `didFinishLaunching`, it returns when the
  /// launch's commands have ended.
  ///
  /// Handlers can block, so a new thread sends the event. If the caller is on the main actor, the main thread sends it
  /// when the caller is suspended.
  @discardableResult
  public func receive(
    _ event: LifecycleEvent, isolation: isolated (any Actor)? = #isolation
  ) async -> LifecycleOutcome {
    let isOnMainActor = isolation === MainActor.shared
    return await withCheckedContinuation { continuation in
      let handle = { @Sendable in self.receive(event) { continuation.resume(returning: $0) } }
      if isOnMainActor { MainQueue.add(handle) } else { Thread.detach(name: "event", handle) }
    }
  }
}
