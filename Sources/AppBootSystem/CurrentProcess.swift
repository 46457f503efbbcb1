import AppBootLibC

/// A namespace for functions about the process in which this code runs.
package enum CurrentProcess {
  /// The first argument after the program's name that is not valid UTF-8; `nil` if all are valid.
  ///
  /// Its invalid bytes are replaced by U+FFFD. POSIX arguments are bytes, and `CommandLine.arguments` repairs them
  /// silently.
  package static var argumentNotUTF8: String? {
    for bytes in pointers.dropFirst() where String(validatingCString: bytes) == nil {
      return String(cString: bytes)
    }
    return nil
  }

  /// The arguments of the process, the first of which is the program's name. Invalid UTF-8 is replaced by U+FFFD.
  package static var arguments: [String] { pointers.map { String(cString: $0) } }

  private static var pointers: [UnsafeMutablePointer<CChar>] {
    // Swift reads /proc/self/cmdline, and has no argument at all without it.
    if CommandLine.argc == 0 { return initialArguments }
    return (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
  }

  /// The arguments on the initial stack of the process; empty if variables were set since its start.
  ///
  /// The stack has their number, the arguments, zero, and then the variables (System V ABI, "Process Initialization").
  private static var initialArguments: [UnsafeMutablePointer<CChar>] {
    guard let variables = ProcessEnvironment.block, (variables - 1).pointee == nil else { return [] }
    var arguments: [UnsafeMutablePointer<CChar>] = []
    while let argument = (variables - 2 - arguments.count).pointee,
      Int(bitPattern: argument) != arguments.count
    {
      arguments.append(argument)
    }
    return arguments.reversed()
  }

  /// True if the executable gave this process the rights of another user or group (set-user-ID, execve(2)).
  package static var isSetUserID: Bool { geteuid() != getuid() || getegid() != getgid() }

  /// Opens `/dev/null` for each standard descriptor (0, 1, 2) that is closed.
  ///
  /// Otherwise a file that is opened later could get one of these numbers, and the process would write its output into
  /// that file. Reading from 0 and writing to 1 or 2 still fails with `EBADF`, as it does for a closed descriptor.
  package static func keepStandardDescriptors() {
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Ends the process after running the functions that were registered with `atexit` (`exit`, POSIX).
  package static func exit(_ code: Int32) -> Never { systemExit(code) }

  /// Ends the process at once, without `atexit` functions and without waiting for other threads (`_exit`, POSIX).
  package static func exitAtOnce(_ code: Int32) -> Never { _exit(code) }
}

/// Calls exit(3). The separate name is needed because `CurrentProcess.exit` hides the function.
private func systemExit(_ code: Int32) -> Never { exit(code) }

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

extension ProcessEnvironment {
  /// Sets or removes a variable (`setenv`, POSIX). It is not thread-safe: use it in tests, or before other threads
  /// start.
  package static func set(_ name: String, to value: String?) {
    if let value { setenv(name, value, 1) } else { unsetenv(name) }
  }
}

/// A check for a debugger of this process.
package enum Debugger {
  /// A Boolean that is true if a debugger is attached now. It is false if the system does not say.
  ///
  /// It reads `TracerPid` in `/proc/self/status` on Linux (proc(5)), and `P_TRACED` with `sysctl` on Darwin (Apple's
  /// QA1361).
  package static var isAttached: Bool {
    #if canImport(Darwin)
    var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
    var info = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    guard sysctl(&name, UInt32(name.count), &info, &size, nil, 0) == 0 else { return false }
    return info.kp_proc.p_flag & P_TRACED != 0
    #else
    // TracerPid is among the first ten lines.
    let status = (try? FileSystem.readStart(of: "/proc/self/status", limit: 1024)) ?? []
    return String(decoding: status, as: UTF8.self).split(separator: "\n").contains { line in
      line.hasPrefix("TracerPid:") && line.contains { ("1"..."9").contains($0) }
    }
    #endif
  }
}
