import AppBoot
import AppBootCommands
import AppBootTool

struct OpenDatabase: Command {
  static let options = CommandOptions(
    abstract: "Opens the database and provides it to later commands.",
    provides: .database)
  @Parameter("The file, relative to the working directory.") var path = "notes.sqlite"
  @Parameter("How many connections to keep.") var connections: Int

  func execute(in context: LaunchContext) throws {
    let database = try context.measure("open") { try Database(path: path, connections: connections) }
    context.provide(database, for: .database)
    context.note("\(database.tableCount) tables")
  }
}

extension ContextKey<Database> {
  static var database: Self { Self("database") }
}

struct WarmCaches: Command {
  static let options = CommandOptions(
    abstract: "Reads the tables that the first screen shows.",
    requires: .database)
  func execute(in context: LaunchContext) throws {
    try context.require(.database).readAll()
  }
}

func runTool() {
  var registry = CommandRegistry(OpenDatabase.self, WarmCaches.self)
  registry.register(StockCommands.all)
  CommandLineTool(name: "notes", version: "1.0.0", registry: registry).main()
}
