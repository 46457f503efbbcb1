import AppBootSystem

extension LifecycleHost {
  /// Handles an event and returns its outcome. For `didFinishLaunching`, it returns when the
  /// launch's commands have ended.
  ///
  /// Handlers can block. A new thread runs them, or on Apple's systems the main thread if the caller is on the main
  /// actor.
  @discardableResult
  public func receive(
    _ event: LifecycleEvent, isolation: isolated (any Actor)? = #isolation
  ) async -> LifecycleOutcome {
    await withCheckedContinuation { continuation in
      let handle = { @Sendable in self.receive(event) { continuation.resume(returning: $0) } }
      #if canImport(Darwin)
      // In the run loop, the handlers can serve the main actor.
      if isolation === MainActor.shared { return MainQueue.add(handle) }
      #endif
      Thread.detach(name: "event", handle)
    }
  }
}
