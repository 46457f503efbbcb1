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
