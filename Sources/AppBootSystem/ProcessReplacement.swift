import AppBootLibC

/// The signal actions and the signal mask with which this process was started.
///
/// A program that replaces this one inherits ignored signals and the mask (`execve`, POSIX).
package struct InheritedSignals: Sendable {
  private let ignored: [Int32]
  private let mask: SignalMask

  /// Returns the current actions and the current mask. Call it on the main thread, before the first change.
  package static func current() -> InheritedSignals {
    InheritedSignals(ignored: Signals.standard.filter(Signals.isIgnored), mask: .current)
  }

  /// Restores the actions and the mask. A signal with a handler gets its default action.
  fileprivate func restore() {
    for signal in Signals.standard where signal != SIGKILL && signal != SIGSTOP {
      if ignored.contains(signal) { Signals.ignore(signal) } else { Signals.restoreDefault(signal) }
    }
    mask.restore()
  }
}

extension CurrentProcess {
  /// Replaces this program by another one. The process, its standard streams and its environment remain (`execve`).
  ///
  /// The program gets the signal actions, the mask and the limit of open files with which this process was started.
  /// Call it on the main thread.
  ///
  /// After a failed `execve` this process must end: its signals, limits and environment are prepared for the other
  /// program.
  ///
  /// The first process of a container starts the program as a child instead (``FirstProcess``).
  ///
  /// - Throws: An error if the program is not found or cannot be started.
  package static func replace(
    by arguments: [String], signals: InheritedSignals
  ) throws(SpawnError) -> Never {
    #if os(Linux) || os(macOS)
    let request = ProcessRequest(arguments)
    let program = try ProgramSearch.find(arguments.first ?? "", searchPath: ProgramSearch.path, from: nil)
    endByPendingSignal()
    GroupWatcher.end()
    let hasSockets = ServiceManager.socketCount > 0
    ServiceManager.release()
    OpenFiles.restore()
    #if os(Linux)
    // The variables of the sockets name the process that gets them.
    if Subreaper.isFirstProcess, !hasSockets { try FirstProcess.run(request) }
    Subreaper.stop()
    #endif
    signals.restore()
    _ = request.withArguments { execve(program, $0, ProcessEnvironment.block) }
    let code = errno
    // The caller reports the error, perhaps to a pipe whose reader has gone.
    Signals.ignoreBrokenPipes()
    throw request.explain(code, program)
    #else
    throw .other(SystemError(call: "start a program", path: arguments.first, code: ENOTSUP))
    #endif
  }

  /// Ends this process by a signal that has arrived, but was not read from a pipe yet.
  private static func endByPendingSignal() {
    for signal in SignalPipe.drainAll() where Signals.terminating.contains(signal) {
      Subreaper.endDescendants()
      Signals.raiseDefault(signal)
    }
  }
}
