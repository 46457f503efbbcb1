import AppBootSystem

extension LifecycleHost {
  /// Handles an event and returns its outcome. For `didFinishLaunching`, it returns when the
  /// launch's commands have ended.
  ///
  /// Handlers can block. If the caller is on the main actor and the main thread has a run loop, they run there.
  /// Otherwise they run on a new thread, and commands of the main lane on the main thread.
  @discardableResult
  public func receive(
    _ event: LifecycleEvent, isolation: isolated (any Actor)? = #isolation
  ) async -> LifecycleOutcome {
    let isOnMainActor = isolation === MainActor.shared
    return await withCheckedContinuation { continuation in
      let handle = { @Sendable in self.receive(event) { continuation.resume(returning: $0) } }
      if isOnMainActor { MainQueue.addBlocking(handle) } else { Thread.detach(name: "event", handle) }
    }
  }
}
