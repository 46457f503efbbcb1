import AppBootLibC

/// A namespace for operations on file descriptors.
package enum Descriptor {
  /// Closes a descriptor. It does not retry after `EINTR`, because Linux has then closed it already (close(2)).
  package static func close(_ descriptor: Int32) {
    if descriptor >= 0 { _ = systemClose(descriptor) }
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
}

/// Calls close(2). The separate name is needed because `Descriptor.close` hides the function.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
