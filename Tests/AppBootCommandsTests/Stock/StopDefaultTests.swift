import AppBoot
import AppBootSchema
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("The default of stop")
struct StopDefaultTests {
  /// A command of an app that has a parameter of the same name.
  private struct Halt: Command {
    @Parameter("A word.") var stop: String?
    func execute(in context: LaunchContext) {}
  }

  private func builder(_ defaults: String, _ entries: String) throws -> StartupCommandsBuilder {
    let text = "{ \"defaults\": { \"stop\":\n\(defaults) },\n\"commands\": [\n\(entries)\n] }"
    return StartupCommandsBuilder(
      manifest: try Manifest(parsing: SourceText(name: "commands.json", text: text)),
      registry: CommandRegistry(RunProcess.self, RunService.self, Halt.self))
  }

  private func problems(_ defaults: String, _ entries: String) throws -> [String] {
    try builder(defaults, entries).problems().shown.map(\.message)
  }

  @Test("Programs without a stop of their own have the default, also those of run")
  func applies() throws {
    let plan = try builder(
      #"{ "signal": "INT", "grace": "15s" }"#,
      #"""
      { "run": "a" },
      { "command": "RunProcess", "with": { "arguments": ["b"] } },
      { "command": "RunService", "with": { "arguments": ["c"] } },
      { "command": "RunService", "id": "own", "with": { "arguments": ["d"], "stop": { "grace": "1s" } } },
      "Halt"
      """#
    ).build()
    let processes = plan.commands.compactMap { ($0 as? RunProcess)?.stop }
    #expect(processes.map(\.signal) == ["INT", "INT"])
    #expect(processes.map(\.grace) == [.seconds(15), .seconds(15)])
    let services = plan.commands.compactMap { ($0 as? RunService)?.stop }
    #expect(services.map(\.signal) == ["INT", "TERM"])
    #expect(services.map(\.grace) == [.seconds(15), .seconds(1)])
    #expect((plan.commands.last as? Halt)?.stop == nil)
  }

  @Test("A mistake in the default is reported once")
  func mistake() throws {
    let two = #"{ "run": "a" }, { "run": "b", "id": "b" }"#
    #expect(
      try problems(#"{ "signal": "QUITE" }"#, two) == [
        #""stop.signal": "QUITE" is not a signal: did you mean "QUIT"?"#
      ])
    #expect(try problems(#""INT""#, two) == [#""defaults.stop" must be an object, not a string"#])
  }

  @Test("A program that stops a service is no default for other programs")
  func command() throws {
    #expect(
      try problems(#"{ "command": ["./stop"] }"#, #"{ "run": "a" }"#) == [
        #""stop.command": only a service has a program that stops it: use "signal""#
      ])
  }
}
