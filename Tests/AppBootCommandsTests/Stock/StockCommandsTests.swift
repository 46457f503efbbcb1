import AppBoot
import AppBootCommands
import Testing

@Suite("The stock commands")
struct StockCommandsTests {
  @Test(
    "The error for a stock command that is not registered says how to register it",
    arguments: StockCommands.all)
  func unregistered(type: any Command.Type) {
    let error = #expect(throws: PlanError.self) {
      try StartupCommandsBuilder(
        parsing: #"{ "commands": [ { "command": "\#(type.name)" }] }"#, registry: CommandRegistry()
      ).build()
    }
    #expect(
      error?.mistakes.first?.help == [
        "there are no commands",
        "for a stock command, import AppBootCommands, and call registry.register(StockCommands.all)",
      ])
  }
}
