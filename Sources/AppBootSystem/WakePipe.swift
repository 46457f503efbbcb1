import AppBootLibC

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
