import AppBootLibC

/// The process that a user started: this one, or a process above it that keeps it.
package enum StartedProcess {
  private struct State {
    /// The process above this one; `nil` without one.
    var above: Int32?
    /// True if that process is outside of this one's PID namespace.
    var isOutside = false
    var isKept = false
  }

  private static let state = Lock(State())

  /// A Boolean that is true if this process has a keeper.
  package static var isKept: Bool { state.withLock(\.isKept) }

  /// The identifier of the process.
  package static var identifier: Int32 { state.withLock(\.above) ?? getpid() }

  /// Sets a process above this one. Only the first call counts: the outermost process is the one that was started.
  ///
  /// - Parameters:
  ///   - isOutside: True if it is outside of this process's PID namespace.
  ///   - keeps: True if it is the keeper of this process.
  package static func set(_ process: Int32, isOutside: Bool = false, keeps: Bool = false) {
    state.withLock { state in
      state.isKept = state.isKept || keeps
      if state.above == nil { (state.above, state.isOutside) = (process, isOutside) }
    }
  }

  /// Returns whether a process has ended. If it has, waits 10 ms before returning.
  ///
  /// In a PID namespace of its own it returns false at once, because it cannot see processes outside.
  ///
  /// Call it before the next attempt to get a lock: a killed keeper ends some milliseconds before its engine, which may
  /// still hold the lock.
  package static func pauseIfEnded(_ process: Int32) -> Bool {
    // A process outside of the namespace cannot be seen, and would seem to have ended.
    if state.withLock(\.isOutside) || kill(process, 0) == 0 { return false }
    poll(nil, 0, 10)
    return true
  }
}
