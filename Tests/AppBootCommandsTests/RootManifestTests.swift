import AppBoot
import AppBootSystem
import AppBootTestKit
import Testing

@testable import AppBootCommands

@Suite("The commands.json of this repository")
struct RootManifestTests {
  private let path = FileSystem.join(
    FileSystem.directory(of: #filePath), "../../commands.json")

  private func boot(_ options: LaunchOptions) throws -> (record: StartupRecord, window: RecordingWindow) {
    var registry = CommandRegistry()
    registry.register(StockCommands.all)
    let window = RecordingWindow(systemTheme: .dark)
    let plan = try StartupCommandsBuilder(reading: path, registry: registry)
      .setWindow(window).setLaunchOptions(options).build()
    return (plan.run(), window)
  }

  @Test(
    "The manifest boots and shows a first screen for each kind of launch",
    arguments: [
      (LaunchOptions(), "Home"), (LaunchOptions(url: "notes://note/42"), "Note"),
      (LaunchOptions(reason: .notification), "Inbox"),
    ])
  func boots(options: LaunchOptions, screen: String) throws {
    let (record, window) = try boot(options)
    #expect(record.succeeded)
    #expect(record.failures.isEmpty)
    #expect(window.screens.map(\.name) == [screen])
  }

  @Test("The URL's values are filled in")
  func placeholders() throws {
    let screen = try boot(LaunchOptions(url: "notes://note/42")).window.screens.first
    #expect(screen?.title == "Note 42")
    #expect(screen?.text == "Opened from notes://note/42, in the dark theme.")
  }

  @Test("The manifest lists the stock commands in the catalogue's order")
  func order() {
    #expect(
      StockCommands.all.map { $0.name } == [
        "InitializeThirdParties", "Appearance", "InitialScreen", "RegisterRemoteNotifications", "RunProcess",
      ])
  }
}
