import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootRecords
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootTool

extension EventName {
  fileprivate static let cartOpened = EventName("cartOpened")
}

@Suite("A tool with a plan in code", .ownProcess, .ownThread)
struct ToolPlanTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var tool: CommandLineTool {
    CommandLineTool(
      name: "notes", version: "1",
      plan: {
        try LaunchPlan("Notes") {
          Step("database", FakeCommand { $0.note($0.environment("MODE") ?? "none") })
          Step("first", FakeCommand()).when(.firstLaunch)
          Step("link", FakeCommand()).when(.launch(.url))
          Step("slow", FakeCommand { _ in throw Failure(message: "no disk", type: "Test") })
          On(.cartOpened) { Step("cart", FakeCommand()) }
        }
      },
      registry: CommandRegistry(FakeCommand.self))
  }

  /// Runs a subcommand, and returns its exit code and the record that it wrote.
  private func run(_ arguments: String...) throws -> (code: Int32, record: LaunchRecord?) {
    let file = directory.file("record.json")
    let state = ["--state", directory.file("state")]
    let code = tool.runBlocking(arguments: arguments + state + ["--quiet", "--record", file])
    let record = try? LaunchRecord(json: String(decoding: FileSystem.readFile(file), as: UTF8.self))
    return (code, record)
  }

  @Test(
    "Without a manifest in the arguments, run uses the plan with the state and variables of the arguments")
  func run() throws {
    let first = try run("run", "--skip", "slow", "--env", "MODE=test")
    #expect(first.code == 0)
    #expect(first.record?.outline.name == "Notes")
    #expect(first.record?["database"]?.details.note == "test")
    #expect(first.record?["first"]?.state == .succeeded)
    #expect(first.record?["link"]?.state.name == "skipped")
    let second = try run("run", "--to", "link", "--url", "notes://7", "--skip", "slow")
    #expect(second.record?["first"]?.state.name == "skipped")
    #expect(second.record?["link"]?.state == .succeeded)
    #expect(try run("run").code == 1)
  }

  @Test("An event of the plan runs its handlers")
  func event() throws {
    let handled = try run("run", "--event", "cartOpened")
    #expect(handled.code == 0)
    #expect(handled.record?.map(\.id) == ["cart"])
  }

  @Test("A manifest in the arguments replaces the plan")
  func manifest() throws {
    let path = directory.file("other.json")
    try FileSystem.writeFile(atomically: Array(#"{"commands":[{"command":"Fake"}]}"#.utf8), to: path)
    let record = try run("run", path).record
    #expect(record?.map(\.id) == ["Fake"])
  }

  @Test("An unknown step of the plan is an error of usage")
  func unknownStep() { #expect(tool.runBlocking(arguments: ["list", "--only", "databse"]) == 2) }

  @Test("The subcommand validate reports the mistakes of the plan, and list shows its steps")
  func validate() throws {
    #expect(tool.runBlocking(arguments: ["validate", "--quiet"]) == 0)
    #expect(tool.runBlocking(arguments: ["validate", "--format", "json"]) == 2)
    #expect(tool.runBlocking(arguments: ["list"]) == 0)
    let wrong = CommandLineTool(version: "1", plan: { try LaunchPlan { Step("", FakeCommand()) } })
    #expect(wrong.runBlocking(arguments: ["validate"]) == 3)
    #expect(wrong.runBlocking(arguments: ["run", "--no-state"]) == 3)
  }

  @Test("A check starts launches of the plan, without a manifest")
  func check() throws {
    let arguments = try ArgumentParser.parse(["--runs=2"], for: CheckSubcommand.self)
    var own = arguments
    own.hasPlan = true
    let context = ToolContext(name: "notes", version: "1", registry: CommandRegistry())
    #expect(try CheckRequest(own, try CheckFiles(own), context).runArguments.isEmpty)
    #expect(
      try CheckRequest(arguments, try CheckFiles(arguments), context).runArguments.last?.isEmpty == false)
  }
}
