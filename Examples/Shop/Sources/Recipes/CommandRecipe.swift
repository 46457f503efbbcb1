import AppBoot

final class MassiveDelegate {
  var database: Database?
  var theme = "light"

  func launch(url: String?) throws {
    Crashes.start(key: "…")
    theme = "dark"
    let database = try Database(path: "notes.sqlite")
    try database.migrate()
    try Search.index(database)
    self.database = database
    show(url ?? "home")
  }

  func show(_ screen: String) {}
}

extension ContextKey where Value == Database {
  static var database: Self { Self("database") }
}

struct OpenDatabase: Command {
  static let provides = ContextKeys(.database)
  @Parameter("The file, relative to the manifest's directory.") var path = "notes.sqlite"

  func execute(in context: LaunchContext) throws {
    let database = try context.measure("open") { try Database(path: path) }
    try context.measure("migrate") { try database.migrate() }
    context.provide(database, for: .database)
  }
}

struct IndexSearch: Command {
  static let requires = ContextKeys(.database)
  static let lane = Lane.background

  func execute(in context: LaunchContext) throws {
    try Search.index(context.require(.database))
  }
}

struct StartSync: Command {
  let client: Client
  @Parameter("The pause between two requests.") var interval = Duration.seconds(60)

  func execute(in context: LaunchContext) { client.sync(every: interval) }
}

func syncRegistry(client: Client) -> CommandRegistry {
  var registry = CommandRegistry()
  registry.register(StartSync.self) { StartSync(client: client) }
  return registry
}

/// Reserves a port, and releases it if a later step with `rollback` fails.
struct ReservePort: AsyncUndoableCommand {
  static let provides = ContextKeys(.port)
  let client: Client

  func execute(in context: LaunchContext) async throws {
    context.provide(try await client.freePort(), for: .port)
  }

  func undo(in context: LaunchContext) async throws {
    try await client.release(port: context.require(.port))
  }
}

func launchInCode() -> StartupRecord {
  let plan = StartupPlan(sequence: [OpenDatabase(), IndexSearch()])
  return plan.runBlocking()  // returns when every step has ended
}

func launchFromManifest(url: String?) throws -> StartupRecord {
  var registry = CommandRegistry(OpenDatabase.self, IndexSearch.self)
  registry.thirdParty("Crashes") { options in Crashes.start(key: options["key"] ?? "") }
  return try StartupCommandsBuilder(reading: "commands.json", registry: registry)
    .setLaunchOptions(LaunchOptions(url: url)).build().runBlocking()
}

extension ContextKey where Value == Client {
  static var client: Self { Self("client") }
}

func startServer(client: Client, registry: CommandRegistry) async throws {
  let plan = try StartupCommandsBuilder(reading: "commands.json", registry: registry)
    .providing(client, for: .client).build()
  let launch = try await plan.launch()
  try await Server(database: launch.require(.database)).serve()
}
