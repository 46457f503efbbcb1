#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Synchronization

/// A pipe that reports signals as bytes to one reader. The handler only calls write(2), and the reader reads the pipe.
///
/// Each reader of a process has its own pipe, and receives each of its signals, whatever other readers do.
package final class SignalPipe: Sendable {
  private let slot: SignalSlot

  private init(_ slot: SignalSlot) { self.slot = slot }

  /// Reports nothing from now on. The signals keep their handlers: use ``stopReporting(_:)`` before.
  deinit {
    slot.wanted.store(0, ordering: .releasing)
    installation.withLock { $0.free.append(slot) }
  }

  /// The descriptor that is readable when a signal has arrived. It is non-blocking and closed on exec.
  package var readDescriptor: Int32 { slot.readEnd }

  /// Returns a pipe of its own for a reader of these signals.
  package static func install(_ signals: [Int32]) throws(SystemError) -> SignalPipe {
    let pipe = SignalPipe(try installation.withLock { slots throws(SystemError) in try slots.take() })
    try pipe.report(signals)
    return pipe
  }

  /// Installs handlers for more signals, and reports them too.
  ///
  /// - An ignored `SIGHUP` stays ignored, as `nohup` expects; so does `SIGQUIT`, as shells expect of background jobs.
  /// - The signals are unblocked in the calling thread.
  /// - Interrupted system calls are restarted (`SA_RESTART`).
  ///
  /// - Throws: The system's error for an invalid signal number. The pipe then reports what it reported before.
  package func report(_ signals: [Int32]) throws(SystemError) {
    let reported = signals.filter { !([SIGHUP, SIGQUIT].contains($0) && Signals.isIgnored($0)) }
    let before = slot.wanted.load(ordering: .acquiring)
    do {
      try installation.withLock { _ throws(SystemError) in
        for signal in reported {
          slot.wanted.bitwiseOr(SignalSlot.bit(signal), ordering: .releasing)
          try Self.handle(signal)
        }
      }
    } catch {
      stopReporting(reported.filter { before & SignalSlot.bit($0) == 0 })
      throw error
    }
    // The parent process may have blocked them: a blocked signal could not stop this program.
    SignalMask.unblock(signals)
  }

  /// Stops reporting signals. A signal that no other pipe reports gets its default action, unless it is ignored.
  package func stopReporting(_ signals: [Int32]) {
    installation.withLock { slots in
      for signal in signals where slot.wants(signal) {
        let isShared = slots.all.contains { $0 !== slot && $0.wants(signal) }
        if !isShared, !Signals.isIgnored(signal) { Signals.restoreDefault(signal) }
        // After the action, so that no signal in between is lost.
        slot.wanted.bitwiseAnd(~SignalSlot.bit(signal), ordering: .releasing)
      }
    }
  }

  /// Returns the signals that have arrived since the last call, oldest first.
  package func drain() -> [Int32] { slot.drain() }

  /// Returns the signals of the process that have arrived and that their readers have not read.
  package static func drainAll() -> [Int32] { installation.withLock { $0.all.flatMap { $0.drain() } } }

  /// Waits until the reader has read all signals, at most 50 ms.
  package func waitUntilRead() {
    var look = pollfd(fd: readDescriptor, events: Int16(POLLIN), revents: 0)
    var looks = 50
    // Checks after sleeping, so that signals that arrived during the sleep are included.
    repeat {
      looks -= 1
      usleep(1000)
    } while looks > 0 && poll(&look, 1, 0) > 0
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

/// The pipe of one reader at a time. It is never closed: a handler may be writing to it.
private final class SignalSlot: Sendable {
  let readEnd: Int32
  let writeEnd: Int32
  /// The slot that was made before this one; `nil` for the first one.
  let next: SignalSlot?
  /// The signals that are reported, one bit each.
  let wanted = Atomic<UInt64>(0)

  init(before next: SignalSlot?) throws(SystemError) {
    let ends = try Descriptor.makePipe()
    Descriptor.setNonBlocking(ends.read)
    Descriptor.setNonBlocking(ends.write)
    (readEnd, writeEnd) = (ends.read, ends.write)
    self.next = next
  }

  static func bit(_ signal: Int32) -> UInt64 { (0..<64).contains(signal) ? 1 << UInt64(signal) : 0 }

  func wants(_ signal: Int32) -> Bool { wanted.load(ordering: .acquiring) & Self.bit(signal) != 0 }

  func drain() -> [Int32] {
    var signals: [Int32] = []
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      while true {
        let count = retryingInterrupts { read(readEnd, buffer.baseAddress, buffer.count) }
        guard count > 0 else { return }
        signals += buffer.prefix(count).map(Int32.init)
      }
    }
    return signals
  }
}

/// The slots of this process. There are as many as pipes were in use at the same time.
private struct SignalSlots {
  var all: [SignalSlot] = []
  var free: [SignalSlot] = []

  mutating func take() throws(SystemError) -> SignalSlot {
    if let slot = free.popLast() {
      _ = slot.drain()
      return slot
    }
    let slot = try SignalSlot(before: all.last)
    all.append(slot)
    newest.store(Unmanaged.passUnretained(slot), ordering: .releasing)
    return slot
  }
}

private let installation = Lock(SignalSlots())

/// The newest slot, for the handler. It is set before a handler is installed.
private let newest = Atomic<Unmanaged<SignalSlot>?>(nil)

/// Handles a signal. It is async-signal-safe: it only calls write(2), and restores `errno` (signal-safety(7)).
private func announce(_ signal: Int32) {
  let code = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  var slot = newest.load(ordering: .acquiring)?.takeUnretainedValue()
  while let current = slot {
    if current.wants(signal) {
      while write(current.writeEnd, &byte, 1) < 0, errno == EINTR {}
    }
    slot = current.next
  }
  errno = code
}
