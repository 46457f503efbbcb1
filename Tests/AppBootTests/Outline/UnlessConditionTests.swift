import AppBoot
import AppBootTestSupport
import Testing

@Suite("The unless of an entry")
struct UnlessConditionTests {
  private let registry = CommandRegistry(Plain.self, FakeProgram.self)

  private func found(_ unless: String) -> [String] {
    problems(in: "{ \"commands\": [{ \"command\": \"Plain\", \"unless\":\n\(unless)\n}] }", registry)
  }

  @Test("A file or a command is read, and described in words")
  func words() throws {
    let text = #"""
      { "commands": [{ "command": "Plain", "id": "a", "unless": { "file": "build/index", "x-a": 1 } },
        { "command": "Plain", "id": "b", "unless": { "command": ["test", "-e", "x"] } }] }
      """#
    let plan = try StartupCommandsBuilder(parsing: text, registry: registry).build()
    #expect(plan[0].attributes.unless == .file("build/index"))
    #expect(plan[0].attributes.unless?.description == #""build/index" exists"#)
    #expect(plan[1].attributes.unless?.description == #""test -e x" succeeds"#)
    #expect(plan[0].skip == nil)
  }

  @Test("A program in unless is a mistake if no registered command can start programs")
  func unavailable() {
    let text = #"{ "commands": [{ "command": "Plain", "unless": { "command": ["true"] } }] }"#
    #expect(
      problems(in: text, CommandRegistry(Plain.self)) == [
        "1:48: \"command\" in \"unless\" cannot run: RunProcess is not registered | register it, as in "
          + "registry.register(StockCommands.all)"
      ])
  }

  @Test(
    "A mistake is an error at its place",
    arguments: [
      (
        #""a""#,
        #"2:1: "unless" must be an object, not a string"#
          + #" | write { "file": "build/index" }, or { "command": ["test", "-e", "build/index"] }"#
      ),
      ("{}", #"2:1: "unless" needs exactly one of "file", "command""#),
      (#"{ "file": "a", "command": ["b"] }"#, #"2:1: "unless" needs exactly one of "file", "command""#),
      (#"{ "file": "" }"#, #"2:11: "unless.file" must not be empty"#),
      (#"{ "file": "a\u0000" }"#, #"2:11: "unless.file" must not contain a zero byte"#),
      (#"{ "file": 1 }"#, #"2:11: "unless.file" must be a string, not a number | write "1""#),
      (#"{ "command": [] }"#, #"2:14: "unless.command": name the program to run as the first item"#),
      (#"{ "command": ["", "a"] }"#, #"2:15: "unless.command[0]" must not be empty"#),
      (#"{ "command": ["a", 2] }"#, #"2:20: "unless.command[1]" must be a string, not a number | write "2""#),
      (
        #"{ "command": "test -e a" }"#,
        #"2:14: "unless.command" must be a list of strings, not a string | write ["test", "-e", "a"]"#
      ),
    ])
  func mistakes(unless: String, message: String) { #expect(found(unless) == [message]) }

  @Test("An unknown key has a suggestion; words of other tools suggest unless")
  func unknown() {
    #expect(found(#"{ "fle": "a" }"#).first?.contains(#"did you mean "file"?"#) == true)
    let text = #"{ "commands": [{ "command": "Plain", "creates": "a" }] }"#
    #expect(problems(in: text, registry).first?.contains(#"did you mean "unless"?"#) == true)
  }
}
