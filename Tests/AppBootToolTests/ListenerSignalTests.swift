import AppBoot
import AppBootLifecycle
import AppBootCommands
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

/// A listener that sends TERM to its process when the launch has finished, and does not return.
private final class Stuck: LifecycleListener {
  private let directory: String

  init(directory: String) { self.directory = directory }

  func receive(_ event: LifecycleEvent) throws {
    guard case .didFinishLaunching = event else { return }
    try FileSystem.removeTree(directory)
    Signals.send(Signals.terminate, to: Host.processIdentifier)
    Gate().wait()
  }
}

@Suite(
  "An app whose listener does not return",
  .ownProcess)
struct ListenerSignalTests {
  private static func run(_ commands: String, _ arguments: String...) throws {
    let directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-tool")
    let manifest = FileSystem.join(directory, "commands.json")
    try FileSystem.writeFile(
      atomically: Array(#"{ "version": 1, "commands": \#(commands) }"#.utf8), to: manifest)
    var registry = CommandRegistry()
    registry.register(StockCommands.all)
    let tool = CommandLineTool(version: "1.0.0", registry: registry) {
      let configuration = LifecycleHost.Configuration()
      configuration.mediator.subscribe(Stuck(directory: directory), holding: .strong)
      return configuration
    }
    _ = tool.runBlocking(arguments: ["run", manifest, "--quiet"] + arguments)
  }

  @Test("A signal ends the process after its commands have run")
  func plain() async {
    await #expect(processExitsWith: .signal(Signals.terminate)) { try Self.run("[]") }
  }

  @Test("A signal ends a process with --stay whose launch failed")
  func failed() async {
    await #expect(processExitsWith: .signal(Signals.terminate)) {
      try Self.run("[\(Entry.shell("exit 3", id: "a"))]", "--stay")
    }
  }
}
