import AppBoot
import AppBootCommands
import AppBootRecords
import Foundation

func launch() async throws {
  var registry = CommandRegistry(OpenDatabase.self, WarmCaches.self)
  registry.register(StockCommands.all)
  let plan = try StartupCommandsBuilder(reading: "commands.json", registry: registry).build()
  let record = await plan.run()
  print(record.succeeded, record.duration, record.failures.map(\.id))
}

func launchWithLimits(_ plan: LaunchPlan) async -> LaunchRecord {
  var configuration = LaunchRunner.Configuration()
  configuration.tasks = 4
  return await LaunchRunner(plan, configuration: configuration).run()
}

func launchAndWait(_ plan: LaunchPlan) -> LaunchRecord {
  var configuration = LaunchRunner.Configuration()
  configuration.journal = LaunchJournal(directory: "…/.appboot")
  let record = LaunchRunner(plan, configuration: configuration).runBlocking()
  return record
}

func launchForValues() async throws {
  var registry = CommandRegistry(OpenDatabase.self, WarmCaches.self)
  registry.register(StockCommands.all)
  do {
    let plan = try StartupCommandsBuilder(reading: "commands.json", registry: registry).build()
    let launch = try await plan.launch()
    let database = try launch.require(.database)
    print(launch.record.duration, database.tableCount)
  } catch {
    print(error)
    exit(1)
  }
}
