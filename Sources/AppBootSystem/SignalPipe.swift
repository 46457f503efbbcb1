#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Synchronization

/// Signals as bytes in a pipe: the handler does nothing but write(2), and the program reads when it is ready.
///
/// There is one pipe per process, as there is one handler per signal.
package struct SignalPipe: Sendable {
  /// Becomes readable when a signal has come; non-blocking, closed on exec, open for the process's whole life.
  package let readDescriptor: Int32

  /// Takes over the given signals, and returns the pipe they will be announced in.
  ///
  /// A `SIGHUP` that is ignored stays so, as `nohup` wants it, and a `SIGQUIT`, as shells want it for what they start in
  /// the background. One that is blocked in the calling thread is not any more. Interrupted calls are restarted (`SA_RESTART`).
  package static func install(_ signals: [Int32]) throws(SystemError) -> SignalPipe {
    let pipe = try shared()
    for signal in signals where !([SIGHUP, SIGQUIT].contains(signal) && Signals.isIgnored(signal)) {
      try handle(signal)
    }
    unblock(signals)
    return pipe
  }

  /// The signals that have come since the last call, oldest first; empty when there are none.
  package func drain() -> [Int32] {
    var signals: [Int32] = []
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      while true {
        let count = retryingInterrupts { read(readDescriptor, buffer.baseAddress, buffer.count) }
        guard count > 0 else { return }
        signals += buffer.prefix(count).map(Int32.init)
      }
    }
    return signals
  }

  /// Waits a moment, until whoever reads the pipe has taken what came meanwhile; a twentieth of a second at most.
  package static func waitUntilTaken() {
    let readEnd = installation.withLock { $0 }
    var look = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    var looks = 50
    // The look comes last: what it does not see comes after it.
    repeat {
      looks -= 1
      usleep(1000)
    } while readEnd >= 0 && looks > 0 && poll(&look, 1, 0) > 0
  }

  private static func shared() throws(SystemError) -> SignalPipe {
    try installation.withLock { readEnd throws(SystemError) in
      if readEnd >= 0 { return SignalPipe(readDescriptor: readEnd) }
      let ends = try Descriptor.makePipe()
      Descriptor.setNonBlocking(ends.read)
      Descriptor.setNonBlocking(ends.write)
      announcement.store(ends.write, ordering: .releasing)
      readEnd = ends.read
      return SignalPipe(readDescriptor: readEnd)
    }
  }

  /// Lets signals through that whoever started this process had blocked: a program cannot be stopped by what never comes.
  private static func unblock(_ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static func handle(_ signal: Int32) throws(SystemError) {
    var action = sigaction()
    // One at a time: handlers that interrupted each other would write in the wrong order.
    sigfillset(&action.sa_mask)
    action.sa_flags = Int32(SA_RESTART)
    #if canImport(Darwin)
    action.__sigaction_u.__sa_handler = announce
    #elseif canImport(Musl)
    action.__sa_handler.sa_handler = announce
    #else
    action.__sigaction_handler.sa_handler = announce
    #endif
    guard sigaction(signal, &action, nil) == 0 else {
      throw .last("handle \(Signals.name(signal))")
    }
  }
}

/// The read end, once there is one.
private let installation = Lock<Int32>(-1)

/// The write end, which the handler reads: initialised before any handler is installed.
private let announcement = Atomic<Int32>(-1)

/// The handler: async-signal-safe, since it calls only write(2) and keeps `errno` (signal-safety(7)).
private func announce(_ signal: Int32) {
  let code = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  _ = write(announcement.load(ordering: .acquiring), &byte, 1)
  errno = code
}
