import AppBootC
import AppBootLibC

/// A child process, which is the leader of its process group.
///
/// Its states are `running → ended → finished`. An ended process stays a zombie until `finish()`. Until then the system
/// cannot reuse its identifier, so it is safe to signal the rest of its group.
package final class Subprocess: Sendable {
  private struct State {
    var end: ProcessEnd?
    var isFinished = false
    var exitDescriptor: Int32 = -1
    var pipes: OutputPipes
    var cpuTime: Int64?
  }

  /// The identifier of the process and of its group.
  package let processIdentifier: Int32
  private let state: Lock<State>

  init(processIdentifier: Int32, pipes: OutputPipes) {
    self.processIdentifier = processIdentifier
    self.state = Lock(State(pipes: pipes))
    GroupWatcher.insert(processIdentifier)
  }

  /// Reaps the process if it has ended, and closes the descriptors. A running process continues to run.
  deinit {
    if end() != nil { finish() } else { OwnChildren.remove(processIdentifier) }
    state.withLock { state in
      Descriptor.close(state.exitDescriptor)
      state.pipes.close()
    }
  }

  // MARK: The end

  /// Returns the end of the process; `nil` while it runs. It never blocks.
  package func end() -> ProcessEnd? {
    state.withLock { state in
      if state.end == nil { state.end = observe(options: WNOHANG) }
      return state.end
    }
  }

  /// Waits until the process has ended, and returns its end. Afterwards its group can still be signalled.
  package func wait() -> ProcessEnd {
    if let end = end() { return end }
    // Without the lock, so that another thread can kill the process meanwhile.
    let end = observe(options: 0) ?? .exited(-1)
    return state.withLock { state in
      let known = state.end ?? end
      state.end = known
      return known
    }
  }

  /// Sends a signal that asks the whole group to end, and then CONT.
  ///
  /// A suspended process handles the signal only after it resumes.
  package func askToStop(_ signal: Int32) {
    killGroup(signal)
    killGroup(Signals.resume)
  }

  /// Reaps an ended process, and closes the descriptors. Does nothing for a running process.
  ///
  /// Before the call, remove the descriptors from every poller. Afterwards the process's group cannot be signalled.
  package func finish() {
    state.withLock { state in
      if !state.isFinished, state.end == nil { state.end = observe(options: WNOHANG) }
      guard !state.isFinished, state.end != nil else { return }
      GroupWatcher.remove(processIdentifier)
      var status: Int32 = 0
      var usage = rusage()
      let reaped = OwnChildren.remove(processIdentifier) {
        retryingInterrupts { wait4(processIdentifier, &status, WNOHANG, &usage) }
      }
      if reaped == processIdentifier {
        state.cpuTime = Self.nanoseconds(usage.ru_utime) &+ Self.nanoseconds(usage.ru_stime)
      }
      state.isFinished = true
      Descriptor.close(state.exitDescriptor)
      state.exitDescriptor = -1
      state.pipes.close()
    }
  }

  /// The CPU time of the process and of the children that it reaped, in nanoseconds (`wait4`); `nil` before `finish()`.
  package var cpuTime: Int64? { state.withLock { $0.cpuTime } }

  private static func nanoseconds(_ time: timeval) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_usec) &* 1000
  }

  /// Calls `end()`, and then `finish()`. Returns `nil` while the process runs.
  package func reap() -> ProcessEnd? {
    guard let end = end() else { return nil }
    finish()
    return end
  }

  // MARK: Stops

  /// The signal that stopped the process; `nil` while it runs and after its end (`waitid` with `WSTOPPED`, POSIX).
  package var stopSignal: Int32? {
    state.withLock { state in
      guard state.end == nil, !state.isFinished else { return nil }
      var info = siginfo_t()
      let identifier = id_t(truncatingIfNeeded: processIdentifier)
      guard waitid(P_PID, identifier, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0, info.si_signo != 0 else {
        return nil
      }
      return Self.status(in: info)
    }
  }

  /// The signal that stopped the process because it asked for a terminal that it does not have; `nil` if none did.
  package var terminalRequest: Int32? {
    stopSignal.flatMap { [SIGTTIN, SIGTTOU].contains($0) ? $0 : nil }
  }

  // MARK: Signals

  /// Sends a signal to the whole group. Returns false if the group is empty, or after `finish()`.
  ///
  /// Until `finish()` it also reaches processes of the group that outlive the process.
  @discardableResult
  package func killGroup(_ signal: Int32) -> Bool {
    state.withLock { !$0.isFinished && Signals.send(signal, to: -processIdentifier) }
  }

  /// Lets the process outlive this one. Its ``GroupWatcher`` then does not kill it.
  package func outlive() { GroupWatcher.remove(processIdentifier) }

  // MARK: Descriptors

  /// Returns a descriptor that is readable when the process has ended. `finish()` closes it.
  package func exitDescriptor() throws(SystemError) -> Int32 {
    try state.withLock { state throws(SystemError) in
      if state.isFinished { throw SystemError(call: "wait for a finished process", code: ECHILD) }
      if state.exitDescriptor < 0 {
        state.exitDescriptor = try ExitDescriptor.make(for: processIdentifier)
      }
      return state.exitDescriptor
    }
  }

  /// The non-blocking read end of the captured standard output; `nil` if it is not captured.
  package var outputDescriptor: Int32? { descriptor(of: .output) }

  /// Returns the non-blocking read end of a captured stream; `nil` if it is not captured.
  package func descriptor(of stream: CapturedStream) -> Int32? {
    state.withLock { state in state.pipes[stream] < 0 ? nil : state.pipes[stream] }
  }

  /// The maximum number of bytes of one read: the capacity of a pipe on Linux (pipe(7)).
  private static let readSize = 1 << 16
  /// The maximum number of reads of one `readOutput`. A process that prints very much thus does not block the caller.
  private static let readLimit = 16

  /// Reads the output that is available, at most 1 MiB, and passes it to `body`. Returns false at the end of the
  /// output.
  ///
  /// The output ends when all processes that have the pipe open have ended, including those that the program left
  /// running.
  ///
  /// - Parameter isShort: True to read at most 64 KiB, because each line takes much time.
  package func readOutput(
    _ stream: CapturedStream = .output, isShort: Bool = false, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    state.withLock { state in
      let descriptor = state.pipes[stream]
      guard descriptor >= 0 else { return false }
      return withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 16) { buffer in
        for _ in 0..<(isShort ? 1 : Self.readLimit) {
          let count = retryingInterrupts { read(descriptor, buffer.baseAddress, buffer.count) }
          if count < 0 { return errno == EAGAIN || errno == EWOULDBLOCK }
          if count == 0 { return false }
          body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          if count < buffer.count { return true }
        }
        return true
      }
    }
  }

  /// Returns the open read ends of the captured output. The caller now owns them, and must close them.
  package func takeOutput() -> [Int32] {
    state.withLock { state in
      defer { state.pipes = OutputPipes() }
      return state.pipes.descriptors
    }
  }

  /// Returns the end of the process without reaping it; `nil` if it has not ended (`waitid` with `WNOWAIT`, POSIX).
  private func observe(options: Int32) -> ProcessEnd? {
    var info = siginfo_t()
    let identifier = id_t(truncatingIfNeeded: processIdentifier)
    let result = retryingInterrupts { waitid(P_PID, identifier, &info, WEXITED | WNOWAIT | options) }
    if result != 0 { return .exited(-1) }
    // waitid leaves zero if the process has not ended.
    guard info.si_signo != 0 else { return nil }
    let status = Self.status(in: info)
    // CLD_EXITED is 1 on Linux and Darwin. Every other code here means that a signal killed the process.
    return info.si_code == 1 ? .exited(status & 0xFF) : .signalled(status)
  }
  /// Returns the exit code or the signal.
  private static func status(in info: siginfo_t) -> Int32 {
    #if canImport(Darwin)
    info.si_status
    #elseif canImport(Musl)
    info.__si_fields.__si_common.__second.__sigchld.si_status
    #else
    info._sifields._sigchld.si_status
    #endif
  }
}

/// A namespace for functions that make a descriptor which is readable when a child process ends.
enum ExitDescriptor {
  static func make(for process: Int32) throws(SystemError) -> Int32 {
    #if os(Linux)
    // pidfd_open(2) of Linux 5.3. The system sets close-on-exec. Older kernels and some sandboxes lack the call.
    let descriptor = appboot_syscall(434, Int(process), 0, 0, 0, 0, 0)
    if descriptor >= 0 { return Int32(truncatingIfNeeded: descriptor) }
    #elseif canImport(Darwin)
    if let descriptor = makeQueue(for: process) { return descriptor }
    #endif
    return try makePipe(for: process)
  }

  /// Creates a pipe whose read end is readable when a child ends. A thread waits for that, but does not reap the child.
  static func makePipe(for process: Int32) throws(SystemError) -> Int32 {
    let ends = try Descriptor.makePipe()
    do throws(SystemError) {
      try Thread.start(name: "appboot-wait", stackSize: 1 << 16) {
        var info = siginfo_t()
        let identifier = id_t(truncatingIfNeeded: process)
        _ = retryingInterrupts { waitid(P_PID, identifier, &info, WEXITED | WNOWAIT) }
        Descriptor.close(ends.write)
      }
    } catch {
      Descriptor.close(ends.read)
      Descriptor.close(ends.write)
      throw error
    }
    return ends.read
  }

  #if canImport(Darwin)
  /// Creates a kernel queue with one event, the end of a child.
  ///
  /// Returns `nil` if that fails, for example because the child has already ended.
  private static func makeQueue(for process: Int32) -> Int32? {
    let queue = kqueue()
    guard queue >= 0 else { return nil }
    Descriptor.setCloseOnExec(queue)
    var change = kevent()
    change.ident = UInt(process)
    change.filter = Int16(EVFILT_PROC)
    change.flags = UInt16(EV_ADD)
    change.fflags = NOTE_EXIT
    if kevent(queue, &change, 1, nil, 0, nil) == 0 { return queue }
    Descriptor.close(queue)
    return nil
  }
  #endif
}
