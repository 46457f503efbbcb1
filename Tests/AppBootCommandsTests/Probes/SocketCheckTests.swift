import AppBootSystem
import Testing
import AppBootTestSupport

@testable import AppBootCommands

@Suite("A probe of a socket")
struct SocketCheckTests {
  private func tcp(_ text: String) throws -> Probe {
    Probe(SocketCheck(to: .tcp(try #require(HostPort(text)))))
  }

  @Test(
    "A listening port is ready, by number and by name", arguments: ["127.0.0.1", "localhost", "LOCALHOST"])
  func listening(host: String) throws {
    let listener = try SocketListener()
    #expect(
      try tcp("\(host):\(listener.port)").end() == .ready("\(host):\(listener.port) accepts connections"))
  }

  @Test("A closed port refuses connections")
  func refused() throws {
    // A port below 1024 is never assigned to another test, as a closed one could be.
    let probe = try tcp("127.0.0.1:1")
    #expect(probe.advance() == .waiting)
    #expect(probe.obstacle == "connection refused by 127.0.0.1:1 (1 attempt)")
  }

  @Test("A name without an address is not ready")
  func unknownName() throws {
    let probe = try tcp("appboot.invalid:80")
    while probe.obstacle?.hasPrefix("no answer yet") ?? true { _ = probe.advance() }
    #expect(probe.advance() == .waiting)
    #expect(probe.obstacle?.contains("appboot.invalid") == true)
  }

  @Test("A local socket is ready if a process listens on it")
  func local() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("s")
    let absent = Probe(SocketCheck(to: .unix(path: path, name: "s")))
    #expect(absent.advance() == .waiting)
    #expect(absent.obstacle == #"there is no socket "s" (1 attempt)"#)
    let listener = try SocketListener(path: path)
    #expect(Probe(SocketCheck(to: .unix(path: path, name: "s"))).end() == .ready(#""s" accepts connections"#))
    listener.close()
    let left = Probe(SocketCheck(to: .unix(path: path, name: "s")))
    #expect(left.advance() == .waiting)
    #expect(left.obstacle == #"connection refused by "s" (1 attempt)"#)
  }

  @Test(
    "An address has a host and a port",
    arguments: [("a:1", "a", 1), ("[::1]:80", "::1", 80), ("127.0.0.1:65535", "127.0.0.1", 65535)])
  func addresses(text: String, host: String, port: UInt16) throws {
    let address = try #require(HostPort(text))
    #expect(address.host == host && address.port == port)
    #expect(address.description == text)
  }

  @Test(
    "A text without a host or a port is not an address",
    arguments: [
      "", "a", ":80", "a:", "a:0", "a:65536", "a:b", "a:+1", "::1:80", "[::1]", "[::1", "a b:1", "a:1/",
    ])
  func noAddresses(text: String) { #expect(HostPort(text) == nil) }
}

extension Probe {
  /// Advances the probe until it has an answer.
  func end() -> Answer {
    while true {
      let answer = advance()
      if answer != .waiting { return answer }
    }
  }

  /// Advances the probe until an attempt has ended, and returns what it saw.
  func seen() -> String? {
    while true {
      if advance() != .waiting { return nil }
      if let obstacle, !obstacle.hasPrefix("no answer yet"), !obstacle.hasPrefix("no response yet"),
        !obstacle.contains("has not ended")
      {
        return obstacle
      }
    }
  }
}
