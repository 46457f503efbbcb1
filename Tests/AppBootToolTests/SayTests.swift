import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Say in the output of a launch", .ownThread)
struct SayTests {
  private static let say =
    #"{ "command": "Say", "with": { "text": ["Web  http://localhost:{env.PORT}", "::error::\u001b[2J"] } }"#

  private func tool(_ arguments: String..., commands: String = "[\(say), \"Appearance\"]") throws
    -> ToolProcess
  {
    try ToolProcess("run").with(arguments).environment("PORT", "80").manifest(commands)
  }

  @Test("The text is last in the launch's output, without control characters")
  func text() throws {
    let result = try tool().run()
    #expect(result.status == 0)
    #expect(result.output.hasSuffix(": 2 steps\nWeb  http://localhost:80\n::error::<U+001B>[2J\n"))
    let inCI = try tool().environment("GITHUB_ACTIONS", "true").run()
    #expect(inCI.output.hasSuffix("\n\\::error::<U+001B>[2J\n"))
  }

  @Test("The text is not shown for a launch that fails, nor with --quiet")
  func hidden() throws {
    let failed = try tool(commands: "[\(Self.say), \(Entry.shell("exit 1", id: "last"))]").run()
    #expect(failed.status == 1 && !failed.output.contains("http://localhost"))
    let quiet = try tool("--quiet").run()
    #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
  }

  @Test("The text is an event in the stream and the step's announcement in the record")
  func json() throws {
    let events = try tool("--format", "jsonl").run().jsonLines()
    let event = events.first { $0["kind"]?.string == "announced" }
    #expect(event?["step"]?.string == "Say")
    #expect(event?["text"]?.string == "Web  http://localhost:80\n::error::\u{1B}[2J")
    let record = try tool("--format", "json").run().json()
    let step = record["steps"]?.elements.first
    #expect(step?["announcement"]?.string == "Web  http://localhost:80\n::error::\u{1B}[2J")
  }

  @Test("With a service, the text is shown when the launch has succeeded, while the service runs")
  func service() throws {
    let service = #"""
      { "command": "RunService", "id": "web", "with": { "arguments": ["sh", "-c", "echo up; exec sleep 1000"],
        "ready": { "output": "^up" } } }
      """#
    let running = try tool(commands: "[\(service), \(Self.say)]").start()
    #expect(try running.waitForOutput("Web  http://localhost:80\n"))
    running.signal(Signals.terminate)
    #expect(try running.finish().status == 0)
  }
}
