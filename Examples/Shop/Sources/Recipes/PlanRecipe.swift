import AppBoot
import AppBootCommands
import AppBootLifecycle

extension ContextKey<Int> {
  static var port: Self { Self("port") }
}

func shopPlan(client: Client, window: any AppWindow) throws -> LaunchPlan {
  try LaunchPlan("Shop", budget: .milliseconds(400)) {
    EnvironmentFiles(".env?")
    SecretVariables("CRASHES_KEY", matching: "_TOKEN$")
    Step("database", OpenDatabase()).retry(attempts: 3)
    StepGroup("third-parties") {
      Step("crashes") { context in Crashes.start(key: context.environment("CRASHES_KEY") ?? "") }
      Step("sync", StartSync(client: client)).onFailure(.continue)
    }
    .inParallel().after("database")
    Step("port", providing: .port) { context in try await client.freePort() }.when(.platform(.linux))
    Step("listen", requiring: .port, .database) { _, port, database in
      try Server.listen(on: port, database: database)
    }
    .when(.platform(.linux))
    Step("screen", ShowHome()).after("third-parties").when(.not(.launch(.background, .prewarm)))
    On(.willEnterForeground) { Step("first screen", ShowHome()) }
    On(.didShowFirstScreen) { Step("index", IndexSearch()) }
  }
  .window(window)
}

/// Shows the first screen, unless the window has one.
struct ShowHome: Command {
  static let options = CommandOptions(lane: .main)

  func execute(in context: LaunchContext) throws {
    if let coordinator = context.window as? ScreenCoordinator, !coordinator.screens.isEmpty { return }
    try context.window?.show(AppScreen(name: "Home"))
  }
}

/// Returns a plan with two services, a database and a server, and a test of both.
func developmentPlan() throws -> LaunchPlan {
  try LaunchPlan("Development") {
    EnvironmentFiles("development.env")
    Step("database", RunService("postgres", ["-D", "data"], ready: .tcp("127.0.0.1:5432")))
      .timeout(.seconds(30))
    Step("migrate", RunProcess("dbmate", ["up"]))
    Step(
      "web",
      RunService(
        "./server", ["--port", "{env.PORT}"], ready: .http("http://127.0.0.1:{env.PORT}/health"),
        restart: RestartPolicy(.onFailure), stop: StopPolicy(signal: "INT"))
    )
    .timeout(.seconds(10))
    Step("smoke", RunProcess("curl", ["-fsS", "http://127.0.0.1:{env.PORT}/"]))
  }
}
