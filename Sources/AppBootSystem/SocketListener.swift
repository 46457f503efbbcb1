#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A listener for connections from this machine alone: on 127.0.0.1, or at a path.
package final class SocketListener: Sendable {
  /// The port, chosen by the system where 0 was asked for; 0 for a local socket.
  package let port: UInt16
  private let descriptor: Int32
  private let isOpen = Lock(true)
  /// A local socket's path, and the file that was made there.
  private let place: (path: String, file: FileSystem.Identity)?

  /// Listens on a loopback port; 0 lets the system choose a free one.
  package init(port: UInt16 = 0) throws(SystemError) {
    descriptor = try Self.listen(on: .loopback(port), named: "127.0.0.1:\(port)")
    self.port = SocketAddress.port(of: descriptor)
    place = nil
  }

  /// Listens at a path, which must be free; its directory guards the access. `close()` leaves the file behind.
  ///
  /// - Parameter mode: The socket's own permissions, where they are to be others than the umask leaves.
  package init(path: String, mode: UInt32? = nil) throws(SystemError) {
    descriptor = try Self.listen(on: .local(path), named: path, mode: mode)
    place = FileSystem.identity(of: path).map { (path, $0) }
    port = 0
  }

  deinit { close() }

  /// Readable when a connection is waiting to be accepted.
  package var readDescriptor: Int32 { descriptor }

  /// The next connection; nil when the deadline passes first.
  package func accept(until deadline: Int64? = nil) throws(SystemError) -> StreamSocket? {
    while true {
      let accepted = retryingInterrupts { SocketOption.acceptConnection(descriptor) }
      if accepted >= 0 { return StreamSocket(accepted) }
      // A client that has left again before it was accepted is no error of ours (accept(2)).
      if errno == ECONNABORTED { continue }
      guard errno == EAGAIN || errno == EWOULDBLOCK else { throw .last("accept a connection") }
      guard Descriptor.wait(descriptor, for: Int32(POLLIN), until: deadline) else { return nil }
    }
  }

  /// Stops listening; no other thread may be accepting.
  package func close() {
    isOpen.withLock { isOpen in
      if isOpen { Descriptor.close(descriptor) }
      isOpen = false
    }
  }

  /// Removes the file of a local socket; one that somebody else has put in its place stays.
  package func remove() {
    guard let place, FileSystem.identity(of: place.path) == place.file else { return }
    unlink(place.path)
  }

  private static func listen(
    on address: SocketAddress, named name: String, mode: UInt32? = nil
  ) throws(SystemError) -> Int32 {
    let descriptor = try SocketOption.makeSocket(address.family)
    // Linux gives the file the socket's own mode, so that it is never open to others, not even for a moment.
    if let mode { fchmod(descriptor, mode_t(truncatingIfNeeded: mode)) }
    SocketOption.set(descriptor, SOL_SOCKET, SO_REUSEADDR)
    if address.withPointer({ bind(descriptor, $0, $1) }) == 0, systemListen(descriptor) == 0 {
      if let mode { chmod(name, mode_t(truncatingIfNeeded: mode)) }
      return descriptor
    }
    let code = errno
    Descriptor.close(descriptor)
    throw SystemError(call: "listen on", path: name, code: code)
  }
}

/// listen(2), under a name that the method above does not hide.
private func systemListen(_ socket: Int32) -> Int32 { listen(socket, 128) }
