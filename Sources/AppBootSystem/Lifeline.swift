import AppBootLibC

/// The engine's end of a pipe that closes when the keeper dies. Only the keeper has the other end.
///
/// A separate thread waits for that, because other threads can be busy. It also reaps orphans that became children of
/// the engine, which is a subreaper.
enum Lifeline {
  #if os(Linux)

  /// Starts the thread that waits until the pipe closes. The thread inherits the caller's blocked signals.
  static func hold(_ descriptor: Int32) throws(SystemError) {
    try Thread.start(name: "appboot-lifeline", stackSize: 1 << 17) {
      var orphans = Orphans()
      while !Descriptor.wait(descriptor, for: Int32(POLLIN), until: MonotonicClock.now() + orphans.pause) {
        orphans.reap()
      }
      end()
    }
  }

  /// Starts a thread that reaps each orphan when it ends. Call it if no other code of this process starts children.
  static func reapOrphansAtOnce() throws(SystemError) {
    try Thread.start(name: "appboot-orphans", stackSize: 1 << 17) {
      let (shortest, longest): (UInt32, UInt32) = (5000, 250_000)
      var pause = shortest
      while true {
        var info = siginfo_t()
        // It returns at once while a child has ended that a `Subprocess` waits for.
        let hasReaped = waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) == 0 && reapOrphans()
        pause = hasReaped ? shortest : min(2 * pause, longest)
        usleep(pause)
      }
    }
  }

  /// Reaps the orphans that have ended. Returns false if there were none, or if a process is being started.
  private static func reapOrphans() -> Bool {
    let ended = Orphans.ended()
    // A process that is being started is not known as an own child yet.
    guard !isStarting else { return false }
    let orphans = ended.filter { !OwnChildren.contains($0) }
    for orphan in orphans { waitpid(orphan, nil, WNOHANG) }
    return !orphans.isEmpty
  }

  /// Ends all descendants, and then kills this process. The journal is not completed.
  private static func end() -> Never {
    state.withLock { $0.isLost = true }
    // A start that never returns must not keep this process alive.
    let deadline = MonotonicClock.now() + Descendants.limit
    repeat {
      Descendants.end()
    } while isStarting && MonotonicClock.now() < deadline
    // A start that was under way when the last walk ended.
    Descendants.end()
    kill(getpid(), SIGKILL)
    while true { pause() }
  }

  #endif

  /// Blocks the calling thread until this process ends, if the keeper has died. Otherwise returns at once.
  ///
  /// The lifeline then kills the children. Their ends must not count as failures of steps.
  static func parkIfLost() {
    while state.withLock(\.isLost) { pause() }
  }

  /// True while a process is being started.
  static var isStarting: Bool { state.withLock(\.starts) > 0 }

  /// Runs a function that starts a process, and returns its result. Never returns if the keeper has died.
  static func starting<Result>(_ start: () -> Result) -> Result {
    let isLost = state.withLock { state in
      if !state.isLost { state.starts += 1 }
      return state.isLost
    }
    if isLost { parkIfLost() }
    defer { state.withLock { $0.starts -= 1 } }
    return start()
  }
}

private struct LifelineState {
  /// True after the keeper has died.
  var isLost = false
  /// The number of processes that are being started now.
  var starts = 0
}

private let state = Lock(LifelineState())

#if os(Linux)

/// The orphans among the children of an engine: processes that steps left running, and their descendants.
///
/// No other code waits for them. An orphan is reaped when it was found twice, at least a second apart. Thus a child
/// that other code started and waits for is left to that code.
private struct Orphans {
  private static let shortest: Int64 = 1_000_000_000
  private static let longest: Int64 = 8_000_000_000

  /// The nanoseconds until the next search. It grows while there is nothing to reap.
  private(set) var pause = shortest
  private var found: Set<Int32> = []

  mutating func reap() {
    guard Self.isAnyEnded else {
      found = []
      pause = min(pause * 2, Self.longest)
      return
    }
    pause = Self.shortest
    let ended = Self.ended().filter { !OwnChildren.contains($0) }
    for orphan in ended where found.contains(orphan) { waitpid(orphan, nil, WNOHANG) }
    found = Set(ended).subtracting(found)
  }

  /// Returns the children of this process that have ended and are not reaped.
  static func ended() -> [Int32] {
    let itself = getpid()
    return ProcessEntry.all().filter { $0.parent == itself && $0.state == UInt8(ascii: "Z") }.map(\.process)
  }

  private static var isAnyEnded: Bool {
    var info = siginfo_t()
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
  }
}

#endif

/// The children for which a ``Subprocess`` waits.
enum OwnChildren {
  private static let children = Lock<Set<Int32>>([])

  /// Starts a process, and inserts it if the result is 0. Returns the result.
  ///
  /// Between the two, the process is an unknown child (``OwnProcesses``). A start may never return.
  static func insert(_ process: inout Int32, starting start: (inout Int32) -> Int32) -> Int32 {
    let code = start(&process)
    if code == 0 { _ = children.withLock { $0.insert(process) } }
    return code
  }

  static func remove(_ process: Int32) { remove(process) {} }

  /// Removes a process, and reaps it in the same moment: the system may give its number to the next own child.
  static func remove<Result>(_ process: Int32, reaping reap: () -> Result) -> Result {
    children.withLock { children in
      children.remove(process)
      return reap()
    }
  }

  static func contains(_ process: Int32) -> Bool { all.contains(process) }

  static var all: Set<Int32> { children.withLock(\.self) }
}

/// The own children at one time, for a list of all processes that was read before.
struct OwnProcesses {
  /// True if a process is being started, which ``known`` may miss.
  let isStarting: Bool
  let known: Set<Int32>

  init() {
    isStarting = Lifeline.isStarting
    known = OwnChildren.all
  }

  /// Returns whether a process with a parent may be an own child.
  func mayContain(_ process: Int32, childOf parent: Int32) -> Bool {
    known.contains(process) || (isStarting && parent == getpid())
  }
}
