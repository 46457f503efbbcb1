import AppBoot
import AppBootTestSupport
import Testing

extension ContextKey where Value == Int {
  fileprivate static var port: Self { Self("port") }
}

extension ContextKey where Value == String {
  fileprivate static var host: Self { Self("host") }
}

private struct OpenPort: Command {
  static let options = CommandOptions(provides: .port)
  func execute(in context: LaunchContext) { context.provide(8080, for: .port) }
}

private struct Listen: Command {
  static let options = CommandOptions(requires: .port)
  func execute(in context: LaunchContext) throws { context.note("\(try context.require(.port))") }
}

private struct NamePort: Command {
  static let options = CommandOptions(provides: ContextKey<String>("port"))
  func execute(in context: LaunchContext) {}
}

@Suite("Context values that commands declare", .ownThread)
struct PlanAssemblyKeysTests {
  private let registry = CommandRegistry(OpenPort.self, Listen.self)

  private func found(_ manifest: String, _ registry: CommandRegistry? = nil) -> [String] {
    problems(in: "{ \"version\": 1, \(manifest) }", registry ?? self.registry)
  }

  @Test("The options of a command can list several keys, of different types")
  func severalKeys() {
    let options = CommandOptions(provides: .port, .host, requires: .host, .port, replacesVariables: false)
    #expect(options.provides.names == ["port", "host"] && options.requires.names == ["host", "port"])
    #expect(CommandOptions().provides.names.isEmpty && CommandOptions().lane == .background)
  }

  @Test("A reader after its provider is valid, directly and indirectly")
  func valid() {
    #expect(found(#""commands": ["OpenPort", "Listen"]"#).isEmpty)
    let indirect = #"""
      "commands": [{ "command": "OpenPort", "id": "a", "when": { "firstLaunch": true } },
        { "command": "Listen", "id": "b", "after": ["a"] }, { "command": "Listen", "after": ["b"] }]
      """#
    #expect(found(indirect).isEmpty)
  }

  @Test("A reader beside or before its provider is a mistake at its entry")
  func unordered() {
    let beside = #""commands": ["OpenPort", { "command": "Listen", "after": [] }]"#
    #expect(
      found(beside) == [
        #"1:55: "Listen" requires the value "port", but does not wait for "OpenPort", which provides it "#
          + #"| run "Listen" after "OpenPort""#
      ])
    #expect(found(#""commands": ["Listen", "OpenPort"]"#).count == 1)
  }

  @Test("A value that nothing provides is a mistake that names the commands which could")
  func missing() {
    #expect(
      found(#""commands": ["Listen"]"#) == [
        #"1:30: "Listen" requires the value "port", and nothing provides it | add "OpenPort" before it"#
      ])
    #expect(
      found(#""commands": ["Listen"]"#, CommandRegistry(Listen.self)) == [
        #"1:30: "Listen" requires the value "port", and nothing provides it "#
          + #"| declare it in "provides" of a command, or provide it in code"#
      ])
  }

  @Test("A value that code provides needs no command")
  func provided() throws {
    var registry = CommandRegistry(Listen.self)
    registry.provide(443, for: .port)
    #expect(found(#""commands": ["Listen"]"#, registry).isEmpty)
    let text = #"{ "version": 1, "commands": ["Listen"] }"#
    let builder = try StartupCommandsBuilder(parsing: text, registry: registry)
    #expect(try builder.build().runBlocking()["Listen"]?.details.note == "443")
    #expect(try builder.providing(80, for: .port).build().runBlocking()["Listen"]?.details.note == "80")
  }

  @Test("Two keys with one name and two types are a mistake")
  func types() {
    let registry = CommandRegistry(NamePort.self, Listen.self)
    let message =
      #"1:42: "Listen" requires the value "port" as Int, but it is provided as String "#
      + "| two keys share one name: give one of them another"
    #expect(found(#""commands": ["NamePort", "Listen"]"#, registry) == [message])
  }

  @Test("An event's handlers can require the values of the launch, and of earlier events")
  func handlers() {
    #expect(found(#""commands": ["OpenPort"], "on": { "openURL": ["Listen"] }"#).isEmpty)
    let earlier = #""on": { "didBecomeActive": ["OpenPort"], "didEnterBackground": ["Listen"] }"#
    #expect(found(#""commands": [], "# + earlier).isEmpty)
    #expect(found(#""commands": ["OpenPort", "Typo"], "on": { "openURL": ["Listen"] }"#).count == 1)
  }

  @Test("A chain of 10,000 readers is checked in linear time")
  func many() {
    let readers = (0..<10_000).map { #"{ "command": "Listen", "id": "r\#($0)" }"# }.joined(separator: ",")
    #expect(found(#""commands": ["OpenPort", \#(readers)]"#).isEmpty)
  }

  @Test("A second provider without a condition is a warning")
  func twice() {
    let twice = #""commands": ["OpenPort", { "command": "OpenPort", "id": "other" }]"#
    #expect(
      found(twice) == [
        #"1:55: "other" provides "port", as "OpenPort" does "#
          + "| the value that is provided last counts: give one of the two a condition, or another key"
      ])
    let either = #"""
      "commands": ["OpenPort", { "command": "OpenPort", "id": "other", "when": { "firstLaunch": true } }]
      """#
    #expect(found(either).isEmpty)
  }

  @Test("Steps in code with a reader that does not wait for its provider are no plan")
  func code() throws {
    let steps: [(LaunchStep, [String]?)] = [(LaunchStep(OpenPort()), nil), (LaunchStep(Listen()), [])]
    let error = #expect(throws: PlanError.self) { try LaunchPlan(steps: steps) }
    #expect(
      error?.mistakes.map(\.message)
        == [#""Listen" requires the value "port", but does not wait for "OpenPort", which provides it"#])
    let ordered: [(LaunchStep, [String]?)] = [(LaunchStep(OpenPort()), nil), (LaunchStep(Listen()), nil)]
    #expect(try LaunchPlan(steps: ordered).runBlocking()["Listen"]?.details.note == "8080")
  }
}
