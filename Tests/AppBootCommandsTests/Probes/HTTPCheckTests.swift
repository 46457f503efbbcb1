import AppBoot
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("A probe of a URL")
struct HTTPCheckTests {
  private func probe(_ url: String, _ change: (inout HTTPProbe) -> Void = { _ in }) throws -> Probe {
    var parameters = HTTPProbe(url: url)
    change(&parameters)
    return Probe(HTTPCheck(try expectation(parameters)))
  }

  private func expectation(_ parameters: HTTPProbe) throws -> HTTPExpectation {
    let context = LaunchPlan(sequence: [WaitFor()]).detachedContexts()(0)
    return try HTTPExpectation(parameters, in: context)
  }

  @Test("A status from 200 to 399 is ready", arguments: [200, 204, 302])
  func ready(status: Int) throws {
    let server = try HTTPServer(fallback: .status(status))
    #expect(
      try probe(server.url("/health?a=b")).end() == .ready("\(server.url("/health")) answered \(status)"))
    #expect(server.requests.first?.path == "/health?a=b")
    #expect(server.requests.first?.header("host") == "127.0.0.1:\(server.port)")
  }

  @Test("A server that never stops sending does not hold a look")
  func endlessResponse() throws {
    let listener = try SocketListener()
    let server = try Thread.start(name: "endless answer") {
      guard let connection = try? listener.accept() else { return }
      _ = try? connection.read()
      let part = Array("HTTP/1.1 200 OK\r\n".utf8) + Array("X: y\r\n".utf8)
      while (try? connection.write(part)) != nil {}
      connection.close()
    }
    // The thread uses the descriptor until it ends.
    defer { listener.close() }
    defer { server.join() }
    var parameters = HTTPProbe(url: "http://127.0.0.1:\(listener.port)/")
    parameters.headers = ["X-Ready": "yes"]
    var check = HTTPCheck(try expectation(parameters))
    defer { check.close() }
    for _ in 0..<20 {
      guard case .ready = check.look(at: MonotonicClock.now()) else { continue }
      Issue.record("an endless response made the check ready")
    }
  }

  @Test("Another status is not ready, until it changes")
  func unready() throws {
    let server = try HTTPServer(answers: [.status(503), .closeConnection], fallback: .status(200))
    let probe = try probe(server.url())
    #expect(probe.seen() == "\(server.url()) answered 503 (1 attempt)")
    #expect(probe.end() == .ready("\(server.url()) answered 200"))
    #expect(server.requests.count == 3)
  }

  @Test("Only the expected statuses are ready")
  func statuses() throws {
    let server = try HTTPServer(answers: [.status(200), .status(404)])
    let probe = try probe(server.url()) { $0.status = OneOrMore([404, 500]) }
    #expect(probe.seen() == "\(server.url()) answered 200 (1 attempt)")
    #expect(probe.end() == .ready("\(server.url()) answered 404"))
  }

  @Test("A header field must be there with its value")
  func headers() throws {
    let server = try HTTPServer(
      answers: [.status(200, headers: ["X-Ready": "no"]), .status(200, headers: ["x-ready": "yes"])])
    let probe = try probe(server.url()) { $0.headers = ["X-Ready": "yes"] }
    #expect(
      probe.seen() == "\(server.url()) answered 200 without the header field \"X-Ready: yes\" (1 attempt)")
    #expect(probe.end() == .ready("\(server.url()) answered 200"))
  }

  @Test("The body must contain the text, with and without a length")
  func body() throws {
    let server = try HTTPServer(
      answers: [.status(200, body: "starting"), .unannounced(status: 200, body: "{\"state\": \"up\"}")])
    let probe = try probe(server.url()) { $0.body = #""up""# }
    #expect(probe.seen() == "\(server.url()) answered 200 without \"\"up\"\" in its body (1 attempt)")
    #expect(probe.end() == .ready("\(server.url()) answered 200"))
  }

  @Test("A port without a server refuses the connection")
  func refused() throws {
    // A port below 1024 is never assigned to another test, as a closed one could be.
    #expect(try probe("http://127.0.0.1:1/").seen() == "connection refused by 127.0.0.1:1 (1 attempt)")
  }

  @Test("A server that closes the connection is not ready")
  func closes() throws {
    let server = try HTTPServer(fallback: .closeConnection)
    #expect(
      try probe(server.url()).seen() == "\(server.url()) closed the connection without a response (1 attempt)"
    )
  }

  @Test("A probe sees a server that does not answer, and closing it leaves no request")
  func silent() throws {
    let gate = Gate()
    let server = try HTTPServer(fallback: .held(gate, status: 200))
    let probe = try probe(server.url())
    while probe.obstacle == nil || server.requests.isEmpty { _ = probe.advance() }
    #expect(probe.advance() == .waiting)
    #expect(probe.obstacle == "no response yet from \(server.url()) (1 attempt)")
    gate.open()
    #expect(probe.end() == .ready("\(server.url()) answered 200"))
  }

  @Test(
    "A response is judged as soon as enough of it has arrived",
    arguments: [
      ("HTTP/1.1 200 OK\r\n", nil), ("HT", nil),
      ("HTTP/1.1 200 OK\r\n\r\n", .ready("http://a/ answered 200")),
      ("HTTP/1.0 200\n\n", .ready("http://a/ answered 200")),
      ("HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", .ready("http://a/ answered 200")),
      ("HTTP/1.1 100 Continue\r\n\r\n", nil), ("HTTP/2 404 \r\n\r\n", .unready("http://a/ answered 404")),
      ("SSH-2.0-OpenSSH\r\n", .unready("http://a/ does not answer in HTTP")),
      ("HTTP/1.1 OK\r\n\r\n", .unready("http://a/ does not answer in HTTP")),
    ] as [(String, Sighting?)])
  func judging(text: String, sighting: Sighting?) throws {
    let expectation = try expectation(HTTPProbe(url: "http://a/"))
    #expect(expectation.judge(Array(text.utf8), isWhole: false) == sighting)
  }

  @Test("A chunked body is searched across its chunks, and ends with the empty one")
  func chunks() throws {
    var parameters = HTTPProbe(url: "http://a/")
    parameters.body = "ready"
    let expectation = try expectation(parameters)
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    func judge(_ chunks: String) -> Sighting? {
      expectation.judge(Array((head + chunks).utf8), isWhole: false)
    }
    #expect(judge("3;x=y\r\nrea\r\n") == nil)
    #expect(judge("3\r\nrea\r\n2\r\ndy") == .ready("http://a/ answered 200"))
    #expect(
      judge("3\r\nrea\r\n0\r\n\r\n") == .unready("http://a/ answered 200 without \"ready\" in its body"))
  }

  @Test("A body with a length ends there")
  func length() throws {
    var parameters = HTTPProbe(url: "http://a/")
    parameters.body = "ready"
    let expectation = try expectation(parameters)
    func judge(_ body: String) -> Sighting? {
      expectation.judge(Array("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n\(body)".utf8), isWhole: false)
    }
    #expect(judge("rea") == nil)
    #expect(judge("read") == .unready("http://a/ answered 200 without \"ready\" in its body"))
  }

  @Test("A URL has a host, and perhaps a port, a path and a query")
  func urls() throws {
    let plain = try #require(HTTPAddress("HTTP://Example.org?a=b#c"))
    #expect(plain.address.description == "Example.org:80" && plain.target == "/?a=b" && !plain.isSecure)
    #expect(plain.shown == "HTTP://Example.org")
    let secure = try #require(HTTPAddress("https://[::1]:8443/a/b"))
    #expect(secure.address.description == "[::1]:8443" && secure.target == "/a/b" && secure.isSecure)
    #expect(secure.authority == "[::1]:8443")
    for text in ["ftp://a", "a", "http://", "http://a b", "http://u:p@a", "http://a:0", "http://a\r\nB: c"] {
      #expect(HTTPAddress(text) == nil)
    }
  }
}
