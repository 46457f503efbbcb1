import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("PortLease")
struct PortLeaseTests {
  /// Returns a port on which a listener has just ended.
  private func freePort() throws -> UInt16 {
    let listener = try SocketListener()
    defer { listener.close() }
    return listener.port
  }

  @Test("A port has one holder until its lease ends")
  func oneHolder() throws {
    let port = try freePort()
    var first: PortLease? = try PortLease.take(in: port...port)
    #expect(throws: PortTaken.reserved(port)) { try PortLease.take(in: port...port) }
    #expect(first?.port == port)
    first = nil
    #expect(try PortLease.take(in: port...port).port == port)
  }

  @Test("A search skips reserved ports and those on which a process listens")
  func search() throws {
    let listener = try SocketListener()
    let first = try PortLease.take(in: listener.port...UInt16.max)
    let second = try PortLease.take(in: listener.port...UInt16.max)
    #expect(first.port > listener.port && second.port > first.port)
  }

  @Test("A range without a free port is an error")
  func none() throws {
    let listener = try SocketListener()
    let lease = try PortLease.take(in: listener.port...UInt16.max)
    if lease.port == listener.port + 1 {
      #expect(throws: PortTaken.none(from: listener.port)) {
        try PortLease.take(in: listener.port...lease.port)
      }
    }
  }

  @Test("The error for a port on which a process listens names the process")
  func listening() throws {
    let listener = try SocketListener()
    let error = #expect(throws: PortTaken.self) { try PortLease.take(in: listener.port...listener.port) }
    let words = try #require(error).description
    #if os(Linux)
    #expect(words.contains("(process \(Host.processIdentifier)): stop it, or write { \"from\": "), "\(words)")
    #else
    #expect(words.contains("is taken by another process: stop it, or write { \"from\": "), "\(words)")
    #endif
  }
}
