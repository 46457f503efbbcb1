import AppBoot
import AppBootLifecycle
import AppBootCommands
import AppBootTestKit
import Testing

@Suite("A lifecycle host with the stock commands")
struct LifecycleInitialScreenTests {
  private let screens = """
    { "command": "InitialScreen", "with": { "default": "Home",
      "routes": [{ "url": "notes://note/{id}", "screen": "Note" }, { "launch": "notification", "screen": "Inbox" }],
      "screens": { "Home": { "text": "{context.theme}" }, "Note": { "title": "Note {id}" }, "Inbox": {} } } }
    """
  private let window = RecordingWindow(systemTheme: .dark)

  private func host(
    _ handlers: String, windows: [SceneID: RecordingWindow] = [:], hasWindow: Bool = true
  ) throws -> LifecycleHost {
    let text = #"{ "commands": ["Appearance"\#(hasWindow ? ", \(screens)" : "")], "on": \#(handlers) }"#
    var registry = CommandRegistry()
    registry.register(StockCommands.all)
    let manifest = try Manifest(parsing: SourceText(name: "commands.json", text: text))
    var builder = StartupCommandsBuilder(manifest: manifest, registry: registry)
    if hasWindow { builder = builder.window(window) }
    var configuration = LifecycleHost.Configuration()
    configuration.window = { windows[$0] }
    return LifecycleHost(try builder.build(), configuration: configuration)
  }

  @Test(
    "The launch reason decides the first screen",
    arguments: [
      (LaunchOptions(), "Home"), (LaunchOptions(url: "notes://note/7"), "Note 7"),
      (LaunchOptions(reason: .notification), "Inbox"),
    ])
  func coldStart(options: LaunchOptions, title: String) throws {
    let host = try host("{}")
    host.receive(.didFinishLaunching(options)) { _ in }
    #expect(window.screens.map(\.title) == [title])
    #expect(host.coordinator?.flow.layers.map(\.count) == [1])
  }

  @Test("A later event shows its screen on top, with the launch's values")
  func running() throws {
    let host = try host(#"{ "openURL": [\#(screens)], "didReceiveNotificationResponse": [\#(screens)] }"#)
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    host.receive(.openURL("notes://note/8")) { _ in }
    host.receive(.didReceiveNotificationResponse(NotificationResponse())) { _ in }
    host.receive(.openURL("notes://elsewhere")) { _ in }
    #expect(window.screens.map(\.title) == ["Home", "Note 8", "Inbox", "Home"])
    #expect(window.screens.last?.text == "dark")
    #expect(host.state.screens == ["Home", "Note", "Inbox", "Home"])
  }

  @Test("Each scene has a first screen by its own launch options")
  func scenes() throws {
    let (left, right) = (RecordingWindow(), RecordingWindow())
    let host = try host(
      #"{ "sceneWillConnect": [\#(screens)], "openURL": [\#(screens)] }"#,
      windows: ["left": left, "right": right], hasWindow: false)
    host.receive(.sceneWillConnect(SceneConnection("right", options: LaunchOptions(url: "notes://note/1")))) {
      _ in
    }
    #expect(right.screens.isEmpty)
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    host.receive(.sceneWillConnect("left")) { _ in }
    host.receive(.openURL(OpenURLRequest("notes://note/2", scene: "left"))) { _ in }
    #expect(right.screens.map(\.title) == ["Note 1"])
    #expect(left.screens.map(\.title) == ["Home", "Note 2"])
    #expect(host["left"]?.value(for: .screen)?.name == "Note")
    #expect(host["right"]?.value(for: .screen)?.name == "Note")
  }

  @Test("A URL opens its screen by the first command that has a route for it")
  func tables() throws {
    func table(_ route: String, _ screen: String, when: String = "") -> String {
      #"{ "command": "InitialScreen", "id": "\#(screen)", "with": { "default": "Home", "routes": [{ "url": "\#(route)", "screen": "\#(screen)" }], "screens": { "Home": {}, "\#(screen)": {} } }\#(when) }"#
    }
    let never = #", "when": { "environment": "NO_SUCH_VARIABLE" }"#
    let text = """
      { "commands": [\(table("t://never", "Never", when: never)), \(table("t://note/{id}", "Note"))],
        "on": { "openURL": [\(table("t://any", "Other"))], "sceneWillConnect": [\(table("t://any", "Scene"))] } }
      """
    var registry = CommandRegistry()
    registry.register(StockCommands.all)
    let manifest = try Manifest(parsing: SourceText(name: "commands.json", text: text))
    let plan = try StartupCommandsBuilder(manifest: manifest, registry: registry).window(window).build()
    var configuration = LifecycleHost.Configuration()
    configuration.window = { _ in RecordingWindow() }
    let host = LifecycleHost(plan, configuration: configuration)
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    host.receive(.sceneWillConnect("left")) { _ in }
    let (process, scene) = (try #require(host.coordinator), try #require(host["left"]?.coordinator))
    for coordinator in [process, scene] {
      try coordinator.open(LaunchOptions(url: "t://note/3"))
      #expect(coordinator.flow.visible?.name == "Note")
      #expect(throws: ScreenError.noRoute("t://never")) {
        try coordinator.open(LaunchOptions(url: "t://never"))
      }
    }
    try process.open(LaunchOptions(url: "t://any"))
    try scene.open(LaunchOptions(url: "t://any"))
    #expect(process.flow.visible?.name == "Other")
    #expect(scene.flow.visible?.name == "Scene")
  }

  @Test("A scene without a window shows nothing on the window of the process")
  func sceneWithoutWindow() throws {
    let host = try host(#"{ "sceneWillConnect": [\#(screens)] }"#)
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    host.receive(.sceneWillConnect(SceneConnection("left", options: LaunchOptions(url: "notes://note/5")))) {
      _ in
    }
    #expect(window.screens.map(\.title) == ["Home"])
    #expect(host["left"]?.value(for: .screen)?.title == "Note 5")
  }

  /// A driver whose host handles no emitted events.
  private final class Driver: LifecycleDriver {
    func run(_ plan: LaunchPlan, for event: LifecycleEvent) -> LaunchRecord {
      LaunchRunner(plan).runBlocking()
    }
    func handlesEvents(emittedBy record: LaunchRecord, of event: LifecycleEvent) -> Bool { false }
    func willHandle(_ event: LifecycleEvent) {}
    func didHandle(_ event: LifecycleEvent) {}
    var handlesServiceEvents: Bool { false }
  }

  @Test("A host handles emitted events unless its driver declines them")
  func emitted() throws {
    let seen = RecordingWindow()
    var registry = CommandRegistry()
    registry.register(StockCommands.all)
    let text =
      #"{ "commands": [{ "command": "InitialScreen", "with": { "default": "Home" } }], "on": { "didShowFirstScreen": ["Appearance"] } }"#
    let manifest = try Manifest(parsing: SourceText(name: "commands.json", text: text))
    let plan = try StartupCommandsBuilder(manifest: manifest, registry: registry).window(seen).build()
    var configuration = LifecycleHost.Configuration()
    configuration.driver = Driver()
    LifecycleHost(plan, configuration: configuration).receive(.didFinishLaunching(LaunchOptions())) { _ in }
    #expect(seen.calls.count == 1)
    LifecycleHost(plan).receive(.didFinishLaunching(LaunchOptions())) { _ in }
    #expect(seen.calls.count == 3)
  }
}
