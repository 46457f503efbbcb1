package import AppBootSystem

extension Subprocess {
  /// Sends a signal to the whole group if the process itself is running. Returns false if no signal was sent.
  @discardableResult
  package func kill(_ signal: Int32) -> Bool {
    end() == nil && killGroup(signal)
  }
}
