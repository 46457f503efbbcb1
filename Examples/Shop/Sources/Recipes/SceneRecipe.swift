import AppBoot
import AppBootLifecycle

final class SingleWindowDelegate {
  let window: any AppWindow
  init(window: any AppWindow) { self.window = window }

  func didFinishLaunching() throws {
    Crashes.start(key: "…")  // once for the process
    try window.show(AppScreen(name: "home", title: "Home", text: ""))  // once for each window
  }

  func didEnterBackground() { Sound.pause() }
}

func host(windows: [SceneID: any AppWindow], _ registry: CommandRegistry) throws -> LifecycleHost {
  var configuration = LifecycleHost.Configuration()
  configuration.window = { windows[$0] }
  let plan = try StartupCommandsBuilder(reading: "commands.json", registry: registry).build()
  return LifecycleHost(plan, configuration: configuration)
}

func connectTwo(_ host: LifecycleHost) async {
  await host.receive(.didFinishLaunching(LaunchOptions()))  // the manifest's "commands": once
  await host.receive(.sceneWillConnect("left", LaunchOptions()))  // the list in "on": for each
  await host.receive(.sceneWillConnect("right", LaunchOptions(url: "notes://7")))
  await host.receive(.openURL("notes://8", scene: "right"))  // goes on top of what "right" shows
}
