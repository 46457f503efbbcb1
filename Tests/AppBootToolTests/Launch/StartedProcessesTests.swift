import AppBoot
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("Processes that a plan starts")
struct StartedProcessesTests {
  @Test("A plan starts processes if a step's `unless` runs a program")
  func startsProcesses() throws {
    func plan(_ unless: String) throws -> LaunchPlan {
      let text = #"{ "commands": [{ "command": "Fake", "unless": \#(unless) }] }"#
      return try StartupCommandsBuilder(
        parsing: text, registry: CommandRegistry(FakeCommand.self, FakeProgram.self)
      ).build()
    }
    #expect(try !plan(#"{ "file": "a" }"#).startsProcesses)
    #expect(try plan(#"{ "command": ["a"] }"#).startsProcesses)
  }
}
