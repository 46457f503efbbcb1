import AppBoot
import AppBootTestKit
import Testing

@Suite("The defaults of a manifest")
struct ManifestDefaultsTests {
  private struct Undone: UndoableCommand {
    func execute(in context: LaunchContext) {}
    func undo(in context: LaunchContext) {}
  }

  private let registry = CommandRegistry(Plain.self, Other.self, Undone.self)

  private func found(_ defaults: String, _ commands: String = #""Plain""#, members: String = "") -> [String] {
    problems(in: "{ \(members)\"defaults\":\n\(defaults),\n\"commands\": [\n\(commands)\n] }", registry)
  }

  @Test("Every entry has the defaults, including those of events, regardless of their place in the file")
  func everyEntry() throws {
    let text = #"""
      { "commands": ["Plain", { "command": "Other" }], "on": { "openURL": ["Plain"] },
        "defaults": { "timeout": "2s", "budget": "1s", "retry": { "attempts": 3 }, "onFailure": "continue",
          "when": { "platform": "tvos" }, "x-a": 1 } }
      """#
    let plan = try self.plan(text)
    let handlers = try #require(plan.events["openURL"])
    for step in [plan[0], plan[1], handlers[0]] {
      #expect(step.timeout == .seconds(2))
      #expect(step.budget == .seconds(1))
      #expect(step.retry?.attempts == 3)
      #expect(step.onFailure == .continue)
      #expect(step.attributes.condition?.description == "platform tvos")
    }
    #expect(plan[0].skip != nil)
  }

  @Test("A value of an entry replaces its default")
  func own() throws {
    let text = #"""
      { "defaults": { "timeout": "2s", "budget": "1s", "retry": { "attempts": 3, "backoff": "1ms" },
          "onFailure": "continue", "when": { "platform": "tvos" } },
        "commands": [{ "command": "Plain", "timeout": "5s", "budget": "3s", "retry": { "attempts": 1 },
          "onFailure": "stop", "when": {} }] }
      """#
    let step = try plan(text)[0]
    #expect(step.timeout == .seconds(5))
    #expect(step.budget == .seconds(3))
    #expect(step.retry == RetryPolicy(attempts: 1))
    #expect(step.onFailure == .stop)
    #expect(step.skip == nil)
  }

  @Test("An entry with one value of its own has the defaults for the others")
  func mixed() throws {
    let text = #"""
      { "defaults": { "timeout": "2s", "onFailure": "continue" },
        "commands": [{ "command": "Plain", "timeout": "5s", "comment": "slow" }] }
      """#
    let step = try plan(text)[0]
    #expect(step.timeout == .seconds(5))
    #expect(step.onFailure == .continue)
    #expect(step.comment == "slow")
  }

  @Test(
    "A mistake in the defaults is reported once, at its place",
    arguments: [
      (
        #"[]"#,
        #"2:1: "defaults" must be an object, not an array | its keys are when, timeout, retry, onFailure, budget, stop"#
      ),
      (
        #"{ "timeout": 5 }"#,
        #"2:14: "defaults.timeout" must be a duration such as "250ms", not a number | write "5s" or "5ms""#
      ),
      (
        #"{ "id": "a" }"#,
        #"2:3: "id" cannot have a default | write it in each entry; defaults are for when, timeout, retry, onFailure, budget, stop"#
      ),
      (
        #"{ "limit": "1s" }"#,
        #"2:3: unknown key "limit" in "defaults" | did you mean "timeout"?"#
          + #" | its keys are when, timeout, retry, onFailure, budget, stop; custom keys begin with "x-""#
      ),
    ])
  func mistakes(defaults: String, message: String) {
    #expect(found(defaults, #""Plain", "Other""#) == [message])
  }

  @Test("A warning about a default is reported once, at its place")
  func warnings() {
    let entries = #""Plain", "Other", { "command": "Plain", "id": "b", "timeout": "3s" }"#
    #expect(
      found(#"{ "timeout": "60s" }"#, entries, members: #""timeout": "30s", "#) == [
        #"2:14: the default timeout, 1m, is longer than the launch's, 30s"#
          + " | the launch times out first: lower this timeout, or raise the launch's"
      ])
    #expect(
      found(#"{ "timeout": "1s", "budget": "2s" }"#, entries) == [
        "2:30: the budget of each entry, 2s, is longer than its timeout, 1s"
          + " | the timeout comes first: lower the budget"
      ])
    #expect(
      found(#"{ "budget": "4s" }"#, entries) == [
        #"4:63: the budget of "b", 4s, is longer than its timeout, 3s | the timeout comes first: lower the budget"#
      ])
    #expect(
      found(#"{ "onFailure": "rollback" }"#, entries) == [
        #"2:16: "rollback" rolls nothing back: no command can be undone"#
          + #" | write "stop", or use commands that can be undone, such as RunProcess with "undo""#
      ])
    #expect(found(#"{ "onFailure": "rollback" }"#, #""Plain", "Undone""#).isEmpty)
  }

  private func plan(_ text: String) throws -> LaunchPlan {
    try StartupCommandsBuilder(parsing: text, registry: registry).build()
  }
}
