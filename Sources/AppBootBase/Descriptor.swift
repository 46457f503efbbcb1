import AppBootLibC

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

/// A namespace for operations on file descriptors.
package enum Descriptor {
  /// Closes a descriptor. It does not retry after `EINTR`, because Linux has then closed it already (close(2)).
  package static func close(_ descriptor: Int32) {
    if descriptor >= 0 { _ = systemClose(descriptor) }
  }

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

  package static func setNonBlocking(_ descriptor: Int32) {
    let flags = retryingInterrupts { fcntl(descriptor, F_GETFL) }
    guard flags >= 0 else { return }
    _ = retryingInterrupts { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }

  package static func setCloseOnExec(_ descriptor: Int32) {
    _ = retryingInterrupts { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  /// Waits until a descriptor is ready for `events`. Returns false if the deadline passes first, or if poll(2) fails.
  package static func wait(_ descriptor: Int32, for events: Int32, until deadline: Int64?) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    while true {
      let count = poll(&entry, 1, milliseconds(until: deadline))
      if count > 0 { return true }
      if count < 0 && errno != EINTR { return false }
      if let deadline, MonotonicClock.now() >= deadline { return false }
    }
  }

  /// Returns the milliseconds until a deadline for poll(2), rounded up; -1 if there is no deadline.
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

/// Calls close(2). The separate name is needed because `Descriptor.close` hides the function.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
