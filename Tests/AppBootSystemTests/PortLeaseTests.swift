import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("PortLease")
struct PortLeaseTests {
  @Test("A port has one holder until its lease ends")
  func oneHolder() throws {
    // Another test can take the port in the moment after its lease has ended.
    let isFree = try Patience.wait {
      var first: PortLease? = try PortLease.take(in: 20_000...UInt16.max)
      let port = try #require(first?.port)
      #expect(throws: PortTaken.reserved(port)) { try PortLease.take(in: port...port) }
      #expect(first?.port == port)
      first = nil
      let second = try? PortLease.take(in: port...port)
      return second?.port == port
    }
    #expect(isFree)
  }

  @Test("A search skips reserved ports and those on which a process listens")
  func search() throws {
    let listener = try SocketListener()
    let first = try PortLease.take(in: listener.port...UInt16.max)
    let second = try PortLease.take(in: listener.port...UInt16.max)
    // Another test can free a port between the two.
    #expect(first.port > listener.port && second.port > listener.port && second.port != first.port)
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
    withExtendedLifetime(lease) {}
  }

  @Test("The error for a port on which a process listens names the process")
  func listening() throws {
    let listener = try SocketListener()
    #if os(Linux)
    let end = "(process \(Host.processIdentifier)): stop it, or write { \"from\": "
    #else
    let end = "is taken by another process: stop it, or write { \"from\": "
    #endif
    // While another test looks for a port, it can hold the lock of this one.
    let isNamed = try Patience.wait {
      let error = #expect(throws: PortTaken.self) { try PortLease.take(in: listener.port...listener.port) }
      return try #require(error).description.contains(end)
    }
    #expect(isNamed)
  }
}
