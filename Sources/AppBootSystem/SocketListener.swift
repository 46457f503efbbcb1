import AppBootLibC

/// A listener for connections from this machine, on 127.0.0.1 or at a path.
package final class SocketListener: Sendable {
  /// The TCP port; 0 for a socket at a path.
  package let port: UInt16
  private let descriptor: Int32
  private let isOpen = Lock(true)
  /// The path of the local socket with the identity of its file; `nil` for a TCP port.
  private let place: (path: String, file: FileSystem.Identity)?

  /// Listens on a port of 127.0.0.1. If `port` is 0, the system chooses a free port.
  package init(port: UInt16 = 0) throws(SystemError) {
    descriptor = try Self.listen(on: .loopback(port), named: "127.0.0.1:\(port)")
    self.port = SocketAddress.port(of: descriptor)
    place = nil
  }

  /// Listens at a path, which must be free. `close()` does not remove the file, but `remove()` does.
  ///
  /// - Parameter mode: The permissions of the file; `nil` for the default less the umask.
  package init(path: String, mode: UInt32? = nil) throws(SystemError) {
    descriptor = try SocketAddress.withLocal(path) { address throws(SystemError) in
      try Self.listen(on: address, named: path, mode: mode)
    }
    place = FileSystem.identity(of: path).map { (path, $0) }
    port = 0
  }

  /// Throws the error with which a server would fail that listens on a TCP port of all interfaces.
  package static func checkFree(_ port: UInt16) throws(SystemError) {
    for address in try SocketAddress.everywhere(port) {
      do throws(SystemError) {
        Descriptor.close(try listen(on: address, named: "port \(port)"))
      } catch {
        // A machine without IPv6 has no socket or no address of it.
        if error.code != EAFNOSUPPORT, error.code != EADDRNOTAVAIL { throw error }
      }
    }
  }

  deinit { close() }

  /// The descriptor of the listener. It is readable while a connection waits to be accepted.
  package var readDescriptor: Int32 { descriptor }

  /// Accepts the next connection; returns `nil` if the deadline passes first.
  package func accept(until deadline: Int64? = nil) throws(SystemError) -> StreamSocket? {
    while true {
      let accepted = retryingInterrupts { SocketOption.acceptConnection(descriptor) }
      if accepted >= 0 { return StreamSocket(accepted) }
      // The client has closed the connection before it was accepted (accept(2)): wait for the next one.
      if errno == ECONNABORTED { continue }
      guard errno == EAGAIN || errno == EWOULDBLOCK else { throw .last("accept a connection") }
      guard Descriptor.wait(descriptor, for: Int32(POLLIN), until: deadline) else { return nil }
    }
  }

  /// Stops listening. No other thread may be in `accept` during the call.
  package func close() {
    isOpen.withLock { isOpen in
      if isOpen { Descriptor.close(descriptor) }
      isOpen = false
    }
  }

  /// Removes the file of a local socket, unless another file has replaced it.
  package func remove() {
    guard let place, FileSystem.identity(of: place.path) == place.file else { return }
    unlink(place.path)
  }

  /// - Parameter begin: listen(2); tests replace it.
  static func listen(
    on address: SocketAddress, named name: String, mode: UInt32? = nil,
    begin: (Int32) -> Int32 = systemListen
  ) throws(SystemError) -> Int32 {
    let descriptor = try SocketOption.makeSocket(address.family)
    // Linux creates the file with the socket's mode, so it never has wider permissions, not even briefly.
    if let mode { fchmod(descriptor, mode_t(truncatingIfNeeded: mode)) }
    SocketOption.set(descriptor, SOL_SOCKET, SO_REUSEADDR)
    let isBound = address.withPointer { bind(descriptor, $0, $1) } == 0
    if isBound, begin(descriptor) == 0 {
      if let mode { chmod(name, mode_t(truncatingIfNeeded: mode)) }
      return descriptor
    }
    let code = errno
    // The call of bind(2) has made the file.
    if isBound, address.family == AF_UNIX { unlink(name) }
    Descriptor.close(descriptor)
    throw SystemError(call: "listen on", path: name, code: code)
  }
}

/// Calls listen(2). The separate name is needed because `SocketListener.listen` hides the function.
private func systemListen(_ socket: Int32) -> Int32 { listen(socket, 128) }
