import AppBootLibC

/// A socket on which a service reports its state, in the protocol of sd_notify(3).
///
/// The service finds the socket's path in the variable `NOTIFY_SOCKET`. Only processes of the same user can reach it.
package final class NotificationSocket: Sendable {
  /// The path of the socket. Only the user can enter its directory.
  package let path: String
  private let directory: String
  private let descriptor: Int32
  private let isOpen = Lock(true)

  /// Creates the socket in a new temporary directory.
  package init() throws(SystemError) {
    let directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-notify")
    let path = FileSystem.join(directory, "socket")
    do throws(SystemError) {
      descriptor = try Self.bound(to: path)
    } catch {
      try? FileSystem.removeTree(directory)
      throw error
    }
    (self.directory, self.path) = (directory, path)
  }

  deinit { close() }

  /// Makes the socket at a path another user's, who may then send to it.
  package static func give(_ path: String, to owner: UserIdentity) throws(SystemError) {
    for file in [path, FileSystem.directory(of: path)] where chown(file, owner.user, owner.group) != 0 {
      throw .last("change the owner of", file)
    }
  }

  /// The descriptor of the socket. It is readable while a message waits.
  package var readDescriptor: Int32 { descriptor }

  /// Returns the assignments that have arrived, for example `READY=1` and `STATUS=loading`, oldest first. It never
  /// waits.
  package func assignments() -> [String] {
    isOpen.withLock { isOpen in
      guard isOpen else { return [] }
      var lines: [String] = []
      withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 1) { buffer in
        while true {
          // Without room for control messages the system closes the descriptors in a message (recvmsg, POSIX).
          let count = retryingInterrupts { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
          guard count >= 0 else { return }
          let text = String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
          lines += text.split(separator: "\n").map(String.init)
        }
      }
      return lines
    }
  }

  /// Discards messages that have arrived, at most 64: the socket stays readable if there are more. It never waits.
  package func discardMessages() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer in
        for _ in 0..<64 {
          guard retryingInterrupts({ recv(descriptor, buffer.baseAddress, 1, 0) }) >= 0 else { return }
        }
      }
    }
  }

  /// Closes the socket, and removes its file and directory. Before the call, remove the descriptor from every poller.
  package func close() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      isOpen = false
      Descriptor.close(descriptor)
      try? FileSystem.removeTree(directory)
    }
  }

  /// Sends a message to the socket of another process, as a service does (`READY=1`). It never waits.
  package static func send(_ message: String, to path: String) throws(SystemError) {
    let address = try SocketAddress.local(path)
    let descriptor = try SocketOption.makeSocket(address.family, SocketOption.datagram)
    defer { Descriptor.close(descriptor) }
    guard address.withPointer({ systemConnect(descriptor, $0, $1) }) == 0 else { throw .last("notify", path) }
    let bytes = Array(message.utf8)
    guard systemSend(descriptor, bytes, bytes.count) == bytes.count else { throw .last("notify", path) }
  }

  private static func bound(to path: String) throws(SystemError) -> Int32 {
    let address = try SocketAddress.local(path)
    let descriptor = try SocketOption.makeSocket(address.family, SocketOption.datagram)
    if address.withPointer({ bind(descriptor, $0, $1) }) == 0 { return descriptor }
    defer { Descriptor.close(descriptor) }
    throw .last("create the socket", path)
  }
}

/// Calls send(2). The separate name is needed because `NotificationSocket.send` hides the function.
private func systemSend(_ socket: Int32, _ bytes: [UInt8], _ count: Int) -> Int {
  retryingInterrupts { send(socket, bytes, count, SocketOption.sendFlags) }
}
