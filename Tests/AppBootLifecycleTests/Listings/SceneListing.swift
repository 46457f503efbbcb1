import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestSupport

/// Scenes: the launch happens once, and each window gets a first screen of its own, by the request that opened it.
enum SceneListing {
  final class SceneDelegate: Sendable {
    private let window: any AppWindow

    init(window: any AppWindow) { self.window = window }

    func willConnect(url: String?) {
      if let url, let screen = route(url) { show(screen) } else { show("Home") }
    }

    func open(_ url: String) {
      if let screen = route(url) { show(screen) }
    }

    private func route(_ url: String) -> String? {
      url.hasPrefix("notes://") ? String(url.dropFirst(8)) : nil
    }

    private func show(_ name: String) { try? window.show(screen(name)) }
  }

  final class AppDelegate: Sendable {
    private let scenes = Lock<[String: SceneDelegate]>([:])
    private let log: Log

    init(log: Log) { self.log = log }

    func didFinishLaunching() { log.add("launch") }

    func connect(_ scene: String, _ window: any AppWindow, url: String?) {
      let delegate = SceneDelegate(window: window)
      scenes.withLock { $0[scene] = delegate }
      delegate.willConnect(url: url)
    }

    func open(_ url: String, in scene: String) { scenes.withLock { $0[scene] }?.open(url) }
  }

  struct LogLaunch: Command {
    let log: Log
    func execute(in context: LaunchContext) { log.add("launch") }
  }

  struct ShowRoute: Command {
    static let options = CommandOptions(lane: .main)
    func execute(in context: LaunchContext) throws {
      let name = context.launch.url.map { String($0.dropFirst(8)) } ?? "Home"
      try context.window?.show(screen(name))
    }
  }

  static func host(_ log: Log, _ windows: [SceneID: any AppWindow]) throws -> LifecycleHost {
    var registry = CommandRegistry(ShowRoute.self)
    registry.register(LogLaunch.self) { LogLaunch(log: log) }
    let source = SourceText(
      name: "commands.json",
      text:
        #"{ "commands": ["LogLaunch"], "on": { "sceneWillConnect": ["ShowRoute"], "openURL": ["ShowRoute"] } }"#
    )
    var configuration = LifecycleHost.Configuration()
    configuration.window = { windows[$0] }
    let plan = try StartupCommandsBuilder(manifest: Manifest(parsing: source), registry: registry).build()
    return LifecycleHost(plan, configuration: configuration)
  }
}
