#if os(Linux)
@testable import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("PortHolder")
struct PortHolderTests {
  @Test("A family holds the port on which one of its processes listens, and another family does not")
  func holder() throws {
    let listener = try SocketListener()
    #expect(ProcessFamily(of: Host.processIdentifier, marks: [:]).holder(ofPort: listener.port) == .family)
    let child = try ProcessRequest(["sleep", "1000"]).start()
    defer {
      child.killGroup(Signals.kill)
      _ = child.wait()
      child.finish()
    }
    let other = ProcessFamily(of: child.processIdentifier, marks: [:]).holder(ofPort: listener.port)
    guard case .other(let name) = other else { return #expect(other == .other("")) }
    #expect(name.hasSuffix(" (process \(Host.processIdentifier))"), "\(name)")
  }

  @Test(
    "The kernel's answer has the socket of a listener, and no other socket",
    .enabled(if: ListeningSockets.ask(port: 1) != nil, "this system refuses sock_diag"))
  func answer() throws {
    let listener = try SocketListener()
    let client = try StreamSocket.connect(to: .loopback(listener.port), named: "the listener", until: nil)
    defer { client.close() }
    let asked = try #require(ListeningSockets.ask(port: listener.port))
    #expect(PortHolder.has(Host.processIdentifier, asked.names))
    let tables = try ["/proc/net/tcp", "/proc/net/tcp6"].map {
      ListeningSockets(port: listener.port, in: try FileSystem.readFile($0)).names
    }
    #expect(asked.names == tables[0].union(tables[1]))
  }

  @Test("A table has the sockets that listen on a port, and no connections")
  func table() {
    let text = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0
       1: 0100007F:1F90 0100007F:A0B2 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 20 4 30 10 -1
       2: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 100 0 0 10 0
      """
    #expect(ListeningSockets(port: 8080, in: Array(text.utf8)).names == ["socket:[4711]"])
    #expect(ListeningSockets(port: 8081, in: Array(text.utf8)).names.isEmpty)
  }
}
#endif
