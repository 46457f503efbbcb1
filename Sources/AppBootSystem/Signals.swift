import AppBootLibC

/// A namespace for signals by number and name. Its functions do not need the types of the C library.
package enum Signals {
  package static var hangup: Int32 { SIGHUP }
  package static var interrupt: Int32 { SIGINT }
  package static var quit: Int32 { SIGQUIT }
  package static var kill: Int32 { SIGKILL }
  package static var terminate: Int32 { SIGTERM }
  package static var user1: Int32 { SIGUSR1 }
  /// The numbers of all signals except real-time ones. This process does not change real-time signals.
  static var standard: ClosedRange<Int32> { 1...31 }
  /// The signals that ask a process to end.
  package static var terminating: [Int32] { [interrupt, terminate, hangup, quit] }
  /// The signals that request a progress report: `SIGUSR1`, and on Darwin `SIGINFO` (Control-T).
  package static var explaining: [Int32] {
    #if canImport(Darwin)
    [SIGUSR1, SIGINFO]
    #else
    [SIGUSR1]
    #endif
  }
  package static var user2: Int32 { SIGUSR2 }
  package static var windowChange: Int32 { SIGWINCH }
  package static var stop: Int32 { SIGSTOP }
  package static var resume: Int32 { SIGCONT }
  /// The signal of Control-Z.
  package static var terminalStop: Int32 { SIGTSTP }

  /// Returns the name of a signal, for example `SIGTERM`; `signal 42` if it has no portable name.
  package static func name(_ signal: Int32) -> String {
    names.first { $0.number == signal }?.name ?? "signal \(signal)"
  }

  /// Returns the signal with a name; `nil` if it is unknown.
  ///
  /// The name can have the prefix `SIG`, and can be in upper or lower case: `SIGTERM`, `term`.
  package static func number(named name: String) -> Int32? {
    let name = name.uppercased()
    return names.first { $0.name == name || $0.name.dropFirst(3) == name }?.number
  }

  /// The names of the signals without `SIG`.
  package static var shortNames: [String] { names.map { String($0.name.dropFirst(3)) } }

  /// Restores the default action of a signal.
  ///
  /// The kernel ignores default actions for the first process of a PID namespace (pid_namespaces(7)): there a signal of
  /// ``terminating`` gets a handler that exits with 128 and its number.
  package static func restoreDefault(_ signal: Int32) {
    set(signal, to: Subreaper.isFirstProcess && terminating.contains(signal) ? { _exit(128 + $0) } : SIG_DFL)
  }

  /// Ignores a signal.
  package static func ignore(_ signal: Int32) { set(signal, to: SIG_IGN) }

  /// Ignores `SIGPIPE`. Writing to a pipe without a reader then fails with `EPIPE`, and does not kill the process.
  package static func ignoreBrokenPipes() { ignore(SIGPIPE) }

  /// Ignores `SIGXFSZ`. Exceeding the file size limit then fails with `EFBIG`, and does not kill the process.
  package static func ignoreFileSizeLimits() { ignore(SIGXFSZ) }

  /// Returns whether a signal is ignored now. For example, `nohup` ignores `SIGHUP`.
  package static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    return address(of: action) == 1  // SIG_IGN is 1 on Linux and Darwin; SIG_DFL is 0.
  }

  /// Returns whether a signal has its default action now.
  static func hasDefaultAction(_ signal: Int32) -> Bool {
    var action = sigaction()
    return sigaction(signal, nil, &action) == 0 && address(of: action) == 0
  }

  /// Sends a signal to a process (`kill`, POSIX). Returns false if the process has ended or belongs to another user.
  @discardableResult
  package static func send(_ signal: Int32, to process: Int32) -> Bool {
    systemKill(process, signal) == 0
  }

  /// Kills this process with a signal, so that its parent sees the signal, and a shell reports 128 plus its number.
  ///
  /// It returns only if the signal's default action does not kill a process.
  package static func raiseDefault(_ signal: Int32) {
    restoreDefault(signal)
    // Before it is unblocked: a pending one would stop the process, and this one again after the CONT.
    raise(signal)
    SignalMask.unblock([signal])
  }

  private static func set(_ signal: Int32, to handler: sighandler) {
    _ = systemSignal(signal, handler)
  }

  private static func address(of action: sigaction) -> Int {
    #if canImport(Darwin)
    return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #elseif canImport(Musl)
    return unsafeBitCast(action.__sa_handler.sa_handler, to: Int.self)
    #else
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
  }

  private static var names: [(number: Int32, name: String)] {
    [
      (SIGHUP, "SIGHUP"), (SIGINT, "SIGINT"), (SIGQUIT, "SIGQUIT"), (SIGILL, "SIGILL"),
      (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"), (SIGBUS, "SIGBUS"), (SIGFPE, "SIGFPE"),
      (SIGKILL, "SIGKILL"), (SIGUSR1, "SIGUSR1"), (SIGSEGV, "SIGSEGV"), (SIGUSR2, "SIGUSR2"),
      (SIGPIPE, "SIGPIPE"), (SIGALRM, "SIGALRM"), (SIGTERM, "SIGTERM"), (SIGCHLD, "SIGCHLD"),
      (SIGCONT, "SIGCONT"), (SIGSTOP, "SIGSTOP"), (SIGTSTP, "SIGTSTP"), (SIGTTIN, "SIGTTIN"),
      (SIGTTOU, "SIGTTOU"), (SIGURG, "SIGURG"), (SIGXCPU, "SIGXCPU"), (SIGXFSZ, "SIGXFSZ"),
      (SIGVTALRM, "SIGVTALRM"), (SIGPROF, "SIGPROF"), (SIGWINCH, "SIGWINCH"), (SIGIO, "SIGIO"),
      (SIGSYS, "SIGSYS"),
    ]
  }
}

#if canImport(Darwin)
private typealias sighandler = sig_t?
#else
private typealias sighandler = (@convention(c) (Int32) -> Void)?
#endif

/// Calls kill(2). The separate name is needed because `Signals.kill` hides the function.
private func systemKill(_ process: Int32, _ number: Int32) -> Int32 { kill(process, number) }

/// Calls signal(2), and always returns true. The separate name is needed because parameters named `signal` hide the
/// function.
private func systemSignal(_ number: Int32, _ handler: sighandler) -> Bool {
  signal(number, handler)
  return true
}

/// The signals that are blocked in a thread (`pthread_sigmask`, POSIX).
struct SignalMask: Sendable {
  private let set: sigset_t

  /// The mask of the calling thread.
  static var current: SignalMask { change(SIG_BLOCK, none) }

  /// Blocks all signals in the calling thread. Returns the previous mask.
  @discardableResult
  static func blockAll() -> SignalMask {
    var all = sigset_t()
    sigfillset(&all)
    return change(SIG_SETMASK, all)
  }

  /// Blocks a signal in the calling thread. Returns the previous mask.
  static func block(_ signal: Int32) -> SignalMask { change(SIG_BLOCK, only([signal])) }

  /// Unblocks signals in the calling thread.
  static func unblock(_ signals: [Int32]) { _ = change(SIG_UNBLOCK, only(signals)) }

  /// Makes this mask the mask of the calling thread.
  func restore() { _ = Self.change(SIG_SETMASK, set) }

  private static var none: sigset_t { only([]) }

  private static func only(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }

  private static func change(_ how: Int32, _ set: sigset_t) -> SignalMask {
    var set = set
    var before = sigset_t()
    pthread_sigmask(how, &set, &before)
    return SignalMask(set: before)
  }
}

/// The policy for the end of a launch or an app: the effect of a signal, after those before it.
///
/// | | first signal | the same within 50 ms | another, or the same later |
/// |---|---|---|---|
/// | `INT`, `TERM`, `HUP` | end | nothing | end at once |
/// | `QUIT` | end at once | nothing | end at once |
package struct TerminationPolicy: Sendable {
  /// The effect of a signal.
  package enum Effect: Sendable {
    /// The end begins. If it has already begun, it no longer waits for slow readers and handlers.
    case end
    case nothing
    /// The process ends by the signal.
    case endAtOnce
  }

  /// The nanoseconds within which the same signal counts as sent twice. timeout(1) does this: it sends a signal to a
  /// process and to its group.
  package static let repetition: Int64 = 50_000_000

  /// The first signal; `nil` before it arrives.
  package private(set) var signal: Int32?
  private var time: Int64 = 0
  /// True if the first `INT` ends the process at once, because nothing has to be stopped.
  private let interruptsAtOnce: Bool

  package init(interruptsAtOnce: Bool = false) { self.interruptsAtOnce = interruptsAtOnce }

  /// Returns the effect of a signal that arrived at a time of the monotonic clock.
  package mutating func receive(_ signal: Int32, at now: Int64) -> Effect {
    if let first = self.signal {
      return first == signal && now - time < Self.repetition ? .nothing : .endAtOnce
    }
    (self.signal, time) = (signal, now)
    return signal == Signals.quit || (signal == Signals.interrupt && interruptsAtOnce) ? .endAtOnce : .end
  }
}
