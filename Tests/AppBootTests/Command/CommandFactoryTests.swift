import AppBoot
import AppBootTestSupport
import Testing

private final class Client: Sendable {
  let host: String
  init(_ host: String) { self.host = host }
}

/// A command with an object of the app, and without `init()`.
private struct Connect: Command {
  let client: Client
  @Parameter("The number of connections.") var count = 1

  func execute(in context: LaunchContext) { context.note("\(count) to \(client.host)") }
}

@Suite("A command that a closure creates", .ownThread)
struct CommandFactoryTests {
  private func registry(_ host: String) -> CommandRegistry {
    var registry = CommandRegistry()
    let client = Client(host)
    registry.register(Connect.self) { Connect(client: client) }
    return registry
  }

  @Test("Each entry has the objects of the closure and its own parameters")
  func entries() throws {
    let text = #"""
      { "version": 1,
        "commands": ["Connect", { "command": "Connect", "id": "more", "with": { "count": 4 } }] }
      """#
    let plan = try StartupCommandsBuilder(parsing: text, registry: registry("example.org")).build()
    let record = plan.runBlocking()
    #expect(record.map(\.details.note) == ["1 to example.org", "4 to example.org"])
  }

  @Test("The closure's values are the defaults of the parameters")
  func defaults() throws {
    var registry = CommandRegistry()
    registry.register(Connect.self) { Connect(client: Client("h"), count: 9) }
    #expect(registry.commands.first?.parameters.first?.defaultText == "9")
    let text = #"{ "version": 1, "commands": ["Connect"] }"#
    let record = try StartupCommandsBuilder(parsing: text, registry: registry).build().runBlocking()
    #expect(record.first?.details.note == "9 to h")
  }

  @Test("More than 32 equal entries get a command each")
  func many() throws {
    let entries = (0..<50).map { #"{ "command": "Connect", "id": "c\#($0)" }"# }.joined(separator: ", ")
    let text = #"{ "version": 1, "commands": [\#(entries)] }"#
    let record = try StartupCommandsBuilder(parsing: text, registry: registry("h")).build().runBlocking()
    #expect(record.count == 50)
    #expect(record.allSatisfy { $0.details.note == "1 to h" })
  }

  @Test("A closure that is registered later replaces the first one")
  func replaced() throws {
    var registry = CommandRegistry(Connect.self)
    registry.register(Connect.self) { Connect(client: Client("first")) }
    registry.register(Connect.self) { Connect(client: Client("second")) }
    let text = #"{ "version": 1, "commands": ["Connect"] }"#
    let plan = try StartupCommandsBuilder(parsing: text, registry: registry).build()
    #expect(plan.runBlocking().first?.details.note == "1 to second")
  }

  @Test("A type without init() and without a closure is a mistake in the manifest that uses it")
  func noInitializer() throws {
    let registry = CommandRegistry(Connect.self)
    #expect(registry.commands.first?.parameters.isEmpty == true)
    let text = #"{ "version": 1, "commands": ["Connect"] }"#
    let error = try #require(throws: PlanError.self) {
      try StartupCommandsBuilder(parsing: text, registry: registry).build()
    }
    #expect(
      error.mistakes.map(\.message) == [
        "Connect: there is no init(): add one, or give each stored property @Parameter or a default value; for other "
          + "values, register Connect with a closure that creates it: registry.register(Connect.self) { Connect(…) }"
      ])
  }

  @Test("A plan in code takes a command with objects directly")
  func code() {
    let record = LaunchPlan(sequence: [Connect(client: Client("local"))]).runBlocking()
    #expect(record.first?.details.note == "1 to local")
  }
}
