import AppBootLibC

/// A TCP or local connection. All calls that may wait have deadlines.
///
/// Deadlines are `MonotonicClock` times. If a deadline passes, the call throws `SystemError` with `ETIMEDOUT`.
package final class StreamSocket: Sendable {
  private let descriptor: Int32
  private let isOpen = Lock(true)

  init(_ descriptor: Int32) {
    SocketOption.set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)  // Has no effect on local sockets.
    SocketOption.ignoreBrokenPipe(descriptor)
    self.descriptor = descriptor
  }

  deinit { close() }

  /// Connects to the local socket at a path.
  package static func connect(path: String, until deadline: Int64?) throws(SystemError) -> StreamSocket {
    try SocketAddress.withLocal(path) { address throws(SystemError) in
      try connect(to: address, named: path, until: deadline)
    }
  }

  /// Connects to an address.
  ///
  /// While a local listener's queue is full, connect(2) fails at once on Linux; then it retries every 10 ms.
  static func connect(
    to address: SocketAddress, named name: String, until deadline: Int64?
  ) throws(SystemError) -> StreamSocket {
    var code = EAGAIN
    while code == EAGAIN {
      do throws(SystemError) {
        let socket = try beginConnecting(to: address)
        try socket.wait(for: Int32(POLLOUT), "connect", until: deadline)
        if try socket.isConnected() { return socket }
      } catch {
        code = error.code
      }
      if code != EAGAIN { break }
      if let deadline, MonotonicClock.now() >= deadline { code = ETIMEDOUT }
      poll(nil, 0, 10)
    }
    throw SystemError(call: "connect to", path: name, code: code)
  }

  /// The descriptor of the connection. It is readable if bytes or the end have arrived, and writable if there is room.
  package var pollDescriptor: Int32 { descriptor }

  /// A Boolean that is true after the peer has closed both directions (POLLHUP, POSIX).
  package var isAbandoned: Bool { Descriptor.wait(descriptor, for: 0, until: 0) }

  /// Waits until bytes arrive, and reads at most `capacity` of them. Returns an empty array at the end of the stream.
  package func read(upTo capacity: Int = 1 << 14, until deadline: Int64? = nil) throws(SystemError) -> [UInt8]
  {
    while true {
      var code: Int32 = 0
      var isEmpty = false
      let bytes = [UInt8](unsafeUninitializedCapacity: max(1, capacity)) { buffer, count in
        let got = retryingInterrupts { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
        if got < 0 { code = errno } else { isEmpty = got == 0 }
        count = max(0, got)
      }
      if !bytes.isEmpty || isEmpty { return bytes }
      guard code == EAGAIN || code == EWOULDBLOCK else {
        throw SystemError(call: "read from a socket", code: code)
      }
      try wait(for: Int32(POLLIN), "read from a socket", until: deadline)
    }
  }

  /// Sends all bytes.
  package func write(_ bytes: [UInt8], until deadline: Int64? = nil) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = try writeSome(rest)
      if sent == 0 { try wait(for: Int32(POLLOUT), "write to a socket", until: deadline) }
      rest = rest.dropFirst(sent)
    }
  }

  /// Sends as many bytes as possible without waiting. Returns their number.
  package func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    let count = bytes.withUnsafeBytes { bytes in
      retryingInterrupts { send(descriptor, bytes.baseAddress, bytes.count, SocketOption.sendFlags) }
    }
    if count >= 0 { return count }
    guard errno == EAGAIN || errno == EWOULDBLOCK else { throw .last("write to a socket") }
    return 0
  }

  /// Shuts down both directions. This ends reads and writes of other threads. The descriptor stays open until
  /// `close()`.
  package func shutdown() {
    isOpen.withLock { if $0 { _ = systemShutdown(descriptor, Int32(SHUT_RDWR)) } }
  }

  /// Closes the connection. From this call on, no other thread may use it.
  package func close() {
    isOpen.withLock { isOpen in
      if isOpen { Descriptor.close(descriptor) }
      isOpen = false
    }
  }

  private func wait(for events: Int32, _ call: String, until deadline: Int64?) throws(SystemError) {
    guard Descriptor.wait(descriptor, for: events, until: deadline) else {
      throw SystemError(call: call, code: ETIMEDOUT)
    }
  }
}

// Calls that never wait, for a caller that asks again later.
extension StreamSocket {
  /// Begins to connect to an address.
  ///
  /// - Throws: `SystemError` if the connection is refused at once, as is possible for an address of this machine.
  package static func beginConnecting(to address: SocketAddress) throws(SystemError) -> StreamSocket {
    let socket = StreamSocket(try SocketOption.makeSocket(address.family))
    let descriptor = socket.pollDescriptor
    guard address.withPointer({ systemConnect(descriptor, $0, $1) }) != 0 else { return socket }
    let code = errno
    guard code == EINPROGRESS || code == EINTR else { throw SystemError(call: "connect", code: code) }
    return socket
  }

  /// Returns whether the connection is made; false while the attempt is pending.
  ///
  /// - Throws: `SystemError` if the attempt has failed, or if the socket has connected to itself.
  package func isConnected() throws(SystemError) -> Bool {
    guard Descriptor.wait(pollDescriptor, for: Int32(POLLOUT), until: 0) else { return false }
    let code = SocketOption.pendingError(pollDescriptor)
    guard code == 0 else { throw SystemError(call: "connect", code: code) }
    guard !SocketAddress.isConnectedToItself(pollDescriptor) else {
      // Without a reset the connection would occupy the port for a minute (TIME_WAIT).
      var reset = linger(l_onoff: 1, l_linger: 0)
      setsockopt(pollDescriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
      throw SystemError(call: "connect", code: ECONNREFUSED)
    }
    return true
  }

  /// Reads the bytes that have arrived, at most `capacity`.
  ///
  /// Returns `nil` if no bytes have arrived, and an empty array at the end of the stream.
  package func readAvailable(upTo capacity: Int = 1 << 14) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      return try read(upTo: capacity, until: 0)
    } catch {
      if error.isTimeout { return nil }
      throw error
    }
  }
}

/// Calls connect(2). The separate name is needed because `StreamSocket.connect` hides the function.
func systemConnect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
  connect(socket, address, size)
}

/// Calls shutdown(2). The separate name is needed because `StreamSocket.shutdown` hides the function.
private func systemShutdown(_ socket: Int32, _ how: Int32) -> Int32 { shutdown(socket, how) }

/// A listener for connections from this machine, on 127.0.0.1 or at a path.
package final class SocketListener: Sendable {
  private let descriptor: Int32
  private let isOpen = Lock(true)
  /// The path of the local socket with the identity of its file; `nil` for a TCP port.
  private let place: (path: String, file: FileSystem.Identity)?

  /// Listens on a TCP port.
  package init(on address: SocketAddress, named name: String) throws(SystemError) {
    descriptor = try Self.listen(on: address, named: name)
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
  }

  /// Throws the error with which a server would fail that listens on a TCP port of all interfaces.
  package static func checkFree(_ port: UInt16) throws(SystemError) {
    for address in try SocketAddress.everywhere(port) {
      do throws(SystemError) {
        end(try listen(on: address, named: "port \(port)"))
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
      if isOpen { Self.end(descriptor) }
      isOpen = false
    }
  }

  private static func end(_ descriptor: Int32) {
    // Closing is not enough: a child before its exec still shares the descriptor, and the socket would go on listening.
    // On Apple's systems the call has no effect on a listener.
    _ = systemShutdown(descriptor, Int32(SHUT_RDWR))
    Descriptor.close(descriptor)
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
