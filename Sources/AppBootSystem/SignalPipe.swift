import AppBootC
import AppBootLibC

/// A pipe that reports signals as bytes to one reader. The handler only calls write(2), and the reader reads the pipe.
///
/// Each reader of a process has its own pipe, and receives each of its signals, whatever other readers do.
package final class SignalPipe: Sendable {
  private let slot: SignalSlot

  private init(_ slot: SignalSlot) { self.slot = slot }

  deinit {
    stopReporting(Array(Signals.standard))
    installation.withLock { $0.free.append(slot) }
  }

  /// The descriptor that is readable when a signal has arrived. It is non-blocking and closed on exec.
  package var readDescriptor: Int32 { slot.readEnd }

  /// Creates a pipe that reports these signals to one reader.
  ///
  /// - Throws: The system's error; `EMFILE` if the process has ``SignalSlots/most`` readers already.
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
  /// - Throws: The system's error for an invalid signal number, or for a real-time signal. The pipe then reports what
  ///   it reported before.
  package func report(_ signals: [Int32]) throws(SystemError) {
    let reported = signals.filter { !([SIGHUP, SIGQUIT].contains($0) && Signals.isIgnored($0)) }
    let before = slot.wanted
    do {
      try installation.withLock { _ throws(SystemError) in
        for signal in reported {
          slot.wanted |= try SignalSlot.bit(signal)
          try Self.handle(signal)
        }
      }
    } catch {
      stopReporting(reported.filter { !SignalSlot.contains($0, in: before) })
      throw error
    }
    // The parent process may have blocked them: a blocked signal could not stop this program.
    SignalMask.unblock(signals)
  }

  /// Stops reporting signals. A signal that no other pipe reports gets its default action, unless it is ignored.
  package func stopReporting(_ signals: [Int32]) {
    installation.withLock { slots in
      for signal in signals where SignalSlot.contains(signal, in: slot.wanted) {
        let isShared = slots.all.contains { $0 != slot && SignalSlot.contains(signal, in: $0.wanted) }
        if !isShared, !Signals.isIgnored(signal) { Signals.restoreDefault(signal) }
        // The action changes first: a signal in between is still reported.
        if let bit = try? SignalSlot.bit(signal) { slot.wanted &= ~bit }
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
private struct SignalSlot: Equatable {
  let index: Int
  let readEnd: Int32
  let writeEnd: Int32

  /// The signals that are reported, one bit each. Change it only under the lock.
  var wanted: UInt32 {
    get { UInt32(truncatingIfNeeded: appboot_load(table + index)) }
    nonmutating set {
      appboot_store(table + index, UInt64(UInt32(bitPattern: writeEnd)) << 32 | UInt64(newValue))
    }
  }

  /// - Throws: `EINVAL` for a number that has no bit, for example of a real-time signal.
  static func bit(_ signal: Int32) throws(SystemError) -> UInt32 {
    guard (1...32).contains(signal) else {
      throw SystemError(call: "handle \(Signals.name(signal))", code: EINVAL)
    }
    return 1 << UInt32(signal - 1)
  }

  static func contains(_ signal: Int32, in signals: UInt32) -> Bool {
    (1...32).contains(signal) && signals & 1 << UInt32(signal - 1) != 0
  }

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
  /// The maximum number of readers of signals in a process.
  static let most = 8

  var all: [SignalSlot] = []
  var free: [SignalSlot] = []

  mutating func take() throws(SystemError) -> SignalSlot {
    if let slot = free.popLast() {
      _ = slot.drain()
      return slot
    }
    // The handler must not be the first to use the table: Swift initializes it with a lock.
    _ = table
    guard all.count < Self.most else { throw SystemError(call: "read signals in more places", code: EMFILE) }
    let ends = try Descriptor.makePipe()
    Descriptor.setNonBlocking(ends.read)
    Descriptor.setNonBlocking(ends.write)
    let slot = SignalSlot(index: all.count, readEnd: ends.read, writeEnd: ends.write)
    all.append(slot)
    return slot
  }
}

private let installation = Lock(SignalSlots())

/// The handler's table: for each slot, the write end of its pipe in the upper half, and the signals in the lower half.
///
/// `nonisolated(unsafe)`: the entries are read and written with atomic instructions only.
private nonisolated(unsafe) let table: UnsafeMutablePointer<UInt64> = {
  let table = UnsafeMutablePointer<UInt64>.allocate(capacity: SignalSlots.most)
  table.initialize(repeating: 0, count: SignalSlots.most)
  return table
}()

/// Handles a signal. It is async-signal-safe: it only calls write(2), and restores `errno` (signal-safety(7)).
private func announce(_ signal: Int32) {
  let code = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: signal &- 1)
  var index = 0
  // A slot without signals has no bit.
  while index < 8 {
    let entry = appboot_load(table + index)
    if entry & bit != 0 {
      let descriptor = Int32(truncatingIfNeeded: entry >> 32)
      while write(descriptor, &byte, 1) < 0, errno == EINTR {}
    }
    index &+= 1
  }
  errno = code
}
