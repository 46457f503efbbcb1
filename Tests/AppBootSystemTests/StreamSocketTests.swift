import AppBootLibC
import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("StreamSocket", .ownThread)
struct StreamSocketTests {
  @Test("A TCP connection carries bytes both ways, up to its end")
  func roundTrip() throws {
    let listener = try SocketListener()
    let client = try connect(to: listener.port)
    try exchange(client, try #require(try listener.accept(until: soon)))
  }

  @Test("A local connection carries bytes both ways")
  func local() throws {
    let directory = try TemporaryDirectory()
    let listener = try SocketListener(path: directory.file("s"))
    let client = try StreamSocket.connect(path: directory.file("s"), until: soon)
    try exchange(client, try #require(try listener.accept(until: soon)))
  }

  @Test("A listener that fails leaves no socket file")
  func failedListener() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("s")
    #expect(throws: SystemError(call: "listen on", path: path, code: ENOBUFS)) {
      _ = try SocketListener.listen(on: .local(path), named: path, mode: 0o600) { _ in
        errno = ENOBUFS
        return -1
      }
    }
    #expect(!FileSystem.exists(path))
    // A file that another process made stays.
    let other = try SocketListener(path: path)
    #expect(throws: SystemError.self) { _ = try SocketListener(path: path) }
    #expect(FileSystem.kind(of: path) == .socket)
    other.remove()
  }

  @Test("A connection carries more bytes than the system buffers")
  func large() throws {
    let listener = try SocketListener()
    let client = try connect(to: listener.port)
    let server = try #require(try listener.accept(until: soon))
    let bytes = [UInt8](repeating: 7, count: 10_000_000)
    let writer = try Thread.start(name: "writer") {
      try? client.write(bytes)
      client.close()
    }
    var count = 0
    while true {
      let chunk = try server.read(until: soon)
      if chunk.isEmpty { break }
      count += chunk.count
    }
    writer.join()
    #expect(count == bytes.count)
  }

  @Test("A refused connection is an error with the address")
  func refused() throws {
    // A port below 1024 is never assigned to another test, as a closed one could be.
    let error = #expect(throws: SystemError.self) {
      try connect(to: 1)
    }
    #expect(error?.description == "cannot connect to \"127.0.0.1:1\": connection refused")
  }

  @Test("A call times out at its deadline")
  func deadlines() throws {
    let listener = try SocketListener()
    #expect(try listener.accept(until: 0) == nil)
    let client = try connect(to: listener.port)
    let error = #expect(throws: SystemError.self) { try client.read(until: 0) }
    #expect(error?.reason == "connection timed out")
  }

  @Test("Writing to a closed peer throws and does not kill the process")
  func peerLeft() throws {
    let listener = try SocketListener()
    let client = try connect(to: listener.port)
    try #require(try listener.accept(until: soon)).close()
    #expect(throws: SystemError.self) {
      for _ in 0..<1000 { try client.write([UInt8](repeating: 0, count: 10_000), until: soon) }
    }
  }

  @Test("A connection that has begun is made without waiting, and reads what has arrived")
  func nonBlocking() throws {
    let listener = try SocketListener()
    let client = try StreamSocket.beginConnecting(to: .loopback(listener.port))
    while try !client.isConnected() {}
    let server = try #require(try listener.accept(until: soon))
    #expect(try client.readAvailable() == nil)
    try server.write([1])
    var bytes: [UInt8]?
    while bytes == nil { bytes = try client.readAvailable() }
    #expect(bytes == [1])
    server.close()
    bytes = nil
    while bytes == nil { bytes = try client.readAvailable() }
    #expect(bytes == [])
  }

  @Test("A connection to a free port is refused, also if it gets that port for its own end")
  func connectedToItself() throws {
    let listener = try SocketListener()
    let port = listener.port
    listener.close()
    // The system chooses the own end from the free ports, so that one in some ten thousand attempts meets itself.
    // Another program, or another test, can take the port meanwhile.
    var isTaken = false
    for _ in 0..<60_000 {
      do throws(SystemError) {
        let socket = try StreamSocket.beginConnecting(to: .loopback(port))
        while try !socket.isConnected() {}
        isTaken = true
        #expect(!SocketAddress.isConnectedToItself(socket.pollDescriptor))
      } catch {
        #expect(error.isRefused)
      }
    }
    if !isTaken { _ = try SocketListener(port: port) }
  }

  #if os(Linux)
  @Test(
    "A closed listener refuses connections, even while a child has a copy of it before its exec",
    arguments: [true, false])
  func closedWithCopy(isLocal: Bool) throws {
    // Another test can take the port as soon as the listener is closed.
    let isRefused = try Patience.wait {
      let directory = try TemporaryDirectory()
      let path = directory.file("s")
      let listener = isLocal ? try SocketListener(path: path) : try SocketListener()
      // A closed listener has no port.
      let port = isLocal ? 0 : listener.port
      let copy = dup(listener.readDescriptor)
      defer { Descriptor.close(copy) }
      listener.close()
      do throws(SystemError) {
        _ = try isLocal ? StreamSocket.connect(path: path, until: soon) : connect(to: port)
        return false
      } catch {
        return error.isRefused && (isLocal || (try? SocketListener.checkFree(port)) != nil)
      }
    }
    #expect(isRefused)
  }

  @Test("Connecting to a listener with a full queue waits until its deadline")
  func fullQueue() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("s")
    let listener = try SocketListener(path: path)
    var waiting: [StreamSocket] = []
    while let socket = try? StreamSocket.connect(path: path, until: 0) { waiting.append(socket) }
    let error = #expect(throws: SystemError.self) { try StreamSocket.connect(path: path, until: 0) }
    #expect(error?.reason == "connection timed out")
    let deadline = soon
    let isConnected = Lock(false)
    let other = try Thread.start(name: "other") {
      let socket = try? StreamSocket.connect(path: path, until: deadline)
      isConnected.withLock { $0 = socket != nil }
    }
    let accepted = try #require(try listener.accept(until: deadline))
    other.join()
    #expect(isConnected.withLock { $0 })
    accepted.close()
  }
  #endif

  private func connect(to port: UInt16) throws(SystemError) -> StreamSocket {
    try StreamSocket.connect(to: .loopback(port), named: "127.0.0.1:\(port)", until: soon)
  }

  private var soon: Int64 { MonotonicClock.now() + 30_000_000_000 }

  private func exchange(_ client: StreamSocket, _ server: StreamSocket) throws {
    try client.write(Array("ping".utf8), until: soon)
    #expect(try server.read(until: soon) == Array("ping".utf8))
    try server.write(Array("pong".utf8), until: soon)
    #expect(try client.read(until: soon) == Array("pong".utf8))
    server.close()
    #expect(try client.read(until: soon) == [])
  }
}
