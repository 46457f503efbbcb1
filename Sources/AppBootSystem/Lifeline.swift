#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Synchronization

/// The engine's end of a pipe that closes when the keeper dies: only the keeper holds the other end.
///
/// A thread of its own waits for this, because the other threads can be busy. It also reaps orphans that became
/// children of the engine, a subreaper.
enum Lifeline {
  #if os(Linux)

  /// Starts the thread that waits for the pipe to close. It inherits the caller's blocked signals.
  static func hold(_ descriptor: Int32) throws(SystemError) {
    try Thread.start(name: "appboot-lifeline", stackSize: 1 << 17) {
      var orphans = Orphans()
      while !Descriptor.wait(descriptor, for: Int32(POLLIN), until: MonotonicClock.now() + orphans.pause) {
        orphans.reap()
      }
      end()
    }
  }

  /// Ends every descendant, and this process as the keeper: killed, with its journal as it is.
  private static func end() -> Never {
    isLost.store(true, ordering: .sequentiallyConsistent)
    // A start that never returns must not keep this process alive.
    let deadline = MonotonicClock.now() + Descendants.limit
    repeat {
      Descendants.end()
    } while starts.load(ordering: .sequentiallyConsistent) > 0 && MonotonicClock.now() < deadline
    // A start that was under way when the last walk ended.
    Descendants.end()
    kill(getpid(), SIGKILL)
    while true { pause() }
  }

  #endif

  /// Blocks until this process ends if the keeper has died: the lifeline then kills the children, and their ends must
  /// not count as failures of steps.
  static func parkIfLost() {
    while isLost.load(ordering: .sequentiallyConsistent) { pause() }
  }

  /// Runs a function that starts a process. Never returns if the keeper has died.
  static func starting<Result>(_ start: () -> Result) -> Result {
    starts.add(1, ordering: .sequentiallyConsistent)
    if isLost.load(ordering: .sequentiallyConsistent) {
      starts.subtract(1, ordering: .sequentiallyConsistent)
      parkIfLost()
    }
    defer { starts.subtract(1, ordering: .sequentiallyConsistent) }
    return start()
  }
}

/// True once the keeper has died.
private let isLost = Atomic<Bool>(false)

/// The number of processes that are being started now.
private let starts = Atomic<Int>(0)

#if os(Linux)

/// The orphans among the children of an engine: what steps left running, and what became of it.
///
/// Nobody waits for them. They are reaped once they were found twice, at least a second apart, so that a child that
/// other code started and waits for is left to it.
private struct Orphans {
  private static let shortest: Int64 = 1_000_000_000
  private static let longest: Int64 = 8_000_000_000

  /// The nanoseconds until the next look: longer while there is nothing to reap.
  private(set) var pause = shortest
  private var found: Set<Int32> = []

  mutating func reap() {
    guard Self.isAnyEnded else {
      found = []
      pause = min(pause * 2, Self.longest)
      return
    }
    pause = Self.shortest
    let itself = getpid()
    let ended = ProcessEntry.all().filter { entry in
      entry.parent == itself && entry.state == UInt8(ascii: "Z") && !OwnChildren.contains(entry.process)
    }
    for entry in ended where found.contains(entry.process) { waitpid(entry.process, nil, WNOHANG) }
    found = Set(ended.map(\.process)).subtracting(found)
  }

  private static var isAnyEnded: Bool {
    var info = siginfo_t()
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
  }
}

#endif

/// The children that a ``Subprocess`` waits for; empty without a keeper.
enum OwnChildren {
  private static let children = Lock<Set<Int32>>([])

  static func insert(_ process: Int32) {
    if Keeper.isPresent { children.withLock { _ = $0.insert(process) } }
  }

  static func remove(_ process: Int32) {
    if Keeper.isPresent { children.withLock { _ = $0.remove(process) } }
  }

  static func contains(_ process: Int32) -> Bool { children.withLock { $0.contains(process) } }
}
