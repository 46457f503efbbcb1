import AppBootLibC

/// A namespace for functions on pipes that ``ProcessRequest/passing`` passes to another process, which reads them.
package enum StreamDrain {
  /// Closes descriptors.
  package static func close(_ descriptors: [Int32]) {
    for descriptor in descriptors { Descriptor.close(descriptor) }
  }

  /// Reads the pipes that were passed as standard input and output, until both have ended.
  ///
  /// - Parameters:
  ///   - attend: Called before each wait. Returns the longest wait in milliseconds; `nil` for no limit.
  ///   - body: Receives the descriptor and the bytes of each read.
  package static func readStandardPipes(
    attend: () -> Int32?, _ body: (Int32, UnsafeRawBufferPointer) -> Void
  ) {
    var open = [Int32(0), 1].filter { fcntl($0, F_GETFL) & O_ACCMODE == O_RDONLY }
    while !open.isEmpty {
      var entries = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&entries, nfds_t(entries.count), attend() ?? -1) >= 0 || errno == EINTR else { return }
      for entry in entries where entry.revents != 0 && !readOnce(entry.fd, body) {
        open.removeAll { $0 == entry.fd }
      }
    }
  }

  /// Reads once. Returns false at the end of the stream.
  private static func readOnce(_ descriptor: Int32, _ body: (Int32, UnsafeRawBufferPointer) -> Void) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      if count > 0 { body(descriptor, UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count > 0
    }
  }
}
