import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("The stream of a running launch or app", .ownThread)
struct LiveStreamTests {
  private func watch(_ app: Staying) throws -> RunningTool {
    try ToolProcess("status", "--watch", "--format", "jsonl", "--state", app.state).start()
  }

  @Test(
    "An app's stream begins with a snapshot, has the later events, and ends with the app",
    .timeLimit(.minutes(5)))
  func app() throws {
    let app = try Staying.start(#"{ "openURL": [{ "command": "Say", "with": { "text": "hello" } }] }"#)
    let (first, second) = (try watch(app), try watch(app))
    #expect(try first.waitForOutput(#""kind":"snapshot""#))
    #expect(try second.waitForOutput(#""kind":"snapshot""#))
    _ = try app.ask("emit", "openURL", "--url", "a:b")
    #expect(try app.end().status == 0)
    for watcher in [first, second] {
      let result = try watcher.finish()
      #expect(result.status == 0 && result.errors.isEmpty)
      let lines = try result.jsonLines()
      #expect(lines[0]["kind"]?.string == "snapshot" && lines[0]["format"]?.string == "appboot-events")
      #expect(lines[0]["launch"]?["outcome"]?.string == "succeeded")
      // The app becomes active a moment after its launch.
      #expect(["launching", "active"].contains(lines[0]["status"]?["state"]?["phase"]?.string))
      let kinds = lines.compactMap { $0["kind"]?.string }
      #expect(kinds.last == "appEnded")
      let events = lines.filter { $0["event"]?.string == "openURL" }.map { $0["kind"]?.string }
      #expect(events == ["launchStarted", "launchEnded"])
      #expect(kinds.count(where: { $0 == "snapshot" }) == 1)
    }
  }

  @Test("A launch without an app is streamed from its journal, without its output", .timeLimit(.minutes(5)))
  func launch() throws {
    let tool = try ToolProcess("run").file("go", "").manifest(
      #"[{ "id": "wait", "run": "echo began; while [ -e go ]; do sleep 0.05; done; echo done" }]"#)
    let running = try tool.start()
    let state = tool.directory.file(".appboot")
    #expect(Patience.wait { (try? RunningLaunch(of: StateSource(directory: state))) ?? nil != nil })
    let watcher = try ToolProcess("status", "--watch", "--format", "jsonl", "--state", state).start()
    #expect(try watcher.waitForOutput(#""kind":"snapshot""#))
    try FileSystem.remove(tool.directory.file("go"))
    #expect(try running.finish().status == 0)
    let result = try watcher.finish()
    #expect(result.status == 0)
    let kinds = try result.jsonLines().compactMap { $0["kind"]?.string }
    #expect(kinds.first == "snapshot" && kinds.last == "launchEnded" && !kinds.contains("output"))
  }

  @Test(
    "Services are measured while a client watches, and their changes are in the stream",
    .timeLimit(.minutes(5)))
  func services() throws {
    let tool = try ToolProcess("run", "--format", "jsonl").manifest(
      #"[{ "command": "RunService", "id": "web", "with": { "arguments": ["sh", "-c", "while :; do sleep 1; done"] } }]"#
    )
    let running = try Staying.again(tool)
    let app = Staying(tool: tool, running: running)
    let watcher = try watch(app)
    #expect(try watcher.waitForOutput(#""kind":"measured""#))
    #expect(try app.ask("restart", "web").status == 0)
    #expect(try watcher.waitForOutput(#""restarts":1"#))
    let page = try app.ask("report", "--format", "html").output
    #expect(page.contains(">running</span>") && page.contains("It was running as process "))
    #expect(page.contains(#"<h2 id="services">"#) && page.contains(", 1 restart"))
    let ended = try app.end()
    #expect(try !app.ask("report", "--format", "html").output.contains("It was running"))
    let own = try ended.jsonLines().filter { $0["kind"]?.string == "serviceChanged" }
    #expect(own.prefix(2).map { $0["state"]?.string } == ["starting", "ready"])
    #expect(own.first?["pid"] != nil)
    let lines = try watcher.finish().jsonLines()
    let measured = try #require(lines.first { $0["kind"]?.string == "measured" })
    let web = try #require(measured["services"]?.elements.first)
    #expect(web["id"]?.string == "web" && web["state"]?.string == "ready")
    #if os(Linux)
    #expect(try web["memory"]?.integer(as: Int.self) ?? 0 > 0 && web["cpu"] != nil)
    #endif
    #expect(lines.contains { $0["kind"]?.string == "serviceChanged" && $0["state"]?.string == "stopping" })
  }

  @Test("The stream needs --watch, and something that runs")
  func refuses() throws {
    let alone = try ToolProcess("status", "--format", "jsonl").run()
    #expect(alone.status == 2 && alone.errors.contains("--format jsonl needs --watch"))
    let nothing = try ToolProcess("status", "--watch", "--format", "jsonl").run()
    #expect(nothing.status == 4 && nothing.errors.contains("no app is running"))
  }

  @Test(
    "Without a terminal that can be redrawn, the view refuses, and says what to use",
    arguments: ["xterm", "dumb"])
  func noTerminal(type: String) throws {
    for arguments in [["ui"], ["run", "--ui"]] {
      let result = try ToolProcess().with(arguments).environment("TERM", type).manifest("[]").run()
      #expect(result.status == 2 && result.output.isEmpty)
      #expect(
        result.errors
          == "appboot: error: the live view needs the foreground of a terminal that it can redraw: "
          + "use `appboot status --watch`, and `appboot logs --follow`\n")
    }
  }
}

@Suite("The watchers of a control socket", .ownThread)
struct ControlWatchersTests {
  @Test("A watcher gets its first line and those that were published after it, and no earlier ones")
  func order() throws {
    let directory = try TemporaryDirectory()
    let server = Lock<ControlServer?>(nil)
    let watching = ControlServer.Watching(
      start: { begin in
        server.withLock(\.self)?.publish("too early")
        begin { "first" }
        server.withLock(\.self)?.publish("second")
      }, measure: { nil })
    let made = try ControlServer(in: directory.path, watching: watching) { _, reply in reply("{}") }
    server.withLock { $0 = made }
    try made.start()
    #expect(!made.isWatched)
    let socket = try ControlClient(directory: directory.path).watch(until: Patience.end)
    var bytes: [UInt8] = []
    while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < 2 {
      bytes += try socket.read(until: Patience.end)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "first\nsecond\n")
    #expect(made.isWatched)
    // The end of the client is noticed at a later line.
    socket.close()
    #expect(
      Patience.wait {
        made.publish("lost")
        return !made.isWatched
      })
    made.stop {}
    server.withLock { $0 = nil }
  }

  /// Starts a server with a watcher that reads nothing.
  private func watched(in directory: TemporaryDirectory) throws -> (ControlServer, StreamSocket) {
    let watching = ControlServer.Watching(start: { begin in begin { "first" } }, measure: { nil })
    let server = try ControlServer(in: directory.path, watching: watching) { _, reply in reply("{}") }
    try server.start()
    let slow = try ControlClient(directory: directory.path).watch(until: Patience.end)
    #expect(Patience.wait { server.isWatched })
    return (server, slow)
  }

  @Test("A watcher that reads nothing is closed, and the others get every line")
  func slow() throws {
    let directory = try TemporaryDirectory()
    let (server, slow) = try watched(in: directory)
    let line = String(repeating: "x", count: 1 << 20)
    for _ in 0..<40 { server.publish(line) }
    #expect(
      Patience.wait {
        server.publish("more")
        return !server.isWatched
      })
    server.stop {}
    slow.close()
  }

  @Test("A watcher that is suspended does not keep the app from its end")
  func suspended() throws {
    let directory = try TemporaryDirectory()
    let (server, slow) = try watched(in: directory)
    server.publish(String(repeating: "x", count: 1 << 22))
    let start = MonotonicClock.now()
    server.stop {}
    // Other clients have 10 s for their answer.
    #expect(MonotonicClock.now() - start < 9_000_000_000)
    slow.close()
  }
}
