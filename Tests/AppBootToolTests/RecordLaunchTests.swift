import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("RecordLaunch in the state directory", .ownThread)
struct RecordLaunchTests {
  private func count(_ tool: ToolProcess) throws -> Int? {
    let path = tool.directory.file(".appboot/recorded-launches.json")
    let text = SourceText(name: path, bytes: try FileSystem.readFile(path))
    return try JSONDocument(parsing: text).root["count"]?.integer()
  }

  @Test("A launch that runs beside another one is counted, although it saves nothing else")
  func concurrent() throws {
    let wait = Entry.shell("echo up; until [ -e go ]; do sleep 0.01; done", id: "wait")
    let tool = try ToolProcess("run").manifest("[\"RecordLaunch\", \(wait)]")
    let first = try tool.with("--format", "jsonl").start()
    #expect(try first.waitForOutput("\"up\""))
    let second = try tool.with("--only", "RecordLaunch").run()
    #expect(
      second.status == 0 && second.errors.contains("is using ./.appboot; continuing without saving state"))
    #expect(second.output.contains("launch 2"))
    #expect(try count(tool) == 2)
    _ = try tool.file("go", "")
    #expect(try first.finish().status == 0)
  }

  @Test("The plan shows which launch a step waits for")
  func plan() throws {
    let tool = try ToolProcess().manifest(
      #"[{ "command": "Say", "when": { "launchCount": 2 }, "with": { "text": "Again" } }, "RecordLaunch"]"#)
    #expect(try tool.with("list").run().output.contains("skipped: launch count is 1, not 2"))
    #expect(try !tool.with("run").run().output.contains("Again"))
    #expect(try tool.with("run").run().output.hasSuffix("\nAgain\n"))
  }
}
