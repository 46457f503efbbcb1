import AppBoot
import AppBootLifecycle

func host(windows: [SceneID: any AppWindow], _ registry: CommandRegistry) throws -> LifecycleHost {
  var configuration = LifecycleHost.Configuration()
  configuration.window = { windows[$0] }
  let plan = try StartupCommandsBuilder(reading: "commands.json", registry: registry).build()
  return LifecycleHost(plan, configuration: configuration)
}

func connectTwo(_ host: LifecycleHost) async {
  await host.receive(.didFinishLaunching(LaunchOptions()))  // the manifest's "commands": once
  await host.receive(.sceneWillConnect("left"))  // the list in "on": for each
  await host.receive(.sceneWillConnect(SceneConnection("right", options: LaunchOptions(url: "notes://7"))))
  await host.receive(.openURL(OpenURLRequest("notes://8", scene: "right")))  // on top of what "right" shows
}
