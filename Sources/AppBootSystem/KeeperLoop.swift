#if os(Linux)

import AppBootLibC

/// The work of the keeper: one thread that blocks all signals and waits for the next one.
struct KeeperLoop {
  private let engine: Int32
  /// True if the engine is in the process group of the keeper.
  private var sharesGroup: Bool
  /// The signal that stopped the engine; `nil` while the engine runs.
  private var engineStop: Int32?
  /// True from a Control-Z until the next CONT.
  private var isAskedToStop = false
  /// The settings of the terminal at the start; `nil` if the keeper was not in its foreground.
  private let terminal: Terminal.Settings?
  /// True if the keeper is outside of the namespace whose first process is its engine (``Isolation``).
  private let isOutside: Bool

  /// Runs the keeper until the engine ends. Then ends this process with the engine's exit code or signal.
  ///
  /// - Parameters:
  ///   - engine: The engine's process identifier.
  ///   - sharesGroup: True if the engine is in the process group of this process.
  ///   - lifeline: The end of the pipe that closes when this process ends.
  ///   - terminal: The settings of the terminal if this process is in its foreground; otherwise `nil`.
  ///   - isOutside: True if the engine is the first process of another namespace.
  static func run(
    engine: Int32, sharesGroup: Bool, lifeline: Int32, terminal: Terminal.Settings? = nil,
    isOutside: Bool = false
  ) -> Never {
    closeDescriptors(except: lifeline)
    var keeper = KeeperLoop(
      engine: engine, sharesGroup: sharesGroup, terminal: terminal, isOutside: isOutside)
    while true { keeper.handleNextSignal() }
  }

  private init(engine: Int32, sharesGroup: Bool, terminal: Terminal.Settings?, isOutside: Bool) {
    (self.engine, self.sharesGroup, self.terminal, self.isOutside) = (
      engine, sharesGroup, terminal, isOutside
    )
  }

  /// Closes the copies of descriptors that only the engine uses. The standard descriptors stay open.
  private static func closeDescriptors(except lifeline: Int32) {
    let kept = lifeline == 3 ? 3 : dup2(lifeline, 3)
    // Without close_range(2), Linux 5.9, the copies stay open until the engine ends.
    if kept == 3 { _ = linuxSyscall(LinuxSyscall.closeRange, 4, Int(UInt32.max), 0, 0, 0, 0) }
  }

  private mutating func handleNextSignal() {
    var all = sigset_t()
    sigfillset(&all)
    var info = siginfo_t()
    let signal = sigwaitinfo(&all, &info)
    switch signal {
    case ..<1: return
    case SIGCHLD: reap()
    case SIGTSTP: isAskedToStop = true
    case SIGCONT:
      isAskedToStop = false
      joinForeground()
    default: break
    }
    if ServiceManager.send(for: info, from: engine) { return }
    if signal != SIGCHLD, isForwarded(signal, info) { kill(engine, signal) }
    // The first process of a namespace cannot be stopped from inside.
    if isOutside, signal == SIGTSTP { raise(SIGSTOP) } else { stopWithEngine() }
  }

  /// Returns whether the keeper must forward a signal to the engine.
  ///
  /// The kernel (`si_code` above 0, sigaction(2)) sends a terminal's signals to the whole group. If the engine is in
  /// the same group it receives them too, and one Control-C must not count twice. Only a hang-up, and the CONT with it,
  /// is sent only to the leader of the session. The engine itself sends its group the TSTP of an interactive process.
  private func isForwarded(_ signal: Int32, _ info: siginfo_t) -> Bool {
    if Self.sender(of: info) == engine { return false }
    guard sharesGroup, info.si_code > 0 else { return true }
    return (signal == SIGHUP || signal == SIGCONT) && getsid(0) == getpid()
  }

  /// Returns the process that sent a signal by kill(2); 0 for any other signal.
  private static func sender(of info: siginfo_t) -> Int32 {
    info.si_code == 0 ? info.sender : 0  // SI_USER is 0 on Linux.
  }

  // MARK: - Children

  /// Reaps the children that have ended: the engine, and orphans that became children of this process.
  private mutating func reap() {
    while true {
      var status: Int32 = 0
      let child = retryingInterrupts { waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED) }
      if child <= 0 { return }
      guard child == engine else { continue }
      // The layout of a wait status (wait(2)); its macros are not imported.
      switch status & 0xFF {
      case 0x7F: engineStop = status >> 8 & 0xFF
      case 0xFF: engineStop = nil
      default: end(status)
      }
    }
  }

  /// Ends this process with the exit code or signal of the engine.
  ///
  /// After exit code 0, processes that a step left running continue to run. Otherwise ends all descendants first.
  private func end(_ status: Int32) -> Never {
    ServiceManager.sendPending(from: engine)
    // When the first process of a namespace ends, the kernel ends the others (pid_namespaces(7)).
    if status != 0, getpid() != 1 { Descendants.end() }
    // An engine that was killed could not take the terminal back from an interactive process.
    if status != 0, sharesGroup { Terminal.reclaim(with: terminal) }
    var signal = status & 0x7F
    let code = status >> 8 & 0xFF
    // The first process of a namespace cannot end by a signal of its own: it exits with 128 and the signal.
    if isOutside, signal == 0, Self.endingSignals.contains(code - 128) { signal = code - 128 }
    if signal == 0 { _exit(code) }
    // The engine has dumped its core, if it was to.
    var none = rlimit()
    setrlimit(Self.coreLimit, &none)
    Signals.raiseDefault(signal)
    // The first process of a namespace survives its own signals.
    _exit(128 + signal)
  }

  /// The signals that end a process by default. These are all signals except those that stop or resume a process, or do
  /// nothing.
  private static let endingSignals = Set(Signals.standard).subtracting([
    SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH,
  ])

  #if canImport(Glibc)
  private static let coreLimit = __rlimit_resource_t(RLIMIT_CORE.rawValue)
  #else
  private static let coreLimit = RLIMIT_CORE
  #endif

  // MARK: - Job control

  /// Stops this process if a signal of the terminal stopped the engine, so that a shell notices the stop.
  ///
  /// A STOP that was sent only to the engine does not stop this process.
  private mutating func stopWithEngine() {
    guard let signal = engineStop, signal != SIGSTOP || isAskedToStop else { return }
    engineStop = nil
    isAskedToStop = false
    if signal == SIGSTOP {
      raise(SIGSTOP)
    } else {
      Signals.raiseDefault(signal)
      SignalMask.blockAll()
    }
    // The CONT that ended the stop is pending here: it is forwarded next.
  }

  /// Moves the engine into this process's group if the group is in the foreground, where it can read the terminal.
  private mutating func joinForeground() {
    guard !sharesGroup, Terminal.isForeground else { return }
    sharesGroup = setpgid(engine, getpgrp()) == 0
  }
}

#endif
