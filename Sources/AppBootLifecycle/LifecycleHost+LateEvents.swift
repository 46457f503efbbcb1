import AppBoot

extension LifecycleHost {
  /// Returns a function that handles the events which commands emit after their run has ended.
  ///
  /// The function returns false if the host has ended or was deallocated. An event of scenes belongs to `session`, if
  /// that is not `nil`.
  func lateReceiver(in session: SceneSession?) -> @Sendable (String, String?) -> Bool {
    { [weak self, weak session] name, payload in
      guard let self, !hasEnded else { return false }
      receive(emitted: EmittedEvent(name: name, payload: payload), in: session)
      return true
    }
  }
}
