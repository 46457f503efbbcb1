import AppBoot

extension ContextKey<Database> {
  static var database: Self { Self("database") }
}

struct OpenDatabase: Command {
  static let options = CommandOptions(provides: .database)
  @Parameter("The file, relative to the manifest's directory.") var path = "notes.sqlite"

  func execute(in context: LaunchContext) throws {
    let database = try context.measure("open") { try Database(path: path) }
    try context.measure("migrate") { try database.migrate() }
    context.provide(database, for: .database)
  }
}

struct IndexSearch: Command {
  static let options = CommandOptions(requires: .database)

  func execute(in context: LaunchContext) throws {
    try Search.index(context.require(.database))
  }
}

struct StartSync: Command {
  let client: Client
  @Parameter("The pause between two requests.") var interval = Duration.seconds(60)

  func execute(in context: LaunchContext) { client.sync(every: interval) }
}

/// Reserves a port, and releases it if a later step with `rollback` fails.
struct ReservePort: AsyncUndoableCommand {
  static let options = CommandOptions(provides: .port)
  let client: Client

  func execute(in context: LaunchContext) async throws {
    context.provide(try await client.freePort(), for: .port)
  }

  func undo(in context: LaunchContext) async throws {
    try await client.release(port: context.require(.port))
  }
}
