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
    #expect(try status("other.json").status == 4)
    let ready = try status("--ready")
    #expect(ready.status == 1 && ready.output == "not ready: launching\n")
    running.signal(Signals.terminate)
    #expect(try running.finish().end == .signalled(Signals.terminate))
    #expect(try status("--ready").output == "not ready: not running\n")
  }
}
