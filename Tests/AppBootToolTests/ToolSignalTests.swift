import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("The signals of a tool", .ownProcess)
struct ToolSignalTests {
  @Test("QUIT outside of a launch ends the process, even if other code of the process caught it before")
  func quit() async {
    await #expect(processExitsWith: .signal(Signals.quit)) {
      // The runtime's backtracer also catches it, and the process continues.
      let other = try SignalPipe.install([Signals.quit])
      let tool = CommandLineTool(version: "1.0.0", registry: CommandRegistry())
      _ = await tool.run(arguments: ["help"])
      Signals.send(Signals.quit, to: Host.processIdentifier)
      withExtendedLifetime(other) { Gate().wait() }
    }
  }
}
