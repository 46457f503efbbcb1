import AppBoot

extension ContextKey where Value == Int {
  static var port: Self { Self("port") }
}

func shopPlan(client: Client, window: any AppWindow) throws -> StartupPlan {
  try StartupPlan("Shop", budget: .milliseconds(400)) {
    Step("database", OpenDatabase()).retry(attempts: 3)
    StepGroup("third-parties") {
      Step("crashes") { context in Crashes.start(key: context.environment("CRASHES_KEY") ?? "") }
      Step("sync", StartSync(client: client)).onFailure(.continue)
    }
    .inParallel().after("database")
    Step("port", providing: .port) { context in try await client.freePort() }.when(.platform(.linux))
    Step.onMainActor("screen") { context in
      try window.show(AppScreen(name: "home", title: "Home", text: ""))
    }
    .after("third-parties").when(.not(.launch(.background, .prewarm)))
    On(.didShowFirstScreen) { Step("index", IndexSearch()) }
  }
}
