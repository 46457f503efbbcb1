import AppBoot
import AppBootReports
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootTool

private struct Hop: AsyncCommand {
  func execute(in context: LaunchContext) async throws { await MainActor.run {} }
}

@Suite("An app's own subcommands and observers", .ownProcess)
struct ToolSubcommandTests {
  private struct Broken: Error, CustomStringConvertible {
    var description: String { "no database" }
  }

  private let migrate = ToolSubcommand("migrate", help: "Migrates the database.") { arguments in
    await Task.yield()
    MainActor.preconditionIsolated()
    guard arguments.first != "broken" else { throw Broken() }
    return Int32(arguments.count)
  }

  /// Runs the tool in a task of the main actor, which the call blocks.
  @MainActor private func runBlocking(_ tool: CommandLineTool, _ arguments: String...) -> Int32 {
    tool.runBlocking(arguments: arguments)
  }

  private func tool(_ subcommands: ToolSubcommand..., observers: [any LaunchObserver] = [])
    -> CommandLineTool
  {
    CommandLineTool(
      name: "notes", version: "1", registry: CommandRegistry(FakeCommand.self), observers: observers,
      subcommands: subcommands)
  }

  @Test("A subcommand gets the arguments after its name on the main actor, and returns the exit code")
  func exitCode() async {
    let (tool, arguments) = (tool(migrate), ["migrate", "--to", "3"])
    #expect(await onThread { tool.runBlocking(arguments: arguments) } == 2)
  }

  @Test("A subcommand prints its help instead of running", arguments: ["--help", "-h"])
  func help(option: String) async {
    let tool = tool(ToolSubcommand("stations", help: "Lists the stations.") { _ in 7 })
    #expect(await onThread { tool.runBlocking(arguments: ["stations", option]) } == 0)
    #expect(await onThread { tool.runBlocking(arguments: ["stations", "--all", option]) } == 7)
  }

  @Test("With await, subcommands and the commands of a launch use the main actor") @MainActor
  func asynchronous() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("commands.json")
    try FileSystem.writeFile(
      atomically: Array(#"{"version":1,"commands":[{"command":"Hop","timeout":"60s"}]}"#.utf8), to: path)
    let tool = CommandLineTool(
      name: "notes", version: "1", registry: CommandRegistry(Hop.self), subcommands: [migrate])
    #expect(await tool.run(arguments: ["migrate", "--to", "3"]) == 2)
    #expect(await tool.run(arguments: ["run", path, "--no-state", "--quiet"]) == 0)
  }

  @Test("A subcommand fails if a task of the main actor runs it synchronously")
  @MainActor
  func blocking() {
    #expect(runBlocking(tool(migrate), "migrate", "--to", "3") == 1)
  }

  @Test("The error of a subcommand that cannot use the main actor says what to call instead")
  func blocked() {
    #expect(
      SubcommandBlocked(subcommand: "migrate").description
        == "migrate needs the main actor, which this synchronous call blocks: use await run()")
  }

  @Test("An error of a subcommand ends the tool with 1")
  func failure() async {
    let tool = tool(migrate)
    #expect(await onThread { tool.runBlocking(arguments: ["migrate", "broken"]) } == 1)
  }

  @Test("Help, completions and suggestions know the subcommand")
  func help() {
    let help = HelpText(tool: "notes", style: TextStyle())
    let text = help.overview([migrate])
    #expect(text.contains("\nsubcommands of notes:\n  migrate  Migrates the database.\n"))
    #expect(help.text(of: migrate) == "usage: notes migrate [arguments]\n\nMigrates the database.\n")
    let words = CompletionWords(
      tool: "notes", registry: CommandRegistry(FakeCommand.self), declarations: Subcommands.all,
      own: [migrate])
    #expect(FishCompletions(words: words).text.contains("-a migrate -d 'Migrates the database.'"))
    #expect(
      throws: UsageError.unknownSubcommand("migrat", known: Subcommands.all.map { $0.name } + ["migrate"])
    ) {
      try Subcommands.require("migrat", besides: [migrate.name])
    }
  }

  @Test("A subcommand with the name of another one is an error, whatever the tool is asked for")
  func taken() async {
    let list = ToolSubcommand("list", help: "Lists notes.") { _ in 0 }
    let tools = [tool(list), tool(migrate, migrate)]
    for tool in tools { #expect(await onThread { tool.runBlocking(arguments: ["version"]) } == 2) }
  }

  @Test("The tool's observers receive the events of a launch")
  func observers() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("commands.json")
    try FileSystem.writeFile(atomically: Array(#"{"version":1,"commands":["Fake"]}"#.utf8), to: path)
    let observer = RecordingObserver()
    let tool = tool(observers: [observer])
    #expect(await onThread { tool.runBlocking(arguments: ["run", path, "--no-state", "--quiet"]) } == 0)
    let kinds = observer.events.map(\.kind)
    #expect(kinds.first == .launchStarted && kinds.last == .launchEnded(.succeeded))
    #expect(kinds.contains(.started(step: 0, attempt: 1)))
  }
}
