#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A process that was started here, the leader of a process group of its own.
///
/// Its life is `running → ended → finished`. An ended process stays a zombie until `finish()`, so that neither its
/// identifier nor its group's can be given to another, and signalling what it left behind stays safe until then.
package final class Subprocess: Sendable {
  private struct State {
    var end: ProcessEnd?
    var isFinished = false
    var exitDescriptor: Int32 = -1
    var output: Int32
    var cpuTime: Int64?
  }

  /// The process's identifier, which is also its group's.
  package let processIdentifier: Int32
  private let state: Lock<State>

  init(processIdentifier: Int32, output: Int32) {
    self.processIdentifier = processIdentifier
    self.state = Lock(State(output: output))
  }

  /// Collects the process if it has ended, and closes its descriptors; a running one is left to run.
  deinit {
    if end() != nil { finish() }
    state.withLock { state in
      Descriptor.close(state.exitDescriptor)
      Descriptor.close(state.output)
    }
  }

  // MARK: The end

  /// How the process ended, or nil while it runs. Never blocks.
  package func end() -> ProcessEnd? {
    state.withLock { state in
      if state.end == nil { state.end = observe(options: WNOHANG) }
      return state.end
    }
  }

  /// Waits for the end of the process and returns it; signalling the group stays possible.
  package func wait() -> ProcessEnd {
    if let end = end() { return end }
    // Not under the lock, so that another thread may end the process meanwhile.
    let end = observe(options: 0) ?? .exited(-1)
    return state.withLock { state in
      let known = state.end ?? end
      state.end = known
      return known
    }
  }

  /// Releases an ended process; its group cannot be signalled after that. A running process stays as it is.
  ///
  /// Also closes the descriptors, which no poller may wait on any more.
  package func finish() {
    state.withLock { state in
      if !state.isFinished, state.end == nil { state.end = observe(options: WNOHANG) }
      guard !state.isFinished, state.end != nil else { return }
      var status: Int32 = 0
      var usage = rusage()
      if retryingInterrupts({ wait4(processIdentifier, &status, WNOHANG, &usage) }) == processIdentifier {
        state.cpuTime = Self.nanoseconds(usage.ru_utime) &+ Self.nanoseconds(usage.ru_stime)
      }
      state.isFinished = true
      Descriptor.close(state.exitDescriptor)
      Descriptor.close(state.output)
      state.exitDescriptor = -1
      state.output = -1
    }
  }

  /// Nanoseconds of processor time that the process and the children that it waited for used (`wait4`); known
  /// after `finish()`.
  package var cpuTime: Int64? { state.withLock { $0.cpuTime } }

  private static func nanoseconds(_ time: timeval) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_usec) &* 1000
  }

  /// `end()` followed by `finish()`: nil while the process runs.
  package func reap() -> ProcessEnd? {
    guard let end = end() else { return nil }
    finish()
    return end
  }

  // MARK: Signals

  /// Sends a signal to the whole group; false when nobody is left or the process is finished.
  ///
  /// Members that the process left behind are reached until `finish()`.
  @discardableResult
  package func killGroup(_ signal: Int32) -> Bool {
    state.withLock { !$0.isFinished && Signals.send(signal, to: -processIdentifier) }
  }

  /// Sends a signal to the whole group while the process itself runs.
  @discardableResult
  package func kill(_ signal: Int32) -> Bool {
    end() == nil && killGroup(signal)
  }

  // MARK: Descriptors

  /// A descriptor that becomes readable when the process ends; made on first use, closed by `finish()`.
  package func exitDescriptor() throws(SystemError) -> Int32 {
    try state.withLock { state throws(SystemError) in
      if state.isFinished { throw SystemError(call: "wait for a finished process", code: ECHILD) }
      if state.exitDescriptor < 0 {
        state.exitDescriptor = try ExitDescriptor.make(for: processIdentifier)
      }
      return state.exitDescriptor
    }
  }

  /// The non-blocking end of the captured output; nil when it is not captured, at its end, or closed.
  package var outputDescriptor: Int32? {
    state.withLock { $0.output < 0 ? nil : $0.output }
  }

  /// Reads what the process has written so far; false once there will be no more.
  ///
  /// The pipe ends when its last holder does, which may be a process that this one left behind.
  package func readOutput(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    state.withLock { state in
      guard state.output >= 0 else { return false }
      return withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 16) { buffer in
        while true {
          let count = retryingInterrupts { read(state.output, buffer.baseAddress, buffer.count) }
          if count < 0 { return errno == EAGAIN || errno == EWOULDBLOCK }
          if count == 0 { return false }
          body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          if count < buffer.count { return true }
        }
      }
    }
  }

  /// Gives up the captured output; remove it from every poller first.
  package func closeOutput() {
    state.withLock { state in
      Descriptor.close(state.output)
      state.output = -1
    }
  }

  /// Looks at the end without collecting it (`waitid` with `WNOWAIT`, POSIX).
  private func observe(options: Int32) -> ProcessEnd? {
    var info = siginfo_t()
    let identifier = id_t(truncatingIfNeeded: processIdentifier)
    let result = retryingInterrupts { waitid(P_PID, identifier, &info, WEXITED | WNOWAIT | options) }
    if result != 0 { return .exited(-1) }
    // Zero is what waitid leaves behind when there is nothing to tell.
    guard info.si_signo != 0 else { return nil }
    #if canImport(Darwin)
    let status = info.si_status
    #elseif canImport(Musl)
    let status = info.__si_fields.__si_common.__second.__sigchld.si_status
    #else
    let status = info._sifields._sigchld.si_status
    #endif
    // CLD_EXITED is 1 on Linux and Darwin, and what else may be told here are crashes by a signal.
    return info.si_code == 1 ? .exited(status & 0xFF) : .signalled(status)
  }
}
