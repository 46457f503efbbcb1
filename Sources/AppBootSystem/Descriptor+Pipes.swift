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
    return linuxPipe2(start, O_CLOEXEC)
    #else
    guard pipe(start) == 0 else { return -1 }
    ends.forEach(setCloseOnExec)
    return 0
    #endif
  }
}
