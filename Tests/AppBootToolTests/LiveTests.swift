import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Live probes", .ownThread)
struct LiveTests {
  /// An entry of a service that is live while the file `alive` exists.
  private func web(_ script: String, _ members: String) -> String {
    return
      #"{ "command": "RunService", "id": "web", "with": { "arguments": ["sh", "-c", \#(Entry.json(script))], "#
      + #""ready": { "output": "^up" }, "#
      + #""live": { "command": ["test", "-e", "alive"], "every": "5ms", "failures": 2, "timeout": "1m" }"#
      + "\(members) } }"
  }

  private static let failed = #"the live probe failed 2 times: "test" exited with code 1"#

  private func remove(_ name: String, of tool: ToolProcess) throws {
    try FileSystem.remove(tool.directory.file(name))
  }

  @Test("A service whose live probe fails while the handlers of willTerminate run is not stopped")
  func failedProbeDuringHandlers() throws {
    let entry = web("touch alive; echo up; exec sleep 600", #", "restart": { "when": "always" }"#)
    let handler = Entry.shell("rm alive; read x < go", id: "drain")
    let tool = try ToolProcess("run", "--format", "jsonl").script(#"mkfifo go; exec "$0" "$@""#)
      .manifest("[\(entry)]", members: #""on": { "willTerminate": [\#(handler)] }"#)
    let running = try tool.start()
    #expect(try running.waitForOutput("launchEnded"))
    running.signal(Signals.terminate)
    #expect(try running.waitForOutput(#""health":"unhealthy""#))
    let going = try ProcessRequest(["sh", "-c", "echo x > go"], directory: tool.directory.path).start()
    #expect(going.wait() == .exited(0))
    let result = try running.finish()
    let change = result.output.split(separator: "\n").first { $0.contains(#""health":"unhealthy""#) }
    #expect(result.status == 0 && change?.contains(#""state":"ready""#) == true, "\(result.output)")
  }

  @Test("A service whose live probe fails is restarted by its policy, and the message has the last answer")
  func restart() throws {
    let policy = #", "restart": { "when": "onFailure", "backoff": "1ms" }"#
    let tool = try ToolProcess("run").manifest("[\(web("touch alive; echo up; exec sleep 600", policy))]")
    let running = try tool.start()
    #expect(try running.waitForOutput("booted in"))
    try remove("alive", of: tool)
    #expect(try running.waitForOutput("web | up\n"))
    running.signal(Signals.terminate)
    let result = try running.finish()
    #expect(result.status == 0)
    let unhealthy = "appboot: warning: web is unhealthy: \(Self.failed)"
    let stopped = "appboot: warning: web was stopped: \(Self.failed); restarting in 1.0 ms"
    let messages = result.messages.joined(separator: "\n")
    #expect(messages.contains("\(unhealthy)\n\(stopped)"), "\(messages)")
  }

  @Test("A service that is not restarted stays unhealthy, and is healthy again when its probe answers")
  func recovery() throws {
    let tool = try ToolProcess("run", "--format", "jsonl")
      .manifest("[\(web("touch alive; echo up; exec sleep 600", ""))]")
    let app = Staying(tool: tool, running: try Staying.again(tool))
    #expect(try app.waitForPhase("active"))
    try remove("alive", of: tool)
    #expect(
      try app.running.waitForOutput(#""health":"unhealthy","statusText":"the live probe failed 2 times"#))
    #expect(try app.waitForPhase("degraded"))
    let service = try app.status()["services"]?.elements.first
    #expect(service?["state"]?.string == "ready" && service?["health"]?.string == "unhealthy")
    _ = try tool.file("alive", "")
    #expect(try app.running.waitForOutput(#""health":"healthy""#))
    #expect(try app.waitForPhase("active"))
    #expect(try app.end().status == 0)
  }

  @Test("If no restart is left, the failed probe is the verdict of the launch")
  func exhausted() throws {
    let policy = #", "restart": { "when": "onFailure", "backoff": "1ms", "attempts": 1 }"#
    let tool = try ToolProcess("run", "--record", "record.json")
      .manifest("[\(web("echo up; exec sleep 600", policy))]")
    let result = try tool.run()
    #expect(result.status == 1)
    #expect(
      result.errors.contains("web was stopped: \(Self.failed); after 1 restart in "), "\(result.errors)")
    let report = try ToolProcess("report", tool.directory.file("record.json")).run().output
    #expect(report.contains(#""sh" was stopped: \#(Self.failed), after this output:"#), "\(report)")
  }
}
