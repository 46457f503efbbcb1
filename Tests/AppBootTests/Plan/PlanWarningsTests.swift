import AppBoot
import AppBootSchema
import Testing

@Suite("Warnings about a sound plan")
struct PlanWarningsTests {
  private struct Undone: UndoableCommand {
    func execute(in context: LaunchContext) {}
    func undo(in context: LaunchContext) {}
  }

  private struct Undoing: UndoableCommand {
    @Parameter("The undo.") var undo: String?
    var hasUndo: Bool { undo != nil }
    func execute(in context: LaunchContext) {}
    func undo(in context: LaunchContext) {}
  }

  private struct Needing: Command {
    @Parameter("Variables.") var environment: [String: String] = [:]
    func execute(in context: LaunchContext) {}
  }

  private func found(_ commands: String, members: String = "") -> [String] {
    problems(
      in: "{ \(members)\"commands\": [\n\(commands)\n] }",
      CommandRegistry(Plain.self, Undone.self, Undoing.self))
  }

  @Test("A rollback before which nothing can be undone is a warning")
  func rollback() {
    let rollback = #"{ "command": "Plain", "id": "b", "onFailure": "rollback" }"#
    let warning =
      #"a failure of "b" rolls nothing back: no command before it can be undone"#
      + #" | write "stop", or use commands that can be undone, such as RunProcess with "undo""#
    #expect(found(rollback) == ["2:47: \(warning)"])
    #expect(found(#""Plain", \#(rollback)"#).count == 1)
    #expect(found(#"\#(rollback), "Undone""#).count == 1)
    #expect(found(#""Undone", \#(rollback)"#).isEmpty)
    let beside = #"{ "command": "Undone", "after": [] }"#
    #expect(found("\(rollback), \(beside)").isEmpty)
    #expect(found(#"{ "command": "Undone", "onFailure": "rollback" }"#).count == 1)
  }

  @Test("A command whose parameters have no undo cannot be undone")
  func parameterOfUndo() {
    let rollback = #"{ "command": "Plain", "onFailure": "rollback" }"#
    #expect(found(#""Undoing", \#(rollback)"#).count == 1)
    #expect(found(#"{ "command": "Undoing", "with": { "undo": "x" } }, \#(rollback)"#).isEmpty)
  }

  @Test("An undo that no failure of another step can cause produces a warning")
  func neverUndone() {
    let undoing = #"{ "command": "Undoing", "id": "a", "with": { "undo": "x" } }"#
    let warning =
      #"2:54: "a" is never undone: no step after it rolls back"#
      + #" | write "onFailure": "rollback" in the entries whose failure undoes it"#
    #expect(found(#"\#(undoing), "Plain""#) == [warning])
    let own = #"{ "command": "Undoing", "id": "a", "onFailure": "rollback", "with": { "undo": "x" } }"#
    #expect(found(own).count == 2)
    let rollback = #"{ "command": "Plain", "id": "b", "onFailure": "rollback" }"#
    #expect(found(#""Undone", \#(rollback), \#(undoing)"#).count == 1)
    #expect(found(#"\#(undoing), { "command": "Plain", "onFailure": "rollback", "after": [] }"#).isEmpty)
    #expect(found(undoing + #", "Plain""#, members: #""defaults": { "onFailure": "rollback" }, "#).isEmpty)
  }

  @Test("A step's timeout above the launch's is a warning")
  func timeout() {
    let entry = #"{ "command": "Plain", "timeout": "60s" }"#
    #expect(
      found(entry, members: #""timeout": "30s", "#) == [
        #"2:34: the timeout of "Plain", 1m, is longer than the launch's, 30s"#
          + " | the launch times out first: lower this timeout, or raise the launch's"
      ])
    #expect(found(entry, members: #""timeout": "60s", "#).isEmpty)
    #expect(found(entry).isEmpty)
  }

  @Test("A budget above its timeout is a warning, of a step and of the launch")
  func budget() {
    #expect(
      found(#"{ "command": "Plain", "timeout": "1s", "budget": "1500ms" }"#) == [
        #"2:50: the budget of "Plain", 1.5s, is longer than its timeout, 1s | the timeout comes first: lower the budget"#
      ])
    #expect(
      found(#""Plain""#, members: #""timeout": "1s", "budget": "2s", "#) == [
        #"1:30: the budget of the launch, 2s, is longer than its timeout, 1s | the timeout comes first: lower the budget"#
      ])
    #expect(found(#"{ "command": "Plain", "timeout": "1s", "budget": "1s" }"#).isEmpty)
  }

  @Test("A condition on a variable that is called \"name\" is a warning")
  func keyAsVariable() {
    func found(_ condition: String) -> [String] {
      self.found(#"{ "command": "Plain", "id": "b", "when": \#(condition) }"#)
    }
    #expect(
      found(#"{ "environment": { "name": "CI" } }"#) == [
        #"2:14: "when" of "b" looks for a variable that is called "name""#
          + #" | write { "environment": "CI" } for a variable CI, or { "environment": { "CI": "true" } }"#
      ])
    #expect(
      found(#"{ "not": { "any": [{ "environment": { "variable": "CI", "value": "1" } }] } }"#).count == 1)
    #expect(found(#"{ "environment": { "NAME": "x" } }"#).isEmpty)
    #expect(found(#"{ "environment": "name" }"#).isEmpty)
  }

  /// Returns the warnings about a manifest with secrets, in an environment with some variables.
  private func found(secrets: String, in variables: [String: String], entry: String = #""Plain""#) throws
    -> [String]
  {
    let text = SourceText(name: "commands.json", text: #"{ \#(secrets), "commands": [\#(entry)] }"#)
    let builder = StartupCommandsBuilder(
      manifest: try Manifest(parsing: text), registry: CommandRegistry(Plain.self, Needing.self))
    return builder.environment(variables).problems().shown.map {
      "\($0.range.start): \($0.message) | \($0.help.joined(separator: " | "))"
    }
  }

  @Test("A secret whose variable is not set causes a warning if a variable with a similar name is set")
  func unsetSecret() throws {
    let secrets = #""secrets": ["API_KEY", "API_KEY2"]"#
    let warning = #"the variable "API_KEY" is not set, so its value cannot be hidden"#
    #expect(
      try found(secrets: secrets, in: ["API_KEI": "", "API_KEY2": "", "HOME": ""])
        == [#"14: \#(warning) | did you mean "API_KEI"?"#])
    let given = #""environment": { "API_KEI": "x", "API_KEY2": "" }, \#(secrets)"#
    #expect(try found(secrets: given, in: [:]).first?.contains("did you mean \"API_KEI\"?") == true)
    let entry = #"{ "command": "Plain", "environment": { "API_KEI": "x" } }"#
    #expect(try found(secrets: secrets, in: ["API_KEY2": ""], entry: entry).count == 1)
    // A secret that only other machines have.
    #expect(try found(secrets: secrets, in: ["API_KEY2": "", "HOME": ""]).isEmpty)
    #expect(try found(secrets: secrets, in: ["API_KEY": "", "API_KEY2": ""]).isEmpty)
    #expect(try found(secrets: #""secretPattern": "API_KEY""#, in: [:]).isEmpty)
  }

  @Test("A secret that an entry sets for its process causes no warning")
  func secretOfEntry() throws {
    let entry = #"{ "command": "Needing", "with": { "environment": { "API_KEY": "value" } } }"#
    #expect(try found(secrets: #""secrets": ["API_KEY"]"#, in: [:], entry: entry).isEmpty)
  }

  @Test("Entries of an event are warned about, too")
  func events() {
    let list = #"{ "command": "Plain", "timeout": "1s", "budget": "2s", "onFailure": "rollback" }"#
    #expect(found("", members: #""on": { "openURL": [\#(list)] }, "#).count == 2)
  }
}
