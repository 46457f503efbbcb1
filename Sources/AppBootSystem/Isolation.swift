import AppBootLibC

/// A PID namespace around a launch (pid_namespaces(7)). When its first process ends, the kernel ends all its processes.
///
/// ```
/// shell ─ outside keeper ─┃─ first process, the keeper of the engine ─ engine ─ processes of the steps
/// ```
///
/// The outside keeper is the original process. It only forwards signals. If it ends, the kernel kills the first process
/// (`PR_SET_PDEATHSIG`, prctl(2)). So no process survives a KILL of any of the three, or of all.
///
/// A process that is not root also gets a user namespace (user_namespaces(7)), in which it has the same user.
package enum Isolation {
  /// A reason why no namespace can be created.
  package enum Failure: Error, Equatable, Sendable {
    /// The system has no PID namespaces.
    case notLinux
    /// This process cannot be forked: it has a second thread or a debugger, or it runs more than the tool.
    case notDivisible
    /// The system refused a call. The value is its error.
    case refused(SystemError)
  }

  /// The identifier of the original process outside of the namespace; `nil` if ``start()`` has not created one.
  static var startedProcess: Int32? { state.withLock(\.startedProcess) }

  /// A Boolean that is true in a namespace that ``start()`` created.
  package static var isActive: Bool { startedProcess != nil }

  /// A Boolean that is true if the outside keeper and this process are in one group, which is in the terminal's
  /// foreground.
  static var sharesGroup: Bool { state.withLock(\.sharesGroup) }

  #if os(Linux)

  /// Moves this program into a namespace. The original process becomes the outside keeper, and the call returns in its
  /// child.
  ///
  /// Signals stay blocked in the child until ``Keeper/start()``. Without a keeper they would be lost. An error after
  /// the fork is thrown in the child. The outside keeper then exits with the child's exit code.
  package static func start() throws(Failure) {
    guard OwnStatus.read().allowsFork else { throw .notDivisible }
    try unshare()
    let lifeline: (read: Int32, write: Int32)
    do throws(SystemError) { lifeline = try Descriptor.makePipe() } catch { throw .refused(error) }
    Signals.restoreDefault(SIGCHLD)
    let outside = getpid()
    let sharesGroup = Terminal.isForeground
    let mask = SignalMask.blockAll()
    let child = ForkedThread.fork()
    if child > 0 {
      KeeperLoop.run(engine: child, sharesGroup: sharesGroup, lifeline: lifeline.write, isOutside: true)
    }
    let code = errno
    Descriptor.close(lifeline.write)
    defer { Descriptor.close(lifeline.read) }
    guard child == 0 else {
      mask.restore()
      throw .refused(SystemError(call: "start the keeper", code: code))
    }
    earlierMask.withLock { $0 = mask }
    if !sharesGroup { setpgid(0, 0) }
    _ = linuxProcessControl(1, Int(SIGKILL), 0, 0, 0)  // PR_SET_PDEATHSIG
    // The outside keeper ended before that call.
    if Descriptor.wait(lifeline.read, for: Int32(POLLIN), until: 0) { _exit(1) }
    state.withLock { $0 = IsolationState(startedProcess: outside, sharesGroup: sharesGroup) }
    StartedProcess.set(outside, isOutside: true)
    try mountProcesses()
  }

  /// The signals that were blocked before ``start()``; `nil` outside of a namespace.
  static let earlierMask = Lock<SignalMask?>(nil)

  private static let newMounts: Int32 = 0x0002_0000  // CLONE_NEWNS
  private static let newUsers: Int32 = 0x1000_0000  // CLONE_NEWUSER
  private static let newProcesses: Int32 = 0x2000_0000  // CLONE_NEWPID

  private static func unshare() throws(Failure) {
    let (user, group) = (geteuid(), getegid())
    // Root in a container may lack the capability, and still be permitted a user namespace.
    if user == 0, linuxUnshare(newMounts | newProcesses) == 0 { return }
    guard linuxUnshare(newMounts | newProcesses | newUsers) == 0 else {
      throw .refused(.last("create a PID namespace"))
    }
    do throws(SystemError) {
      // Required before a process without capabilities may map its group.
      try write("deny", to: "setgroups")
      try write("\(user) \(user) 1", to: "uid_map")
      try write("\(group) \(group) 1", to: "gid_map")
    } catch {
      throw .refused(error)
    }
  }

  private static func write(_ text: String, to name: String) throws(SystemError) {
    let path = "/proc/self/\(name)"
    let file = try FileSystem.open(path, O_WRONLY)
    defer { Descriptor.close(file) }
    try FileSystem.writeAll(file, Array(text.utf8), path: path)
  }

  /// Mounts a `/proc` that shows this namespace. Otherwise programs would find the processes outside.
  private static func mountProcesses() throws(Failure) {
    // Outer mounts still appear inside, and inner mounts do not appear outside.
    let isOwn = linuxMount("none", "/", nil, 0x0008_4000, nil) == 0  // MS_REC | MS_SLAVE
    // MS_NOSUID | MS_NODEV | MS_NOEXEC
    guard isOwn, linuxMount("proc", "/proc", "proc", 0xE, nil) == 0 else {
      throw .refused(.last("mount", "/proc"))
    }
  }

  #else

  /// Throws an error, because this system has no PID namespaces.
  package static func start() throws(Failure) { throw .notLinux }

  #endif
}

private struct IsolationState {
  var startedProcess: Int32?
  var sharesGroup = false
}

private let state = Lock(IsolationState())
