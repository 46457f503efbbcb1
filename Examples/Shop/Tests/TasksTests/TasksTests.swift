import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootTestKit
import Foundation
import Testing

// The six most common tasks of an app, each between a line "// task N" and a line "// end". The last test limits what a
// user has to write for them.

struct Database: Sendable {
  let path: String
}

struct Cache: Sendable {
  let n: Int
}

extension ContextKey<Database> {
  static var database: Self { Self("database") }
}

extension ContextKey<Cache> {
  static var cache: Self { Self("cache") }
}

// task 1: a command with parameters
struct OpenDatabase: Command {
  static let options = CommandOptions(abstract: "Opens the database.", provides: .database)
  @Parameter("The file.") var path = "notes.sqlite"
  @Parameter("How many connections to keep.") var connections: Int
  func validate(_ validation: inout ParameterValidation) {
    if connections < 1 { validation.reject("must be positive", at: "connections") }
  }
  func execute(in context: LaunchContext) throws {
    context.provide(Database(path: path), for: .database)
  }
}
// end

// task 2: a plan in code
func makePlan() throws -> LaunchPlan {
  try LaunchPlan("Notes") {
    StepGroup("data") {
      Step("database", OpenDatabase().setting(\.connections, to: 4))
      Step("cache", providing: .cache) { _ in Cache(n: 1) }
    }
    .inParallel()
    Step.onMainActor("screen", requiring: .database, .cache) { _, database, cache in
      print(database.path, cache.n)
    }
    On(.didBecomeActive) { Step("refresh") { _ in print("active") } }
  }
}
// end

// task 6: a service
struct WebServer: ServiceCommand {
  static let options = CommandOptions(abstract: "Serves.")
  var serviceOptions: ServiceOptions { .init(restart: .onFailure, onExit: .ignore) }
  func run(in service: RunningService) async throws {
    service.markReady()
    try await service.untilShutdown()
  }
}
// end

@Suite("The most common tasks")
struct TasksTests {
  @Test("An app launches with a host, and gets the values of its commands")
  func app() async throws {
    // task 3: run in an app
    let host = LifecycleHost(try makePlan())
    let launch = try await host.launch()
    let database = try launch.require(.database)
    // end
    #expect(database.path == "notes.sqlite")
  }

  @Test("A server runs with a service runner")
  func server() async throws {
    // task 3: run in a server
    try await ServiceRunner(makePlan(), handlesSignals: true).run()
    // end
  }

  @Test("A loop receives the events after the launch") @MainActor
  func events() async throws {
    let host = LifecycleHost(try makePlan())
    _ = try await host.launch()
    var count = 0
    func refresh() { count += 1 }
    let loop = Task {
      // task 3b: events after the launch
      for await _ in host.events(.didBecomeActive) { refresh() }
      // end
    }
    while count == 0 { await host.receive(.didBecomeActive) }
    host.end()
    await loop.value
    #expect(count > 0)
  }

  @Test("The command and the order are tested without an app")
  func commandAndOrder() async throws {
    // task 4: a test of the command and of the order
    let result = await CommandTester(OpenDatabase().setting(\.connections, to: 2)).run()
    #expect(result.value(for: .database)?.path == "notes.sqlite")
    #expect(try makePlan()["screen"].waits(for: "database"))
    // end
  }

  @Test("A service is ready, and shuts down")
  func service() async throws {
    let plan = try LaunchPlan { Step("server", WebServer()) }
    let runner = try ServiceRunner(plan)
    try await runner.run { _ in runner.shutDown() }
    #expect(runner.services["server"] == .stopped)
  }

  @Test("The tasks have few words")
  func words() throws {
    var (words, task): ([String: Int], String?) = ([:], nil)
    for line in try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n") {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("// task ") {
        task = text.dropFirst(8).prefix { $0 != ":" }.description
      } else if text == "// end" {
        task = nil
      } else if let task {
        let count = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.count
        words[task, default: 0] += count
      }
    }
    #expect(words == ["1": 58, "2": 49, "3": 24, "3b": 8, "4": 25, "6": 30])
  }
}
