#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How many descriptors this process, and those that it starts, may have open.
package enum OpenFiles {
  #if canImport(Glibc)
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  private static let resource = RLIMIT_NOFILE
  #endif

  /// Raises the soft limit to so many, or as far as the hard limit allows (`setrlimit`, POSIX); it is never lowered.
  package static func allow(_ count: Int) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    _ = setrlimit(resource, &limit)
  }
}

/// What is done with bare file descriptors in more than one place.
enum Descriptor {
  /// Closes; `EINTR` is not retried, since Linux has closed the descriptor by then (close(2)).
  static func close(_ descriptor: Int32) {
    if descriptor >= 0 { _ = systemClose(descriptor) }
  }

  /// A pipe whose ends are closed on exec and stand above the three standard descriptors.
  ///
  /// The second matters to `Subprocess`: an end that is descriptor 0 would be overwritten in the child.
  static func makePipe() throws(SystemError) -> (read: Int32, write: Int32) {
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

  /// The descriptor itself, or a duplicate of it above 2 in its place.
  static func aboveStandard(_ descriptor: Int32) throws(SystemError) -> Int32 {
    guard descriptor < 3 else { return descriptor }
    let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard moved >= 0 else { throw .last("duplicate a descriptor") }
    close(descriptor)
    return moved
  }

  static func setNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  static func setCloseOnExec(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Waits until the descriptor is ready for `events`; false when the deadline passes first.
  static func wait(_ descriptor: Int32, for events: Int32, until deadline: Int64?) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    while true {
      let count = poll(&entry, 1, milliseconds(until: deadline))
      if count > 0 { return true }
      if count < 0 && errno != EINTR { return false }
      if let deadline, MonotonicClock.now() >= deadline { return false }
    }
  }

  /// The time left as poll(2) wants it: rounded up, -1 for no limit.
  static func milliseconds(until deadline: Int64?) -> Int32 {
    guard let deadline else { return -1 }
    let left = deadline.subtractingReportingOverflow(MonotonicClock.now()).partialValue
    return left <= 0 ? 0 : Int32(clamping: (left - 1) / 1_000_000 + 1)
  }

  private static func pipeClosedOnExec(_ ends: UnsafeMutableBufferPointer<Int32>) -> Int32 {
    guard let start = ends.baseAddress else { return -1 }
    #if os(Linux)
    return linuxPipe2(start, O_CLOEXEC)
    #else
    guard pipe(start) == 0 else { return -1 }
    ends.forEach(setCloseOnExec)
    return 0
    #endif
  }
}

/// close(2), under a name that `Descriptor.close` does not hide.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
