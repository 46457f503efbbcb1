import AppBootC
import AppBootLibC

extension Descriptor {
  /// Creates a pipe. Its ends are closed on exec, and their numbers are above those of the standard descriptors.
  ///
  /// `Subprocess` needs numbers above 2: in the child, an end with the number 0 would be overwritten.
  package static func makePipe() throws(SystemError) -> (read: Int32, write: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { bytes in
      pipeClosedOnExec(bytes.assumingMemoryBound(to: Int32.self))
    }
    guard result == 0 else { throw .last("create a pipe") }
    do throws(SystemError) {
      ends.0 = try aboveStandard(ends.0)
      ends.1 = try aboveStandard(ends.1)
    } catch {
      close(ends.0)
      close(ends.1)
      throw error
    }
    return ends
  }

  /// Returns the descriptor if its number is above 2. Otherwise replaces it by a copy with a number above 2.
  package static func aboveStandard(_ descriptor: Int32) throws(SystemError) -> Int32 {
    guard descriptor < 3 else { return descriptor }
    let moved = retryingInterrupts { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
    guard moved >= 0 else { throw .last("duplicate a descriptor") }
    close(descriptor)
    return moved
  }

  /// Waits until a descriptor has bytes, and reads those that are there; none at the end of the stream.
  ///
  /// - Parameter name: The name of the stream for errors.
  package static func readAvailable(_ descriptor: Int32, named name: String) throws(SystemError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, count in
      repeat {
        count = retryingInterrupts { read(descriptor, buffer.baseAddress, buffer.count) }
        code = count < 0 ? errno : 0
        // Another process can have made the shared descriptor non-blocking.
      } while code == EAGAIN && wait(descriptor, for: Int32(POLLIN), until: nil)
      count = max(0, count)
    }
    if code != 0 { throw SystemError(call: "read", path: name, code: code) }
    return bytes
  }

  package static func setNonBlocking(_ descriptor: Int32) {
    let flags = retryingInterrupts { fcntl(descriptor, F_GETFL) }
    guard flags >= 0 else { return }
    _ = retryingInterrupts { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }

  package static func setCloseOnExec(_ descriptor: Int32) {
    _ = retryingInterrupts { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  private static func pipeClosedOnExec(_ ends: UnsafeMutableBufferPointer<Int32>) -> Int32 {
    guard let start = ends.baseAddress else { return -1 }
    #if os(Linux)
    return appboot_pipe2(start, O_CLOEXEC)
    #else
    guard pipe(start) == 0 else { return -1 }
    ends.forEach(setCloseOnExec)
    return 0
    #endif
  }
}

/// A pipe with which any thread can make a descriptor readable, so that pollers look again.
package final class WakePipe: Sendable {
  private let ends: (read: Int32, write: Int32)
  private let isOpen = Lock(true)

  /// Creates a pipe whose descriptor is not readable yet.
  package init() throws(SystemError) {
    ends = try Descriptor.makePipe()
    Descriptor.setNonBlocking(ends.read)
    Descriptor.setNonBlocking(ends.write)
  }

  deinit { close() }

  /// The descriptor that is readable after ``wake()``, until ``drain()`` is called.
  package var readDescriptor: Int32 { ends.read }

  /// Makes the descriptor readable. It never waits, and does nothing after ``close()``.
  package func wake() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      // A full pipe is readable already.
      var byte: UInt8 = 1
      _ = retryingInterrupts { write(ends.write, &byte, 1) }
    }
  }

  /// Makes the descriptor unreadable again. Look for changes after the call.
  package func drain() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
        while retryingInterrupts({ read(ends.read, buffer.baseAddress, buffer.count) }) > 0 {}
      }
    }
  }

  /// Closes the pipe. Before the call, remove the descriptor from every poller. A second call has no effect.
  package func close() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      isOpen = false
      Descriptor.close(ends.read)
      Descriptor.close(ends.write)
    }
  }
}

/// A namespace for functions about the limit on open descriptors of this process and its children.
package enum OpenFiles {
  #if canImport(Glibc)
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  private static let resource = RLIMIT_NOFILE
  #endif

  /// Raises the soft limit to `count`, or to the hard limit if that is lower (`setrlimit`, POSIX). Never lowers it.
  package static func allow(_ count: Int) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
    let before = limit.rlim_cur
    inherited.withLock { $0 = $0 ?? before }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    _ = setrlimit(resource, &limit)
  }

  /// The hard limit; `nil` if it is unknown.
  package static var hardLimit: UInt64? {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? UInt64(limit.rlim_max) : nil
  }

  /// Throws an error if the hard limit is below 12. libdispatch, which runs asynchronous commands, crashes without
  /// descriptors.
  package static func requireEnough() throws(SystemError) {
    guard let hardLimit, hardLimit < 12 else { return }
    throw SystemError(call: "start a launch with a limit (`ulimit -n`) below 12", code: EMFILE)
  }

  /// Restores the soft limit with which this process was started.
  package static func restore() {
    var limit = rlimit()
    guard let before = inherited.withLock(\.self), getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = before
    _ = setrlimit(resource, &limit)
  }

  /// The soft limit before it was raised; `nil` if it was not raised.
  private static let inherited = Lock<rlim_t?>(nil)
}
