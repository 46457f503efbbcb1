import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
import AppBootRecords

@Suite("Secrets in a record", .ownThread)
struct SecretRecordTests {
  private static let secret = "hunter2-secret"
  static let patternHelp =
    #" | write an expression for grep -E, as in "_(TOKEN|KEY)$", or list the names"#

  private struct Told: CausedError, CustomStringConvertible {
    var description: String { "no access with \(SecretRecordTests.secret)" }
    var cause: (any Error)? { Failure(message: "key \(SecretRecordTests.secret)", type: "T") }
  }

  private func record(
    observers: [any LaunchObserver] = [], _ body: @escaping @Sendable (LaunchContext) throws -> Void
  ) -> LaunchRecord {
    var configuration = LaunchRunner.Configuration()
    configuration.observers = observers
    let command = FakeCommand { context in
      context.addSecret(Self.secret)
      try body(context)
    }
    return LaunchRunner(LaunchPlan(sequence: [command]), configuration: configuration).runBlocking()
  }

  @Test("Output, results, spans and failures show three asterisks in place of a secret")
  func texts() throws {
    let observer = RecordingObserver()
    let record = record(observers: [observer]) { context in
      context.note("note \(Self.secret)")
      context.output("line \(Self.secret)")
      try context.measure("span \(Self.secret)") { throw Told() }
    }
    #expect(record[0].details.note == "note ***")
    #expect(record[0].details.lastOutput == "line ***")
    #expect(record[0].details.spans.map(\.name) == ["span ***"])
    #expect(record[0].state.failure?.description == "no access with ***: key ***")
    #expect(!record.json().contains(Self.secret))
    #expect(!observer.events.contains { "\($0)".contains(Self.secret) })
  }

  @Test("A payload shows no secret in the record, but the handlers of its event receive it")
  func payload() {
    let record = record { try $0.emit("consentGranted", payload: "with \(Self.secret)") }
    #expect(record[0].details.emitted.map(\.payload) == ["with ***"])
    #expect(record[0].details.emitted.map { $0.handled?.reveal() } == ["with \(Self.secret)"])
    #expect(record.json().contains("with ***") && !record.json().contains(Self.secret))
  }

  @Test("Names of events and of values show no secret in the record")
  func names() {
    let key = ContextKey<Int>("key-\(Self.secret)")
    let record = record { context in
      context.provide(1, for: key)
      _ = try context.require(key)
      try context.emit("told-\(Self.secret)")
    }
    #expect(record[0].details.provides == ["key-***"] && record[0].details.reads == ["key-***"])
    #expect(!record.json().contains(Self.secret))
  }

  @Test("The record of a launch that emitted a secret equals the record of its events")
  func replay() throws {
    let observer = RecordingObserver()
    let record = record(observers: [observer]) {
      try $0.emit("consentGranted", payload: "with \(Self.secret)")
    }
    var replayed = LaunchRecord(outline: record.outline, startedAt: record.startedAt)
    for event in observer.events { replayed.apply(event) }
    #expect(record[0].details == replayed[0].details)
    #expect(try LaunchRecord(json: record.json())[0].details == record[0].details)
  }

  @Test("The reason for a cancellation shows no secret")
  func cancelled() {
    let runner = Lock<LaunchRunner?>(nil)
    let command = FakeCommand { context in
      context.addSecret(Self.secret)
      runner.withLock(\.self)?.cancel("stopped by \(Self.secret)")
    }
    let plan = LaunchPlan(sequence: [command, FakeCommand()])
    runner.withLock { $0 = LaunchRunner(plan) }
    let record = runner.withLock(\.self)?.runBlocking()
    #expect(record?.json().contains("stopped by ***") == true)
    runner.withLock { $0 = nil }
  }
}

@Suite("Secrets in a manifest", .ownThread)
struct SecretManifestTests {
  private let registry = CommandRegistry(Plain.self, Other.self, FakeProgram.self)

  private func plan(_ members: String, _ entry: String, _ variables: [String: String] = [:]) throws
    -> LaunchPlan
  {
    let text = "{ \(members), \"commands\": [\(entry)] }"
    return try StartupCommandsBuilder(parsing: text, registry: registry).environment(variables).build()
  }

  @Test("Variables named in secrets, and those whose names match secretPattern, are secret")
  func rules() throws {
    let plan = try plan(
      #""secrets": ["PASSWORD"], "secretPattern": "_KEY$""#, #""Plain""#,
      ["PASSWORD": "pass-word", "API_KEY": "api-key-1", "KEY_ID": "key-id-1"])
    let secrets = plan.environment.secrets
    #expect(secrets.masking("pass-word api-key-1 key-id-1") == "*** *** key-id-1")
  }

  @Test("The environment of the process is used if the launch has no other")
  func processEnvironment() throws {
    let home = try #require(ProcessEnvironment.value(of: "PATH"))
    let text = #"{ "secretPattern": "^PATH$", "commands": ["Plain"] }"#
    let plan = try StartupCommandsBuilder(parsing: text, registry: registry).build()
    #expect(plan.environment.secrets.masking(home) == "***")
  }

  @Test("A literal value of a secret variable is hidden in comments, conditions and skip reasons")
  func literals() throws {
    let plan = try plan(
      #""secrets": ["KEY"]"#,
      #"{ "command": "Plain", "comment": "it is hunter2", "when": { "environment": { "KEY": "hunter2" } } }"#,
      ["KEY": "other-value"])
    let step = plan.outline.masked(by: plan.environment.secrets)[0]
    #expect(step.comment == "it is ***")
    #expect(step.attributes.condition?.description == "environment KEY=***")
    #expect(step.skip == .condition("KEY is not \"***\""))
    #expect(!LaunchRunner(plan).runBlocking().json().contains("hunter2"))
  }

  @Test(
    "The reason of an unnecessary step shows no part of a secret, even if its command is cut",
    arguments: 30...70)
  func unnecessary(offset: Int) throws {
    let comment = String(repeating: "x", count: offset) + "hunter2-secret" + String(repeating: "y", count: 80)
    let plan = try plan(
      #""secrets": ["KEY"]"#,
      #"{ "command": "Plain", "unless": { "command": ["sh", "-c", "exit 0 # \#(comment)"] } }"#,
      ["KEY": "hunter2-secret"])
    let record = LaunchRunner(plan).runBlocking()
    guard case .skipped(.unnecessary(let reason)) = record[0].state else {
      Issue.record("the step was not skipped: \(record[0].state)")
      return
    }
    #expect(!reason.contains("xh"))
  }

  @Test("The URL of a launch shows no secret, but its commands receive it")
  func url() throws {
    let text = #"{ "secrets": ["KEY"], "commands": ["Plain"] }"#
    let url = "app://open?key=hunter2"
    let plan = try StartupCommandsBuilder(parsing: text, registry: registry)
      .environment(["KEY": "hunter2"]).launchOptions(LaunchOptions(reason: .url, url: url)).build()
    #expect(plan.options.url == url)
    #expect(plan.outline.masked(by: plan.environment.secrets).options.url == "app://open?key=***")
    let record = LaunchRunner(plan).runBlocking()
    #expect(record.outline.options.url == "app://open?key=***")
  }

  @Test("Mistakes show asterisks in place of a secret, in the message and in the line of the file")
  func mistakes() {
    let entry =
      #"{ "command": "Plain", "with": { "environment": { "KEY": "hunter2" } }, "onFailure": "hunter2" }"#
    let error = #expect(throws: PlanError.self) { try plan(#""secrets": ["KEY"]"#, entry) }
    let line = String(decoding: error?.source?.bytes ?? [], as: UTF8.self)
    let text = (error?.description ?? "") + line
    #expect(text.contains(#""onFailure" cannot be "***""#) && line.contains(#""onFailure": "*******""#))
    #expect(!text.contains("hunter2"))
  }

  @Test(
    "A mistake in secrets or secretPattern is an error with its remedy",
    arguments: [
      (
        #""secrets": "KEY""#,
        "1:14: \"secrets\" must be a list of values, each a variable's name, not a string | write [\"KEY\"]"
      ),
      (#""secrets": [5]"#, "1:15: \"secrets[0]\" must be a variable's name, not a number"),
      (
        #""secrets": ["KEY=value"]"#,
        "1:15: a name in \"secrets\" has only letters, digits and \"_\", and does not begin with a digit"
          + " | write the name of the variable, as in \"API_KEY\"; its value stays in the environment"
      ),
      (#""secretPattern": """#, "1:20: \"secretPattern\" must not be empty"),
      (#""secretPattern": "a\u0000""#, "1:20: \"secretPattern\" must not contain a zero byte"),
      (
        #""secretPattern": "((a{1,99}){1,99}){1,99}""#,
        "1:20: \"secretPattern\" has more than one \"{\", which can take much time or memory"
          + SecretRecordTests.patternHelp
      ),
      (
        #""secretPattern": "a{1,9999}""#,
        "1:20: \"secretPattern\" repeats a part more than 255 times, which can take much time or memory"
          + SecretRecordTests.patternHelp
      ),
      (
        #""secretPattern": "a*b*c*d*e*f*g+h+i?j?k?""#,
        "1:20: \"secretPattern\" has more than ten repetitions, which can take much time or memory"
          + SecretRecordTests.patternHelp
      ),
      (
        #""secretPattern": "(.*)\\1x""#,
        "1:20: \"secretPattern\" has a reference to a group, which can take much time or memory"
          + SecretRecordTests.patternHelp
      ),
      (
        #""secretPattern": "\\w""#,
        "1:20: \"secretPattern\" is not an extended regular expression: \"\\w\" is not known: write [[:alnum:]_]"
          + SecretRecordTests.patternHelp
      ),
    ])
  func form(members: String, message: String) {
    #expect(problems(in: "{ \(members), \"commands\": [] }", registry) == [message])
  }

  @Test(
    "A secretPattern can have braces, and a backslash in brackets",
    arguments: [#"^[A-Z]{2,20}_KEY$"#, "[{]", #"a\\{"#, #"[\\1]"#, #"\\[[]]?"#])
  func harmless(pattern: String) {
    #expect(problems(in: "{ \"secretPattern\": \"\(pattern)\", \"commands\": [] }", registry) == [])
  }

  @Test("The names of values that are too short are listed")
  func short() throws {
    let plan = try plan(
      #""secrets": ["A", "B", "C", "D"]"#, #""Plain""#, ["A": "abc", "B": "", "C": "long enough"])
    #expect(plan.environment.shortSecrets == ["A"])
  }
}
