extension Thread {
  /// Runs `body` on a new detached thread. If the system cannot start one, runs it on the calling thread.
  package static func detach(name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(SystemError) {
      try start(name: name, body)
    } catch {
      body()
    }
  }
}
