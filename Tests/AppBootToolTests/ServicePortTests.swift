import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("Ports of services", .ownThread)
struct ServicePortTests {
  /// The first port of the searches. It is the same for both apps of a test.
  private let first: UInt16

  init() throws {
    let listener = try SocketListener()
    first = listener.port
    listener.close()
  }

  private func manifest() -> String {
    let web = Entry.service(
      "echo up $PORT $PORT_ADMIN $0; trap 'exit 0' TERM; while :; do sleep 0.01; done", id: "web",
      with: #""port": { "from": \#(first) }, "ports": { "admin": { "from": \#(first) } }"#)
    let later = Entry.program(
      ["echo", "{service.web.port}", "{service.web.port.admin}"], id: "later")
    return "[\(web), \(later)]"
  }

  private func start() throws -> Staying {
    let tool = try ToolProcess("run", "--format", "jsonl").manifest(manifest())
    return Staying(tool: tool, running: try Staying.again(tool))
  }

  private func ports(_ app: Staying) throws -> [Int] {
    let service = try app.status()["services"]?.elements.first
    return try [service?["port"], service?["ports"]?["admin"]].compactMap { try $0?.integer(as: Int.self) }
  }

  @Test("Two copies of an app have different ports, and each keeps its own after a restart")
  func copies() throws {
    let (one, other) = (try start(), try start())
    let (ports, others) = (try ports(one), try ports(other))
    #expect(ports.count == 2 && others.count == 2 && Set(ports + others).count == 4)
    #expect(try one.ask("restart", "web").status == 0)
    #expect(try self.ports(one) == ports)
    let words = "up \(ports[0]) \(ports[1])"
    let logs = try one.ask("logs", "web").output.split(separator: "\n").filter { $0.contains(words) }
    #expect(logs.count == 2, "\(logs)")
    #expect(try one.ask("status").output.contains(", ports \(ports[0]), admin \(ports[1])"))
    #expect(try one.ask("logs", "later").output.contains("\(ports[0]) \(ports[1])\n"))
    let report = try one.ask("report").output
    #expect(report.contains("; ports \(ports[0]), admin \(ports[1])"), "\(report)")
    #expect(try one.end().status == 0)
    #expect(try other.end().status == 0)
  }

  @Test("A service whose port another process has does not start")
  func taken() throws {
    let listener = try SocketListener()
    let web = Entry.service("echo up; exec sleep 1000", id: "web", with: #""port": \#(listener.port)"#)
    let result = try ToolProcess("run", "--then-stop").manifest("[\(web)]").run()
    #expect(result.status == 1)
    let words = "port \(listener.port) is taken by "
    #expect((result.output + result.errors).contains(words), "\(result.output)\(result.errors)")
  }

  @Test("validate warns about two services with one port, unless a condition decides which one runs")
  func samePort() throws {
    func found(_ ofA: String, _ members: String = "") throws -> String {
      let a = Entry.service("true", id: "a", with: ofA)
      let b = Entry.service("true", id: "b", members, with: #""ports": { "x": 80 }"#)
      return try ToolProcess("validate").manifest("[\(a), \(b)]").run().output
    }
    #expect(try found(#""port": 80"#).contains(#"warning: "b" needs port 80, which "a" takes"#))
    #expect(try !found(#""port": 80"#, #""when": { "environment": "B" }"#).contains("warning"))
    #expect(try found(#""port": { "from": 80 }"#).contains("warning"))
    #expect(try !found(#""port": { "from": 79 }"#).contains("warning"))
    #expect(try found(#""port": { "from": 79 }, "ports": { "y": { "from": 79 } }"#).contains("warning"))
  }
}
