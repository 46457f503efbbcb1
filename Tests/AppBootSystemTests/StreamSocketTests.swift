import AppBootSystem
import Testing

@Suite("A socket")
struct StreamSocketTests {
  @Test("carries bytes both ways over TCP, and shows the end")
  func roundTrip() throws {
    let listener = try SocketListener()
    let client = try StreamSocket.connect(host: "127.0.0.1", port: listener.port, until: soon)
    try exchange(client, try #require(try listener.accept(until: soon)))
  }

  @Test("carries bytes both ways over a path")
  func local() throws {
    let directory = try TemporaryDirectory()
    let listener = try SocketListener(path: directory.file("s"))
    let client = try StreamSocket.connect(path: directory.file("s"), until: soon)
    try exchange(client, try #require(try listener.accept(until: soon)))
  }

  @Test("carries more than the system buffers")
  func large() throws {
    let listener = try SocketListener()
    let client = try StreamSocket.connect(host: "localhost", port: listener.port, until: soon)
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

  @Test("says that nobody listens")
  func refused() throws {
    let listener = try SocketListener()
    let port = listener.port
    listener.close()
    let error = #expect(throws: SystemError.self) {
      try StreamSocket.connect(host: "127.0.0.1", port: port, until: soon)
    }
    #expect(error?.description == "cannot connect to \"127.0.0.1:\(port)\": connection refused")
  }

  @Test("does not wait beyond its deadline")
  func deadlines() throws {
    let listener = try SocketListener()
    #expect(try listener.accept(until: 0) == nil)
    let client = try StreamSocket.connect(host: "127.0.0.1", port: listener.port, until: soon)
    let error = #expect(throws: SystemError.self) { try client.read(until: 0) }
    #expect(error?.reason == "connection timed out")
  }

  @Test("does not end the process when the peer has left")
  func peerLeft() throws {
    let listener = try SocketListener()
    let client = try StreamSocket.connect(host: "127.0.0.1", port: listener.port, until: soon)
    try #require(try listener.accept(until: soon)).close()
    #expect(throws: SystemError.self) {
      for _ in 0..<1000 { try client.write([UInt8](repeating: 0, count: 10_000), until: soon) }
    }
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
