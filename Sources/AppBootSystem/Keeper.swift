import AppBootLibC

/// The keeper: a process above the *engine*, which does the work. If one of the two dies, the other ends all
/// descendants.
///
/// ```
/// shell ─ keeper ─ engine ─ processes of the steps
/// ```
///
/// - The keeper is the process that was started. It forwards signals, reaps orphans, and ends with the engine's exit
///   code or signal. If the engine fails or dies, the keeper ends all processes that are left.
/// - The engine is the keeper's child, and does all other work. If the keeper dies, the ``Lifeline`` ends all
///   descendants of the engine, and then the engine.
/// - Both are subreapers (`PR_SET_CHILD_SUBREAPER`, prctl(2)). A process that leaves its group and its session
///   therefore remains their descendant.
///
/// The engine is in a separate process group. It thus survives a KILL of the keeper's group, and can end the other
/// processes. In the foreground of a terminal it is in the keeper's group, because only that group can read the
/// terminal.
///
/// It exists only on Linux. Darwin has no subreaper, and uses a ``GroupWatcher``.
package enum Keeper {
  /// A Boolean that is true in an engine, which has a keeper.
  static var isPresent: Bool { localIdentifier != 0 }

  /// The identifier of the keeper in the PID namespace of its engine; 0 outside of an engine.
  static var localIdentifier: Int32 { keeper.withLock(\.self) }

  /// A Boolean that is true if this is the first process of its PID namespace, as in a container.
  package static var isFirstProcess: Bool { getpid() == 1 }

  #if os(Linux)

  /// Splits this process. The original process becomes the keeper, and the call returns in its child, the engine.
  ///
  /// In these cases it starts no keeper, and throws no error:
  /// - This process has a second thread: a fork copies only the calling one.
  /// - It runs under a debugger, which would remain with the keeper.
  /// - There is no `/proc`, which lists the descendants.
  ///
  /// - Parameter ownsChildren: True if no other code of this process starts children. An engine below the first
  ///   process of a container then reaps each orphan when it ends.
  /// - Returns: True in an engine.
  @discardableResult
  package static func start(ownsChildren: Bool = false) throws(SystemError) -> Bool {
    if isPresent { return true }
    guard OwnStatus.read().allowsFork else { return false }
    let lifeline = try Descriptor.makePipe()
    // An ignored SIGCHLD, which is inherited, would discard the exit codes of children (waitid, POSIX).
    Signals.restoreDefault(SIGCHLD)
    let parent = getpid()
    let (sharesGroup, terminal) =
      Terminal.withControlling { terminal in
        let sharesGroup = Isolation.isActive ? Isolation.sharesGroup : Terminal.isForeground(of: terminal)
        return (sharesGroup, sharesGroup ? Terminal.Settings(of: terminal) : nil)
      } ?? (Isolation.isActive && Isolation.sharesGroup, nil)
    // The keeper waits for signals and must not miss one. The lifeline's thread must not handle one.
    let mask = Isolation.earlierMask.withLock(\.self) ?? SignalMask.blockAll()
    let child = ForkedThread.fork()
    if child > 0 {
      _ = linuxProcessControl(ProcessControl.setSubreaper, 1, 0, 0, 0)
      KeeperLoop.run(
        engine: child, sharesGroup: sharesGroup, lifeline: lifeline.write, terminal: terminal)
    }
    let code = errno
    if child == 0, !sharesGroup { setpgid(0, 0) }
    Descriptor.close(lifeline.write)
    guard child == 0 else {
      Descriptor.close(lifeline.read)
      mask.restore()
      throw SystemError(call: "start the keeper", code: code)
    }
    defer { mask.restore() }
    keeper.withLock { $0 = parent }
    StartedProcess.set(parent, keeps: true)
    _ = linuxProcessControl(ProcessControl.setSubreaper, 1, 0, 0, 0)
    // A stopped engine could not notice the end of its keeper.
    _ = linuxProcessControl(ProcessControl.setParentDeathSignal, Int(SIGCONT), 0, 0, 0)
    try Lifeline.hold(lifeline.read)
    if ownsChildren, parent == 1 { try Lifeline.reapOrphansAtOnce() }
    return true
  }

  /// Prepares an engine that becomes another program. It no longer adopts orphans, and ends when its keeper ends.
  static func prepareReplacement() {
    guard isPresent else { return }
    _ = linuxProcessControl(ProcessControl.setSubreaper, 0, 0, 0, 0)
    _ = linuxProcessControl(ProcessControl.setParentDeathSignal, Int(SIGKILL), 0, 0, 0)
    // The keeper died before the call: the lifeline's thread ends this process.
    if getppid() != localIdentifier { while true { pause() } }
  }

  #else

  /// Does nothing, because this system has no keeper.
  static func prepareReplacement() {}

  /// Returns false, because this system has no keeper.
  @discardableResult
  package static func start(ownsChildren: Bool = false) throws(SystemError) -> Bool { false }

  #endif
}

/// The identifier of the keeper; 0 outside of an engine.
private let keeper = Lock<Int32>(0)

#if os(Linux)

/// The options of prctl(2). Swift does not import the macros.
private enum ProcessControl {
  static var setParentDeathSignal: Int32 { 1 }
  static var setSubreaper: Int32 { 36 }
}

/// The facts in `/proc/self/status` that decide whether this process can be split into keeper and engine.
struct OwnStatus: Equatable {
  var isTraced: Bool
  var threads: Int?

  /// True if this process can be split: it has one thread and no debugger.
  var allowsFork: Bool { threads == 1 && !isTraced }

  static func read() -> OwnStatus {
    // "Threads" is below a list of groups, which can be long.
    OwnStatus((try? FileSystem.readFile("/proc/self/status", limit: 1 << 16)) ?? [])
  }

  init(_ status: [UInt8]) {
    isTraced = Debugger.isTraced(status: status)
    for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: "Threads:".utf8) {
      threads = Int(String(decoding: line.dropFirst(8).drop { $0 < 0x30 }, as: UTF8.self))
    }
  }
}

#endif
