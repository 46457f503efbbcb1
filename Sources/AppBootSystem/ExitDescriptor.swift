import AppBootLibC

/// A namespace for functions that make a descriptor which is readable when a child process ends.
enum ExitDescriptor {
  static func make(for process: Int32) throws(SystemError) -> Int32 {
    #if os(Linux)
    // pidfd_open(2) of Linux 5.3. The system sets close-on-exec. Older kernels and some sandboxes lack the call.
    let descriptor = linuxSyscall(434, Int(process), 0, 0, 0, 0, 0)
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
