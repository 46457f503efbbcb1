import AppBoot
import Testing

// A type of the app with the name of one of AppBoot, as with a second module that has it.
private protocol Command {}

private struct Save: Command, AppBoot.Command {
  func execute(in context: LaunchContext) throws { try context.state.write("name", text: "Ada") }
}

@Suite("State as text")
struct StateTextTests {
  @Test("A command stores a text, and bytes that are not UTF-8 read as no text")
  func text() async throws {
    let state = MemoryStateStore()
    _ = try await LaunchPlan(sequence: [Save()], state: state).launch()
    #expect(try state.text("name") == "Ada")
    #expect(try state.text("other") == nil)
    state.write("name", [0xff])
    #expect(try state.text("name") == nil)
  }
}
