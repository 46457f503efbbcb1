import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("The commands.json of this repository", .ownThread)
struct RootManifestTests {
  private let path = FileSystem.join(
    FileSystem.directory(of: #filePath), "../../commands.json")

  private func launch(_ options: LaunchOptions) throws -> (record: LaunchRecord, window: RecordingWindow) {
    var registry = CommandRegistry()
    registry.register(StockCommands.all)
    let window = RecordingWindow(systemTheme: .dark)
    let plan = try StartupCommandsBuilder(reading: path, registry: registry)
      .window(window).launchOptions(options).build()
    return (plan.runBlocking(), window)
  }

  @Test(
    "The manifest launches and shows a first screen for each launch reason",
    arguments: [
      (LaunchOptions(), "Home"), (LaunchOptions(url: "notes://note/42"), "Note"),
      (LaunchOptions(reason: .notification), "Inbox"),
    ])
  func firstScreens(options: LaunchOptions, screen: String) throws {
    let (record, window) = try launch(options)
    #expect(record.succeeded)
    #expect(record.failures.isEmpty)
    #expect(window.screens.map(\.name) == [screen])
  }

  @Test("The screen of a URL has the values from the URL")
  func placeholders() throws {
    let screen = try launch(LaunchOptions(url: "notes://note/42")).window.screens.first
    #expect(screen?.title == "Note 42")
    #expect(screen?.text == "Opened from notes://note/42, in the dark theme.")
  }

  @Test("The stock commands have a fixed order")
  func order() {
    #expect(
      StockCommands.all.map { $0.name } == [
        "InitializeThirdParties", "Appearance", "InitialScreen", "RegisterRemoteNotifications", "RunProcess",
        "RunService", "WaitFor", "CheckEnvironment", "HTTPRequest", "Say",
      ])
  }
}
