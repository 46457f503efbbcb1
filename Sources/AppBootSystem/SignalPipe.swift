#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Synchronization

/// A pipe that reports signals as bytes. The handler only calls write(2), and the program reads the pipe.
///
/// There is one pipe for each process, because each signal has one handler.
package struct SignalPipe: Sendable {
  /// The descriptor that is readable when a signal has arrived. It is non-blocking, closed on exec, and never closed.
  package let readDescriptor: Int32

  /// Installs handlers for the signals, and returns the pipe that reports them.
  ///
  /// - An ignored `SIGHUP` stays ignored, as `nohup` expects; so does `SIGQUIT`, as shells expect of background jobs.
  /// - The signals are unblocked in the calling thread.
  /// - Interrupted system calls are restarted (`SA_RESTART`).
  package static func install(_ signals: [Int32]) throws(SystemError) -> SignalPipe {
    let pipe = try shared()
    for signal in signals where !([SIGHUP, SIGQUIT].contains(signal) && Signals.isIgnored(signal)) {
      try handle(signal)
    }
    // The parent process may have blocked them: a blocked signal could not stop this program.
    SignalMask.unblock(signals)
    return pipe
  }

  /// Returns the signals that have arrived since the last call, oldest first.
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

  /// Waits until the reader of the pipe has read all signals, at most 50 ms.
  package static func waitUntilTaken() {
    let readEnd = installation.withLock { $0 }
    var look = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    var looks = 50
    // Checks after sleeping, so that signals that arrived during the sleep are included.
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

  private static func handle(_ signal: Int32) throws(SystemError) {
    var action = sigaction()
    // Block the other signals meanwhile: handlers that interrupt each other would write in the wrong order.
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

/// The read end of the pipe; -1 before the first `install`.
private let installation = Lock<Int32>(-1)

/// The write end of the pipe, for the handler. It is set before a handler is installed.
private let announcement = Atomic<Int32>(-1)

/// Handles a signal. It is async-signal-safe: it only calls write(2), and restores `errno` (signal-safety(7)).
private func announce(_ signal: Int32) {
  let code = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  while write(announcement.load(ordering: .acquiring), &byte, 1) < 0, errno == EINTR {}
  errno = code
}
