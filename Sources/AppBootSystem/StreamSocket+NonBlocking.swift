import AppBootLibC

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
private func systemConnect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
  connect(socket, address, size)
}
