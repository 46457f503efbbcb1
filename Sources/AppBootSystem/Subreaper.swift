import AppBootC
import AppBootLibC

/// The adoption of orphans: a process whose parent has ended becomes a child of this process.
///
/// A process that leaves its group and its session thus remains a descendant of this one, which can end it. Only
/// Linux has subreapers (`PR_SET_CHILD_SUBREAPER`, prctl(2)).
package enum Subreaper {
  /// A Boolean that is true if this is the first process of its PID namespace, as in a container.
  package static var isFirstProcess: Bool { getpid() == 1 }

  #if os(Linux)

  /// The children from before ``start(ownsChildren:)``, for example of the shell that this program has replaced; `nil`
  /// if this process adopts no orphans.
  private static let earlier = Lock<Set<ProcessEntry.Identity>?>(nil)

  /// A Boolean that is true if this process adopts orphans.
  static var isActive: Bool { earlier.withLock { $0 != nil } }

  /// Makes this process adopt orphans, and starts a thread that reaps them.
  ///
  /// - Parameter ownsChildren: True if no other code of this process starts children. The first process of a container
  ///   then reaps each orphan when it ends.
  package static func start(ownsChildren: Bool) throws(SystemError) {
    if isActive { return }
    earlier.withLock { $0 = Set(ProcessEntry.children().map(\.identity)) }
    // An ignored SIGCHLD, which is inherited, would discard the exit codes of children (waitid, POSIX).
    Signals.restoreDefault(SIGCHLD)
    _ = appboot_prctl(36, 1, 0, 0, 0)  // PR_SET_CHILD_SUBREAPER
    // The thread must not handle a signal.
    let mask = SignalMask.blockAll()
    defer { mask.restore() }
    try Thread.start(name: "appboot-orphans", stackSize: 1 << 17) {
      if ownsChildren, isFirstProcess { Orphans.reapAtOnce() }
      Orphans.reapLater(after: ownsChildren ? 100_000_000 : 1_000_000_000)
    }
  }

  /// Asks all descendants but the children from before ``start(ownsChildren:)`` to end (TERM), and kills those that
  /// still run after their grace period.
  ///
  /// Does nothing if this process adopts no orphans.
  ///
  /// - Parameter grace: The grace period in nanoseconds; 0 to kill them at once.
  package static func endDescendants(grace: Int64 = 0) {
    // When the first process of a namespace ends, the kernel kills the others (pid_namespaces(7)).
    if isActive, grace > 0 || !isFirstProcess { endAll(grace: grace) }
  }

  /// Lets a child and its descendants continue to run after ``endDescendants(grace:)``.
  package static func spare(_ child: Int32) {
    if let entry = ProcessEntry.of(child) { earlier.withLock { _ = $0?.insert(entry.identity) } }
  }

  static func endAll(grace: Int64) { Descendants.end(sparing: earlier.withLock { $0 ?? [] }, grace: grace) }

  /// Adopts no further orphans, because another program replaces this one. It would inherit the attribute.
  static func stop() { _ = appboot_prctl(36, 0, 0, 0, 0) }

  #else

  /// Does nothing, because this system has no subreapers.
  package static func start(ownsChildren: Bool) throws(SystemError) {}

  /// Does nothing, because this system has no subreapers.
  package static func spare(_ child: Int32) {}

  /// Does nothing, because this system has no subreapers.
  package static func endDescendants(grace: Int64 = 0) {}

  #endif
}

#if os(Linux)

/// The orphans among the children of a subreaper: processes that steps left running, and their descendants.
private struct Orphans {
  /// The maximum factor by which the time between two searches grows while there is nothing to reap.
  private static let mostGrowth: Int64 = 8

  /// The nanoseconds after which a child that has ended is reaped, although it may be one that is being started.
  private static let longestStart: Int64 = 1_000_000_000

  /// A child that has ended and that this process does not wait for.
  private struct Ended {
    let since: Int64
    /// True if no process was being started after the child was found. It is then no own child.
    var isOrphan: Bool
  }

  /// The shortest time between two searches, in nanoseconds.
  private let shortest: Int64
  private var pause: Int64
  private var found: [Int32: Ended] = [:]

  private init(shortest: Int64) { (self.shortest, pause) = (shortest, shortest) }

  /// Reaps an orphan that was found twice, at least the given nanoseconds apart.
  ///
  /// A child that other code started and waits for is thus left to that code. Each search for the family of a process
  /// reads all orphans that are not reaped.
  static func reapLater(after shortest: Int64) -> Never {
    var orphans = Orphans(shortest: shortest)
    while true {
      poll(nil, 0, Int32(orphans.pause / 1_000_000))
      orphans.reap()
    }
  }

  /// Reaps each orphan when it ends.
  static func reapAtOnce() -> Never {
    let (shortest, longest): (UInt32, UInt32) = (5000, 250_000)
    var pause = shortest
    while true {
      var info = siginfo_t()
      // It returns at once while a child has ended that a `Subprocess` waits for.
      let hasReaped = waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) == 0 && reapAll()
      pause = hasReaped ? shortest : min(2 * pause, longest)
      usleep(pause)
    }
  }

  /// Reaps the orphans that have ended. Returns false if there were none, or if a process is being started.
  private static func reapAll() -> Bool {
    let ended = ended()
    // A process that is being started is not known as an own child yet.
    guard !OwnChildren.isStarting else { return false }
    let orphans = ended.filter { !OwnChildren.contains($0) }
    for orphan in orphans { reap(orphan) }
    return !orphans.isEmpty
  }

  private mutating func reap() {
    guard Self.anyEnded != nil else {
      found = [:]
      pause = min(pause * 2, Self.mostGrowth * shortest)
      return
    }
    pause = shortest
    let (ended, isStarting, own) = (Self.ended(), OwnChildren.isStarting, OwnChildren.all)
    var left: [Int32: Ended] = [:]
    for child in ended where !own.contains(child) {
      if let earlier = found[child],
        earlier.isOrphan || MonotonicClock.now() - earlier.since >= Self.longestStart
      {
        Self.reap(child)
      } else {
        left[child] = Ended(since: found[child]?.since ?? MonotonicClock.now(), isOrphan: !isStarting)
      }
    }
    found = left
  }

  private static func reap(_ orphan: Int32) {
    // It may be a released child, whose number the system gives to another process now.
    GroupWatcher.remove(orphan)
    waitpid(orphan, nil, WNOHANG)
  }

  /// Returns the children of this process that have ended and are not reaped. Without /proc, it returns one of them.
  private static func ended() -> [Int32] {
    let children = ProcessEntry.allChildren()
    if children.isEmpty { return anyEnded.map { [$0] } ?? [] }
    return children.filter { $0.state == UInt8(ascii: "Z") }.map(\.process)
  }

  private static var anyEnded: Int32? {
    var info = siginfo_t()
    guard waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo != 0 else { return nil }
    #if canImport(Musl)
    return info.__si_fields.__si_common.__first.__piduid.si_pid
    #else
    return info._sifields._sigchld.si_pid
    #endif
  }
}

#endif

#if os(Linux)

import AppBootLibC

/// The first process of a PID namespace, as in a container, above the program that follows a launch.
///
/// The program is its child. If it were the first process itself, it would ignore signals without a handler, and would
/// have to reap orphans (pid_namespaces(7)).
enum FirstProcess {
  /// The forwarded signals. Excluded are those that cannot be handled, or that report an error of this process.
  private static let forwarded: [Int32] = Array(
    Set(Signals.standard).subtracting([
      SIGKILL, SIGSTOP, SIGCHLD, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
    ]))

  /// Starts a program, forwards signals to it, and ends as it ends: with its exit code, or with 128 and its signal.
  ///
  /// The program is in the foreground of the terminal if this process is, so a terminal's signals reach it only once.
  ///
  /// - Throws: An error if the program cannot be started.
  static func run(_ request: ProcessRequest) throws(SpawnError) -> Never {
    var request = request
    request.passing = [0, 1, 2]
    request.startsInForeground = Terminal.isForeground
    let signals: SignalPipe
    // SIGCHLD also reports that the child has stopped.
    do throws(SystemError) { signals = try SignalPipe.install(forwarded + [SIGCHLD]) } catch {
      throw .other(error)
    }
    let (child, ended) = try request.startWatched()
    while true {
      for signal in signals.drain() where signal != SIGCHLD {
        Signals.send(signal, to: child.processIdentifier)
      }
      // No shell could resume it after Control-Z. PID 1 would ignore the signal.
      if let signal = child.stopSignal, [SIGTSTP, SIGTTIN, SIGTTOU].contains(signal) {
        child.killGroup(SIGCONT)
      }
      switch child.end() {
      case .exited(let code): _exit(code)
      case .signalled(let signal): _exit(128 + signal)
      case nil: break
      }
      var entries = [signals.readDescriptor, ended].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&entries, nfds_t(entries.count), -1)
    }
  }
}

#endif
