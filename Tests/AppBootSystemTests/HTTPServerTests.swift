import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("HTTPServer", .ownThread)
struct HTTPServerTests {
  private let server: HTTPServer

  init() throws { server = try HTTPServer() }

  @Test("The server sends the scripted answers, then the fallback")
  func script() throws {
    server.enqueue(.status(503, body: "busy"))
    server.enqueue(.status(201, headers: ["X-Token": "abc"], body: "made"))
    #expect(try curl("/a?b=c") == "busy 503")
    #expect(try curl("/x", ["-D", "-"]).contains("X-Token: abc\r\n"))
    #expect(try curl("/") == " 200")
    #expect(server.requests.map(\.path) == ["/a?b=c", "/x", "/"])
    #expect(server.requests.first?.method == "GET")
    #expect(server.requests.first?.header("host") == "127.0.0.1:\(server.port)")
  }

  @Test("The server reads bodies with a length, in chunks, and after 100 Continue")
  func bodies() throws {
    #expect(try curl("/1", ["-d", "a=b"]) == " 200")
    #expect(try curl("/2", ["-H", "Transfer-Encoding: chunked", "-d", "chunky"]) == " 200")
    let large = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
    #expect(try curl("/3", ["-H", "Expect: 100-continue", "--data-binary", "@-"], input: large) == " 200")
    #expect(server.requests.map(\.text.utf8.count) == [3, 6, 300_000])
    #expect(server.requests[1].text == "chunky" && server.requests[2].body == large)
    #expect(server.requests[2].header("expect") == "100-continue")
  }

  @Test("A held answer waits for its gate and does not delay other answers")
  func held() throws {
    let gate = Gate()
    server.enqueue(.held(gate, status: 200, body: "late"))
    let slow = try start("/slow", [])
    #expect(server.waitForRequests(1).map(\.path) == ["/slow"])
    #expect(try curl("/fast") == " 200")
    #expect(slow.end() == nil)
    gate.open()
    #expect(output(of: slow) == "late 200")
  }

  @Test("The server can close a connection without an answer")
  func closes() throws {
    server.enqueue(.closeConnection)
    let process = try start("/", [])
    _ = output(of: process)
    #expect(process.wait() == .exited(52))  // "Empty reply from server" (curl(1))
  }

  @Test("Stopping the server releases held clients and refuses new connections")
  func stops() throws {
    server.enqueue(.held(Gate(), status: 200))
    let process = try start("/", [])
    _ = server.waitForRequests(1)
    server.stop()
    server.stop()
    _ = process.wait()
    // Another test can take the port of a server that has stopped.
    let isRefused = try Patience.wait {
      let other = try HTTPServer()
      other.stop()
      // "Failed to connect" (curl(1)); or 56, reset: until its exec, a program that is just starting keeps the
      // listener open.
      let end = try start("/", [], at: other).wait()
      return end == .exited(7) || end == .exited(56)
    }
    #expect(isRefused)
  }

  private func start(
    _ path: String, _ options: [String], input: [UInt8]? = nil, at other: HTTPServer? = nil
  ) throws -> Subprocess {
    let arguments = ["curl", "-q", "-s", "--noproxy", "*", "-w", " %{http_code}"] + options
    return try ProcessRequest(
      arguments + [(other ?? server).url(path)], captureOutput: true, standardInput: input
    ).start()
  }

  private func curl(_ path: String, _ options: [String] = [], input: [UInt8]? = nil) throws -> String {
    output(of: try start(path, options, input: input))
  }
}
