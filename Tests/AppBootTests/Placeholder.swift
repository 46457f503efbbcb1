import Testing
import AppBoot

struct Hello: Command {
  static let abstract = "Says hello."
  @Parameter("Who.") var who = "world"
  @Parameter("How often.") var times: Int
  func execute(in context: LaunchContext) throws { context.note("hello \(who) × \(times)") }
}

@Test func smoke() throws {
  let manifest = try Manifest(
    parsing: SourceText(
      name: "commands.json",
      text: #"""
        { "version": 1, "name": "x", "commands": [ { "command": "Hello", "with": { "who": "you", "times": 3 } },
          { "command": "Hello", "id": "b", "with": { "times": 1 }, "after": [], "timeout": "1s" } ] }
        """#))
  let record = try StartupCommandsBuilder(manifest: manifest, registry: CommandRegistry(Hello.self)).build()
    .run()
  #expect(record.succeeded)
  #expect(record["Hello"]?.details.note == "hello you × 3")
  #expect(record["b"]?.details.note == "hello world × 1")
}
