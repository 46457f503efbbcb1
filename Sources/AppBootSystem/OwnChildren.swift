import AppBootLibC

/// The children for which a ``Subprocess`` waits.
enum OwnChildren {
  private struct State {
    var known: Set<Int32> = []
    /// The number of processes that are being started now.
    var starts = 0
  }

  private static let state = Lock(State())

  /// Starts a process, and inserts it if the result is 0. Returns the result.
  ///
  /// Meanwhile the process may be an unknown child (``OwnProcesses``). A start may never return.
  static func insert(_ process: inout Int32, starting start: (inout Int32) -> Int32) -> Int32 {
    state.withLock { $0.starts += 1 }
    let code = start(&process)
    state.withLock { state in
      if code == 0 { state.known.insert(process) }
      state.starts -= 1
    }
    return code
  }

  static func remove(_ process: Int32) { remove(process) {} }

  /// Removes a process, and reaps it in the same moment: the system may give its number to the next own child.
  static func remove<Result>(_ process: Int32, reaping reap: () -> Result) -> Result {
    state.withLock { state in
      state.known.remove(process)
      return reap()
    }
  }

  static func contains(_ process: Int32) -> Bool { all.contains(process) }

  static var all: Set<Int32> { state.withLock(\.known) }

  /// True while a process is being started.
  static var isStarting: Bool { state.withLock(\.starts) > 0 }
}

/// The own children at one time, for a list of all processes that was read before.
struct OwnProcesses {
  /// True if a process is being started, which ``known`` may miss.
  let isStarting: Bool
  let known: Set<Int32>

  init() {
    isStarting = OwnChildren.isStarting
    known = OwnChildren.all
  }

  /// Returns whether a process with a parent may be an own child.
  func mayContain(_ process: Int32, childOf parent: Int32) -> Bool {
    known.contains(process) || (isStarting && parent == getpid())
  }
}
