import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The status of a running launch", .ownThread)
struct RunningLaunchTests {
  @Test("During a launch, status shows the running steps, what each step waits for, and that it is not ready")
  func status() throws {
    let entries = [
      Entry.shell("echo up; sleep 60", id: "slow"), Entry.shell("true", id: "next", #""after": ["slow"]"#),
    ]
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(entries.joined(separator: ", "))]")
    let running = try tool.start()
    #expect(try running.waitForOutput(#""text":"up""#))
    func status(_ arguments: String...) throws -> ToolResult {
      try ToolProcess("status", "--state", tool.directory.file(".appboot")).with(arguments).run()
    }
    let text = try status()
    #expect(text.status == 0)
    #expect(text.output.contains("since the start, 0 of 2 steps ended\n  running  slow  for "))
    #expect(text.output.hasSuffix("  waiting  next  for slow\n"))
    let json = try status("--format", "json").json()
    #expect(json["running"]?.bool == true)
    #expect(json["launch"]?["outcome"]?.string == "running")
    let other = try status("other.json")
    #expect(other.status == 4 && other.errors.contains("is of commands.json, not of other.json"))
    let ready = try status("--ready")
    #expect(ready.status == 1 && ready.output == "not ready: launching\n")
    #expect(try status("--ready", "--format", "json").output == "{\"ready\":false,\"phase\":\"launching\"}\n")
    #expect(try status("--ready", "--watch").status == 2)
    running.signal(Signals.terminate)
    #expect(try running.finish().end == .signalled(Signals.terminate))
    #expect(try status("--ready").output == "not ready: not running\n")
  }

  @Test("status shows the last answer of a probe, and --watch shows it until the launch ends")
  func watched() throws {
    let wait = #"{ "command": "WaitFor", "id": "db", "with": { "unix": "db.sock" } }"#
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(wait)]")
    let running = try tool.start()
    #expect(try running.waitForOutput(#""kind":"noted""#))
    let watch = try ToolProcess("status", "--watch", "--state", tool.directory.file(".appboot")).start()
    #expect(try watch.waitForOutput(#", there is no socket "db.sock""#))
    running.signal(Signals.terminate)
    _ = try running.finish()
    let result = try watch.finish()
    #expect(result.status == 0)
    #expect(result.output.contains("\nno launch or app is running\nlast launch, at 2"))
    #expect(result.output.contains("\nTest did not boot: it was cancelled after "))
  }

  @Test("After a launch that failed, status shows when it began and what failed")
  func failed() throws {
    let tool = try ToolProcess("run", "-q").manifest("[\(Entry.shell("exit 3", id: "a"))]")
    #expect(try tool.run().status == 1)
    let status = try ToolProcess("status", "--state", tool.directory.file(".appboot"))
    let text = try status.run()
    #expect(text.status == 4 && text.errors.isEmpty)
    #expect(text.output.hasPrefix("no launch or app is running\nlast launch, at 2"))
    #expect(text.output.contains("error: a (RunProcess) failed\n"))
    #expect(text.output.contains("\nTest did not boot: a failed after "))
    let json = try status.with("--format", "json").run()
    #expect(json.status == 4)
    #expect(try json.json()["launch"]?["outcome"]?.string == "failed")
  }

  @Test("status says that the journal of the running launch is damaged")
  func damaged() throws {
    let tool = try ToolProcess("run", "--format", "jsonl").manifest(
      "[\(Entry.shell("echo up; exec sleep 60", id: "slow"))]")
    let running = try tool.start()
    #expect(try running.waitForOutput(#""text":"up""#))
    let damage = try ProcessRequest(
      ["sh", "-c", "echo x > .appboot/journal.jsonl"], directory: tool.directory.path
    ).start()
    #expect(damage.wait() == .exited(0))
    let result = try ToolProcess("status", "--state", tool.directory.file(".appboot")).run()
    #expect(result.status == 4)
    #expect(result.errors.contains("a launch is running, but its journal is damaged: "))
    running.signal(Signals.terminate)
    _ = try running.finish()
  }
}
