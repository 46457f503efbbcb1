import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

private let hasCurl = (try? ProcessRequest(["curl", "--version"], captureOutput: true).start()) != nil

@Suite("HTTPRequest", .enabled(if: hasCurl), .ownThread)
struct HTTPRequestTests {
  private let server: HTTPServer

  init() throws { server = try HTTPServer() }

  private func launch(_ more: String = "", url: String? = nil, entry: String = "") -> TestLaunch {
    let parameters = #"{ "url": "\#(url ?? server.url("/items?key=secret"))" \#(more) }"#
    return TestLaunch(#"[ { "command": "HTTPRequest", "with": \#(parameters) \#(entry) } ]"#)
  }

  private func failure(_ launch: TestLaunch) throws -> String {
    let failure = try launch.run().failures.first?.state.failure
    return failure?.description ?? "no failure"
  }

  private var address: String { "http://127.0.0.1:\(server.port)/items" }

  @Test("A request without a body is a GET")
  func get() throws {
    let record = try launch(#", "headers": { "X-Empty": "", "Accept": "text/html" }"#).run()
    #expect(record[0].details.note == "answered 200")
    let request = try #require(server.requests.first)
    #expect(request.method == "GET" && request.path == "/items?key=secret" && request.body.isEmpty)
    #expect(request.header("accept") == "text/html" && request.header("x-empty")?.isEmpty == true)
    #expect(request.header("content-type") == nil)
  }

  @Test("Every method is sent unchanged", arguments: SendHTTPRequest.Method.allCases)
  func methods(method: SendHTTPRequest.Method) throws {
    #expect(try launch(#", "method": "\#(method.rawValue)""#).run().succeeded)
    #expect(server.requests.map(\.method) == [method.rawValue])
  }

  @Test("A string is sent with its variables replaced, and with other braces unchanged")
  func text() throws {
    var launch = launch(
      #", "body": "{\"name\": \"{env.NAME}\"}", "headers": { "Content-Type": "application/json" }"#)
    launch.environment = ["NAME": "tea", "PATH": ProcessEnvironment.value(of: "PATH") ?? ""]
    #expect(try launch.run().succeeded)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.text == #"{"name": "tea"}"#)
    #expect(request.header("content-type") == "application/json")
  }

  @Test("A value other than a string is sent as JSON, and a variable in it is escaped")
  func json() throws {
    var launch = launch(#", "body": { "name": "{env.NAME}", "count": [1, null] }, "method": "PUT""#)
    launch.environment = ["NAME": #"a "b"\#n"#, "PATH": ProcessEnvironment.value(of: "PATH") ?? ""]
    #expect(try launch.run().succeeded)
    let request = try #require(server.requests.first)
    #expect(request.method == "PUT" && request.text == #"{ "name": "a \"b\"\n", "count": [1, null] }"#)
    #expect(request.header("content-type") == "application/json")
  }

  @Test("A file is sent byte for byte")
  func file() throws {
    let directory = try TemporaryDirectory()
    let text = "a\r\n\u{0}{env.NONE}\n"
    try directory.write("seed.bin", text)
    var launch = launch(#", "file": "seed.bin""#)
    launch.directory = directory.path
    #expect(try launch.run().succeeded)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.body == Array(text.utf8))
    #expect(request.header("content-type") == nil)
    launch.commands = launch.commands.replacing("seed.bin", with: "none.bin")
    #expect(
      try failure(launch)
        == #"there is no file "none.bin" to send: a path is relative to the manifest's directory"#)
  }

  @Test(
    "An unexpected status fails the step; the failure shows the URL without its query and the body's first line"
  )
  func status() throws {
    server.enqueue(.status(500, body: "no room\nfor anybody"))
    #expect(try failure(launch()) == "GET \(address) answered 500: no room")
    server.enqueue(.status(302, headers: ["Location": "/other"]))
    #expect(try failure(launch()) == "GET \(address) answered 302, a redirect, which is not followed")
    server.enqueue(.status(200, body: "ok"))
    #expect(
      try failure(launch(#", "method": "DELETE", "expect": { "status": [204, 404] }"#))
        == "DELETE \(address) answered 200, expected 204 or 404: ok")
    server.enqueue(.status(404))
    #expect(try launch(#", "expect": { "status": 404 }"#).run().succeeded)
  }

  @Test("A body that does not contain the expected JSON value fails the step")
  func expectedJSON() throws {
    let expect = #", "expect": { "json": { "status": "ok", "db": { "up": true } } }"#
    server.enqueue(.status(200, body: #"{ "db": { "up": true, "size": 5 }, "status": "ok" }"#))
    #expect(try launch(expect).run().succeeded)
    server.enqueue(.status(200, body: #"{ "status": "ok", "db": { "up": false } }"#))
    #expect(
      try failure(launch(expect)) == #"GET \#(address) answered 200 with "db.up": false, expected true"#)
    server.enqueue(.status(200, body: "<html>\nhello"))
    #expect(try failure(launch(expect)) == "GET \(address) answered 200, but the body is not JSON: <html>")
    server.enqueue(.status(503, body: #"{ "status": "starting" }"#))
    #expect(try failure(launch(expect)) == #"GET \#(address) answered 503: { "status": "starting" }"#)
  }

  @Test("A body with a secret is compared as it is, and shown without the secret")
  func secretInBody() throws {
    let expect = #", "headers": { "Authorization": "{env.KEY}" }, "expect": { "json": { "key": "sesame" } }"#
    var launch = launch(expect)
    launch.environment = ["KEY": "sesame", "PATH": ProcessEnvironment.value(of: "PATH") ?? ""]
    server.enqueue(.status(200, body: #"{ "key": "sesame" }"#))
    #expect(try launch.run().succeeded)
    server.enqueue(.status(200, body: #"{ "key": "open sesame" }"#))
    #expect(
      try failure(launch) == #"GET \#(address) answered 200 with "key": "open ***", expected "***""#)
    let long = String(repeating: "x", count: 196)
    server.enqueue(.status(500, body: "\(long)sesame"))
    #expect(try failure(launch) == "GET \(address) answered 500: \(long)***")
  }

  @Test("The entry's retry repeats the request until the response is as expected")
  func retry() throws {
    server.enqueue(.status(503))
    server.enqueue(.closeConnection)
    let record = try launch(entry: #", "retry": { "attempts": 3, "backoff": "1ms" }"#).run()
    #expect(record.succeeded && record[0].details.attempts.count == 3)
  }

  @Test("The entry's timeout ends the request, and the failure names it")
  func timeout() throws {
    server.enqueue(.held(Gate(), status: 200))
    #expect(
      try failure(launch(entry: #", "timeout": "50ms""#))
        == "timed out after 50ms: GET \(address) has no response yet")
  }

  @Test("A server that does not answer fails the step")
  func refused() throws {
    server.enqueue(.closeConnection)
    #expect(try failure(launch()).hasPrefix("GET \(address) gave no valid response: "))
    // A port below 1024 is never assigned to another test, as a closed one could be.
    let closed = "http://127.0.0.1:1/items"
    #expect(try failure(launch(url: closed)).hasPrefix("GET \(closed) does not accept connections: "))
  }

  @Test("A server may answer and close the connection before it has read the whole request")
  func earlyResponse() throws {
    let listener = try SocketListener()
    let directory = try TemporaryDirectory()
    try directory.write("large", String(repeating: "a", count: 1 << 22))
    let server = try Thread.start(name: "early answer") {
      guard let connection = try? listener.accept() else { return }
      _ = try? connection.read(upTo: 100)
      try? connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
      connection.close()
    }
    defer { server.join() }
    defer { listener.close() }
    var launch = launch(#", "file": "large""#, url: "http://127.0.0.1:\(listener.port)/")
    launch.directory = directory.path
    #expect(try launch.run().succeeded)
  }

  @Test("A response over 1 MiB fails the step, and one of exactly 1 MiB does not")
  func tooLarge() throws {
    let limit = 1 << 20
    server.enqueue(.unannounced(status: 200, body: String(repeating: "x", count: limit)))
    #expect(try launch().run().succeeded)
    server.enqueue(.unannounced(status: 200, body: String(repeating: "x", count: limit + 1)))
    #expect(try failure(launch()) == "GET \(address) answered with more than \(limit) bytes")
  }

  @Test("A plain http request needs no curl, and a proxy needs it", .enabled(if: FakeCurl.isUsable))
  func noProgram() throws {
    var launch = launch(#", "body": "tea", "headers": { "Host": "shop.test" }"#)
    launch.environment = ["PATH": "/nowhere"]
    #expect(try launch.run().succeeded)
    let request = try #require(server.requests.first)
    #expect(request.text == "tea" && request.header("host") == "shop.test")
    #expect(request.header("connection") == "close" && request.header("content-length") == "3")
    launch.environment = ["PATH": "/nowhere", "http_proxy": "http://127.0.0.1:1"]
    #expect(try failure(launch).contains(#"there is no program "curl" in PATH"#))
  }

  @Test(
    "A header field that follows from the body or the connection is a mistake",
    arguments: ["Connection", "content-length", "Transfer-Encoding"])
  func ownHeaders(name: String) throws {
    let problems = try launch(#", "headers": { "\#(name)": "5" }"#).problems()
    let words = "this header follows from the body and the connection: remove it"
    #expect(problems == [#""headers.\#(name)": \#(words)"#])
  }

  @Test("Only a regular file is sent")
  func directory() throws {
    let problem = #"cannot send "/dev": only a regular file can be sent"#
    #expect(try failure(launch(#", "file": "/dev""#)) == problem)
    #expect(try failure(launch(#", "file": "/dev/null""#)).contains("/dev/null"))
  }

  @Test("Secrets are passed to curl on standard input, not as arguments", .enabled(if: FakeCurl.isUsable))
  func secrets() throws {
    let curl = try FakeCurl()
    var launch = launch(
      #", "headers": { "Authorization": "Bearer {env.KEY}" }, "body": "{env.KEY}""#,
      url: "https://example.org/p?k={env.KEY}")
    launch.environment = ["KEY": "secret", "PATH": curl.searchPath]
    #expect(try launch.run().succeeded)
    let input = try curl.configuration()
    #expect(
      input.contains("Bearer secret") && input.contains("?k=secret")
        && input.contains(#"data-raw = "secret""#))
  }

  @Test(
    "A missing curl is a missing precondition, and the message says what to do",
    .enabled(if: FakeCurl.isUsable))
  func noCurl() throws {
    var launch = launch(url: "https://127.0.0.1:\(server.port)/")
    launch.environment = ["PATH": "/nowhere"]
    let failure = try launch.run().failures.first?.state.failure
    #expect(failure?.isMissingPrecondition == true)
    #expect(failure?.message.hasPrefix(#"there is no program "curl" in PATH"#) == true)
  }

  @Test(
    "A mistake in the parameters is reported before the launch",
    arguments: [
      (#"{}"#, #"HTTPRequest needs "url""#),
      (#"{ "url": "ftp://a" }"#, #""url": "ftp://a" is not an http or https URL"#),
      (#"{ "url": "http://a", "method": "post" }"#, #""method" cannot be "post""#),
      (
        #"{ "url": "http://a", "body": "", "file": "b" }"#,
        #""file": give only one of "body" and "file""#
      ),
      (
        #"{ "url": "http://a", "headers": { "A B": "" } }"#,
        #""headers.A B": the header "A B" is not allowed in HTTP"#
      ),
      (
        #"{ "url": "http://a", "expect": { "status": 99 } }"#,
        #""expect.status" must be a whole number from 100"#
      ),
      (#"{ "url": "http://a", "expect": { "body": 1 } }"#, #"unknown key "body" in "expect""#),
      (#"{ "url": "http://a", "timeout": "1s" }"#, #""timeout""#),
    ])
  func mistakes(parameters: String, message: String) throws {
    let problems = try TestLaunch(#"[ { "command": "HTTPRequest", "with": \#(parameters) } ]"#).problems()
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix(message) == true, "\(problems)")
  }
}
