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

  /// Connects to the first address of a host that accepts. It tries the addresses one after the other until the
  /// deadline.
  ///
  /// The deadline does not include the name look-up, which has a timeout of the system.
  package static func connect(
    host: String, port: UInt16, until deadline: Int64?
  ) throws(SystemError) -> StreamSocket {
    try connect(SocketAddress.resolve(host, port), named: "\(host):\(port)", until: deadline)
  }

  /// Connects to the local socket at a path.
  package static func connect(path: String, until deadline: Int64?) throws(SystemError) -> StreamSocket {
    try SocketAddress.withLocal(path) { address throws(SystemError) in
      try connect([address], named: path, until: deadline)
    }
  }

  private static func connect(
    _ addresses: [SocketAddress], named name: String, until deadline: Int64?
  ) throws(SystemError) -> StreamSocket {
    var failure = ECONNREFUSED
    for address in addresses {
      switch attemptPatiently(address, until: deadline) {
      case .connected(let descriptor): return StreamSocket(descriptor)
      case .failed(let code): failure = code
      }
    }
    throw SystemError(call: "connect to", path: name, code: failure)
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

  private enum Attempt {
    case connected(Int32)
    case failed(Int32)
  }

  /// Connects. While a local listener's queue is full, connect(2) fails at once on Linux; then it retries every 10 ms.
  private static func attemptPatiently(_ address: SocketAddress, until deadline: Int64?) -> Attempt {
    while true {
      let result = attempt(address, until: deadline)
      guard case .failed(EAGAIN) = result else { return result }
      if let deadline, MonotonicClock.now() >= deadline { return .failed(ETIMEDOUT) }
      poll(nil, 0, 10)
    }
  }

  private static func attempt(_ address: SocketAddress, until deadline: Int64?) -> Attempt {
    let descriptor: Int32
    do throws(SystemError) { descriptor = try SocketOption.makeSocket(address.family) } catch {
      return .failed(error.code)
    }
    var code = address.withPointer { systemConnect(descriptor, $0, $1) } == 0 ? 0 : errno
    if code == EINPROGRESS || code == EINTR {
      let isReady = Descriptor.wait(descriptor, for: Int32(POLLOUT), until: deadline)
      code = isReady ? SocketOption.pendingError(descriptor) : ETIMEDOUT
    }
    if code == 0 { return .connected(descriptor) }
    Descriptor.close(descriptor)
    return .failed(code)
  }
}

/// Calls connect(2). The separate name is needed because `StreamSocket.connect` hides the function.
private func systemConnect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
  connect(socket, address, size)
}

/// Calls shutdown(2). The separate name is needed because `StreamSocket.shutdown` hides the function.
private func systemShutdown(_ socket: Int32, _ how: Int32) -> Int32 { shutdown(socket, how) }
