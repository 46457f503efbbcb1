#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Makes descriptors that become readable when a child ends.
enum ExitDescriptor {
  static func make(for process: Int32) throws(SystemError) -> Int32 {
    #if os(Linux)
    let descriptor = linuxSyscall(LinuxSyscall.pidfdOpen, Int(process), 0, 0, 0, 0, 0)
    // Closed on exec by itself (pidfd_open(2)). Older kernels and some sandboxes do not have it.
    if descriptor >= 0 { return Int32(truncatingIfNeeded: descriptor) }
    #elseif canImport(Darwin)
    if let descriptor = makeQueue(for: process) { return descriptor }
    #endif
    return try makePipe(for: process)
  }

  /// A pipe whose write end is closed by a thread that waits for the child without collecting it.
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
  /// A queue with one event, the child's end; nil where it cannot be had, as when the child has ended already.
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
