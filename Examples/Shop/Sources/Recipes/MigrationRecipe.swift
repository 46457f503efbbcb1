import AppBoot
import AppBootLifecycle

extension EventName {
  static let didMigrate = EventName("didMigrate", of: .scene)
}

func migratingPlan(database: Database) throws -> LaunchPlan {
  try LaunchPlan("Notes") {
    On(.sceneWillConnect) {
      Step("migrating", lane: .main) { context in
        try context.window?.show(AppScreen(name: "Migrating"))
      }
      Step("migrate") { context in
        Task.detached {
          let failed = (try? database.migrate()) == nil
          try context.emit(.didMigrate, payload: failed ? "Failed" : "Home")
        }
      }
    }
    On(.didMigrate) {
      Step("first screen", lane: .main) { context in
        try context.window?.show(Navigation(AppScreen(name: context.launch.payload ?? "Home")))
      }
    }
  }
}
