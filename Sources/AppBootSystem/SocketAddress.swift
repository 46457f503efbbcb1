import AppBootC
import AppBootLibC

/// An address to connect to or to listen at, in the layout of the system.
package struct SocketAddress: Equatable, Sendable {
  let family: Int32
  private let bytes: [UInt8]

  private init(family: Int32, bytes: [UInt8]) {
    self.family = family
    self.bytes = bytes
  }

  /// Returns the address 127.0.0.1 with a port.
  package static func loopback(_ port: UInt16) -> SocketAddress {
    var address = sockaddr_in()
    #if canImport(Darwin)
    address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    #endif
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return SocketAddress(family: AF_INET, bytes: withUnsafeBytes(of: address) { Array($0) })
  }

  /// Returns the address of a socket in the file system (`sockaddr_un`, POSIX).
  ///
  /// A path that begins with `@` is a name in Linux's abstract namespace (unix(7)).
  ///
  /// - Throws: `SystemError` if the path is empty or longer than about 100 bytes.
  package static func local(_ path: String) throws(SystemError) -> SocketAddress {
    var address = sockaddr_un()
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room, !path.isEmpty else {
      throw SystemError(call: "use the socket", path: path, code: ENAMETOOLONG)
    }
    #if canImport(Darwin)
    address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
    #endif
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    #if os(Linux)
    if path.utf8.first == UInt8(ascii: "@") {
      address.sun_path.0 = 0
      let length = MemoryLayout.size(ofValue: address) - room + path.utf8.count
      return SocketAddress(family: AF_UNIX, bytes: withUnsafeBytes(of: address) { Array($0.prefix(length)) })
    }
    #endif
    return SocketAddress(family: AF_UNIX, bytes: withUnsafeBytes(of: address) { Array($0) })
  }

  /// Calls `body` with the address of a socket in the file system, whose path may be longer than an address holds.
  ///
  /// On Linux the address of a long path is relative to its directory, which is open during the call.
  static func withLocal<Result>(
    _ path: String, _ body: (SocketAddress) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    #if os(Linux)
    if path.utf8.count >= MemoryLayout.size(ofValue: sockaddr_un().sun_path),
      path.utf8.first != UInt8(ascii: "@")
    {
      let directory = retryingInterrupts {
        open(FileSystem.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      }
      guard directory >= 0 else { throw .last("use the socket", path) }
      defer { Descriptor.close(directory) }
      return try body(local("/proc/self/fd/\(directory)/\(FileSystem.lastComponent(path))"))
    }
    #endif
    return try body(local(path))
  }

  /// Returns all TCP addresses of a host, in the order that the system recommends (`getaddrinfo`, POSIX).
  ///
  /// It may wait for a name server.
  package static func resolve(_ host: String, _ port: UInt16) throws(SystemError) -> [SocketAddress] {
    try lookUp(host, port, flags: 0)
  }

  /// Returns the addresses of a numeric host, for example `10.0.0.1`, or of `localhost`; `nil` for any other name.
  ///
  /// It does not wait for a name server.
  package static func known(_ host: String, _ port: UInt16) -> [SocketAddress]? {
    // The name is the loopback interface's (RFC 6761, 6.3).
    let hosts = host.lowercased() == "localhost" ? ["127.0.0.1", "::1"] : [host]
    let addresses = hosts.compactMap { try? lookUp($0, port, flags: AI_NUMERICHOST) }.flatMap(\.self)
    return addresses.isEmpty ? nil : addresses
  }

  /// Returns the addresses at which a server on all interfaces listens, and the address of the loopback interface.
  static func everywhere(_ port: UInt16) throws(SystemError) -> [SocketAddress] {
    try lookUp(nil, port, flags: AI_PASSIVE) + [.loopback(port)]
  }

  private static func lookUp(
    _ host: String?, _ port: UInt16, flags: Int32
  ) throws(SystemError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = SocketOption.stream
    hints.ai_flags = flags
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard code == 0 else {
      throw SystemError(
        call: "find the address of", path: host ?? "this machine", code: code == EAI_SYSTEM ? errno : ENOENT)
    }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      let bytes = UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
      addresses.append(SocketAddress(family: entry.ai_family, bytes: Array(bytes)))
      next = entry.ai_next
    }
    return addresses
  }

  /// Returns whether both ends of a connected socket have the same address.
  ///
  /// An attempt to connect to a free port of this machine may get that port for its own end. It then connects to itself
  /// (simultaneous open, RFC 9293, 3.5), although no process listens.
  static func isConnectedToItself(_ descriptor: Int32) -> Bool {
    func address(
      _ read: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_storage>.size)
      var size = socklen_t(bytes.count)
      let result = bytes.withUnsafeMutableBytes { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) { read(descriptor, $0.baseAddress, &size) }
      }
      return result == 0 ? Array(bytes.prefix(Int(size))) : nil
    }
    guard let own = address(getsockname), let peer = address(getpeername), own == peer else { return false }
    // The ends of a local connection may both have no address.
    return own.count >= MemoryLayout<sockaddr_in>.size
  }

  func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    bytes.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) { bound in
        guard let start = bound.baseAddress else { return -1 }
        return body(start, socklen_t(bytes.count))
      }
    }
  }
}

/// A namespace for socket options. Their constants have different types in different C libraries.
enum SocketOption {
  static var stream: Int32 {
    #if canImport(Glibc)
    Int32(SOCK_STREAM.rawValue)
    #else
    SOCK_STREAM
    #endif
  }

  static var datagram: Int32 {
    #if canImport(Glibc)
    Int32(SOCK_DGRAM.rawValue)
    #else
    SOCK_DGRAM
    #endif
  }

  /// Creates a socket that is non-blocking and closed on exec. By default it is a stream socket.
  static func makeSocket(_ family: Int32, _ type: Int32 = stream) throws(SystemError) -> Int32 {
    #if os(Linux)
    let descriptor = socket(family, type | O_CLOEXEC | O_NONBLOCK, 0)  // SOCK_CLOEXEC | SOCK_NONBLOCK
    #else
    let descriptor = socket(family, type, 0)
    Descriptor.setCloseOnExec(descriptor)
    Descriptor.setNonBlocking(descriptor)
    #endif
    guard descriptor >= 0 else { throw .last("create a socket") }
    return descriptor
  }

  /// Accepts a connection, which is non-blocking and closed on exec. Returns -1 for an error, whose code is in `errno`.
  static func acceptConnection(_ listener: Int32) -> Int32 {
    #if os(Linux)
    return appboot_accept4(listener, nil, nil, O_CLOEXEC | O_NONBLOCK)
    #else
    let descriptor = accept(listener, nil, nil)
    if descriptor >= 0 {
      Descriptor.setCloseOnExec(descriptor)
      Descriptor.setNonBlocking(descriptor)
    }
    return descriptor
    #endif
  }

  /// The flags for `send` that prevent `SIGPIPE` if the peer has closed the connection (POSIX).
  static var sendFlags: Int32 {
    #if canImport(Darwin)
    0
    #else
    Int32(MSG_NOSIGNAL)
    #endif
  }

  static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
    var one: Int32 = 1
    setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  static func ignoreBrokenPipe(_ descriptor: Int32) {
    #if canImport(Darwin)
    set(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
    #endif
  }

  /// Returns the error of a connection attempt; 0 if there is none.
  static func pendingError(_ descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }
}

/// A search for the addresses of a host. If it needs a name server, it runs on a separate thread.
package final class HostLookup: Sendable {
  private let found = Lock<Result<[SocketAddress], SystemError>?>(nil)

  /// Begins the search.
  package init(_ host: String, _ port: UInt16) {
    if let addresses = SocketAddress.known(host, port) {
      found.withLock { $0 = .success(addresses) }
      return
    }
    // The thread keeps the result until the name server has answered, though the caller may have gone.
    Thread.detach(name: "appboot-lookup") { [self] in
      let result = Result { () throws(SystemError) in try SocketAddress.resolve(host, port) }
      found.withLock { $0 = result }
    }
  }

  /// The addresses in the system's order, or the system's error; `nil` while the search runs.
  package var result: Result<[SocketAddress], SystemError>? { found.withLock(\.self) }
}

extension SystemError {
  /// A Boolean that is true if there are as many processes or open descriptors as the system allows.
  package var isShortage: Bool { code == EMFILE || code == ENFILE || code == EAGAIN }

  /// A Boolean that is true if the deadline passed.
  package var isTimeout: Bool { code == ETIMEDOUT }

  /// A Boolean that is true if another process uses the network address.
  package var isAddressInUse: Bool { code == EADDRINUSE }

  /// A Boolean that is true if no process listens at the network address.
  package var isRefused: Bool { code == ECONNREFUSED }

  /// A Boolean that is true if the peer has closed the connection.
  package var isBrokenConnection: Bool { code == ECONNRESET || code == EPIPE }

  /// A Boolean that is true if a name is longer than the system allows.
  package var isNameTooLong: Bool { code == ENAMETOOLONG }

  /// A Boolean that is true if a file or an input has more bytes than its limit.
  package var isTooLarge: Bool { code == EFBIG }
}
