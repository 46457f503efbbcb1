import AppBoot
import AppBootRecords
import Testing
import AppBootTestSupport

@Suite("Manifest keys and ids", .ownThread)
struct ManifestEntryTests {
  private let registry = CommandRegistry(Plain.self, Other.self)

  private func found(_ text: String) -> [String] { problems(in: text, registry) }

  @Test("An empty manifest gets help to write one", arguments: ["", " \n\t"])
  func empty(text: String) {
    #expect(found(text) == [#"1:1: the manifest is empty | write { "version": 1, "commands": [ … ] }"#])
  }

  @Test(
    "A key that means another one leads to a suggestion",
    arguments: [("note", "comment"), ("dependsOn", "after"), ("args", "with"), ("if", "when")])
  func synonyms(key: String, meant: String) {
    let problems = found(#"{ "commands": [{ "command": "Plain", "\#(key)": "x" }] }"#)
    #expect(problems.count == 1 && problems[0].hasPrefix("1:38: unknown key \"\(key)\" in an entry"))
    #expect(problems[0].contains(" | did you mean \"\(meant)\"? | its keys are "))
    #expect(found(#"{ "steps": [], "commands": [] }"#)[0].contains("did you mean \"commands\"?"))
  }

  @Test(
    "A mistyped \"run\" leads to a suggestion, and to no error about a command",
    arguments: ["rnu", "runn", "rum"])
  func mistypedRun(key: String) {
    let problems = found(#"{ "commands": [{ "id": "a", "\#(key)": "x" }] }"#)
    #expect(problems.count == 1 && problems[0].contains("unknown key \"\(key)\" in an entry"))
    #expect(problems[0].contains(" | did you mean \"run\"? | its keys are run, "))
  }

  @Test("Every key of a manifest and of an entry is read")
  func everyKey() throws {
    let text = #"""
      { "$schema": "s.json", "version": 1, "name": "Notes", "budget": "250ms", "timeout": "30s", "x-a": [],
        "commands": [
          "Plain",
          { "command": "Plain", "id": "b", "with": { "x-b": 1 }, "after": ["Plain"], "timeout": "2s",
            "retry": { "attempts": 3, "backoff": "100ms", "maxBackoff": "1s", "x-c": 1 }, "onFailure": "continue",
            "budget": "80ms", "comment": "why", "when": { "x-d": 1, "firstLaunch": true }, "x-e": null }
        ],
        "on": { "didEnterBackground": ["Other"], "x-f": 5 } }
      """#
    let plan = try self.plan(text, registry)
    #expect(plan.name == "Notes")
    #expect(plan.budgetTime == 250_000_000)
    #expect(plan.timeoutTime == 30_000_000_000)
    #expect(plan.map(\.id) == ["Plain", "b"])
    let step = plan[1]
    #expect(step.commandName == "Plain")
    #expect(step.timeout == .seconds(2))
    #expect(step.budget == .milliseconds(80))
    #expect(step.retry == RetryPolicy(attempts: 3, backoff: .milliseconds(100), maxBackoff: .seconds(1)))
    #expect(step.onFailure == .continue)
    #expect(step.comment == "why")
    #expect(step.skip == nil)
    #expect(plan.outline.locations()[0] == SourceLocation(line: 3, column: 5))
    #expect(plan.outline.locations()[1] == SourceLocation(line: 4, column: 18))
    #expect(plan.events.keys.sorted() == ["didEnterBackground"])
    #expect(plan.events["didEnterBackground"]?.map(\.id) == ["Other"])
  }

  @Test("A key that a manifest leaves out has its default")
  func defaults() throws {
    let plan = try self.plan(#"{ "commands": ["Plain"] }"#, registry)
    #expect(plan.name == "launch")
    #expect(plan.budgetTime == nil)
    #expect(plan.timeoutTime == nil)
    #expect(plan[0].onFailure == .stop)
    #expect(plan[0].retry == nil)
    #expect(plan[0].timeout == nil)
    #expect(try self.plan(#"{ "commands": [] }"#, registry).isEmpty)
  }

  private func plan(_ text: String, _ registry: CommandRegistry) throws -> LaunchPlan {
    let manifest = try Manifest(parsing: SourceText(name: "commands.json", text: text))
    return try StartupCommandsBuilder(manifest: manifest, registry: registry).build()
  }

  @Test("An entry comes after the one above it, unless it has an `after`")
  func order() throws {
    let plan = try self.plan(
      #"""
      { "commands": [
        { "command": "Plain", "id": "a" }, { "command": "Plain", "id": "b" },
        { "command": "Plain", "id": "c", "after": [] }, { "command": "Plain", "id": "d", "after": ["b", "a"] },
        { "command": "Plain", "id": "e" }
      ] }
      """#, registry)
    #expect(plan.indices.map { Array(plan.outline.predecessors(of: $0)) } == [[], [0], [], [1, 0], [3]])
    #expect(plan.indices.map { Array(plan.outline.successors(of: $0)) } == [[1, 3], [3], [], [4], []])
  }

  @Test("A timeout in code that is shorter than a nanosecond is rounded up to one")
  func shortTimeouts() throws {
    let plan = try LaunchPlan(timeout: .nanoseconds(1) / 2) {
      Step("a", Plain()).timeout(.nanoseconds(1) / 2)
    }
    #expect(plan.timeoutTime == 1)
    #expect(plan[0].timeout == .nanoseconds(1))
  }

  @Test(
    "A wrong type or value of a manifest's key has its own message",
    arguments: [
      (#"{"commands":5}"#, "1:13: \"commands\" must be a list of commands, not a number | put it in [ … ]"),
      (
        #"{"commands":"Plain"}"#,
        "1:13: \"commands\" must be a list of commands, not a string | put it in [ … ]"
      ),
      (
        "{}",
        "1:1: the manifest has no \"commands\" | add \"commands\": [ … ], the list of what to run, in order"
      ),
      (
        #"{"commands":[],"version":2}"#,
        "1:26: \"version\" is 2, but only version 1 is supported | write \"version\": 1, or use a newer AppBoot"
      ),
      (#"{"commands":[],"version":"1"}"#, "1:26: \"version\" must be the number 1, not a string"),
      (#"{"commands":[],"version":1.5}"#, "1:26: \"version\" must be the number 1, not 1.5"),
      (#"{"commands":[],"name":7}"#, "1:23: \"name\" must be a string, not a number | write \"7\""),
      (#"{"commands":[],"$schema":null}"#, "1:26: \"$schema\" must be a string, not null"),
      (
        #"{"commands":[],"budget":250}"#,
        "1:25: \"budget\" must be a duration such as \"250ms\", not a number | write \"250s\" or \"250ms\""
      ),
      (
        #"{"commands":[],"timeout":"0s"}"#,
        "1:26: \"timeout\" must be greater than zero | remove it for no timeout"
      ),
      (
        #"{"commands":[],"timeout":"5"}"#,
        "1:26: \"timeout\" is not a duration: \"5\" has no unit | "
          + "write \"5s\" or \"5ms\"; the units are h, m, s, ms, us, ns"
      ),
      (#"{"commands":[],"on":[]}"#, "1:21: \"on\" must be an object of events, not an array"),
      (
        #"{"commands":[],"on":{"openURL":"Plain"}}"#,
        "1:32: \"openURL\" must be a list of commands, not a string | put it in [ … ]"
      ),
      (
        #"{"commands":[],"nam":"x"}"#,
        "1:16: unknown key \"nam\" in a manifest | did you mean \"name\"? | its keys are $schema, version, name, "
          + "budget, timeout, failFast, logs, history, environment, defaults, include, commands, on, secrets, "
          + "secretPattern; custom keys begin with \"x-\""
      ),
    ])
  func manifestMistakes(text: String, message: String) {
    #expect(found(text) == [message])
  }

  @Test(
    "A wrong type or value of an entry's key has its own message",
    arguments: [
      (
        "5",
        "an entry is a command's name or an object, not a number | write \"Appearance\", or { \"command\": \"Appearance\" }"
      ),
      (
        "null",
        "an entry is a command's name or an object, not null | write \"Appearance\", or { \"command\": \"Appearance\" }"
      ),
      (#""""#, "\"command\" must not be empty"),
      (#""Plian""#, "unknown command \"Plian\" | did you mean \"Plain\"?"),
      (
        #""Zzzzzzzz""#,
        "unknown command \"Zzzzzzzz\" | the commands are Plain, Other | for a stock command, import "
          + "AppBootCommands, and call registry.register(StockCommands.all)"
      ),
      (
        "{}",
        "an entry needs \"command\" | add \"command\", a string: The name of the command. A shell command is written as run."
      ),
      (#"{"command":""}"#, "\"command\" must not be empty"),
      (#"{"command":1}"#, "\"command\" must be a string, not a number | write \"1\""),
      (#"{"command":"Plain","id":""}"#, "\"id\" must not be empty"),
      (#"{"command":"Plain","id":null}"#, "\"id\" must be a string, not null"),
      (#"{"command":"Plain","with":null}"#, "\"with\" must be an object of parameters, not null"),
      (
        #"{"command":"Plain","after":null}"#,
        "\"after\" must be an id or a list of ids, not null | write [] for an entry that waits for nothing"
      ),
      (#"{"command":"Plain","after":[1]}"#, "\"after[0]\" must be a string, not a number | write \"1\""),
      (
        #"{"command":"Plain","timeout":"-1s"}"#,
        "\"timeout\" is not a duration: \"-1s\" is negative | a duration cannot be negative; write it without the minus sign"
      ),
      (
        #"{"command":"Plain","budget":true}"#,
        "\"budget\" must be a duration such as \"250ms\", not true or false"
      ),
      (
        #"{"command":"Plain","retry":0}"#,
        "\"retry\" must be a whole number from 1 to 1000, not 0"
      ),
      (
        #"{"command":"Plain","retry":true}"#,
        "\"retry\" must be a whole number from 1 to 1000, or an object, not true or false"
      ),
      (
        #"{"command":"Plain","retry":{}}"#,
        "\"retry\" needs \"attempts\" | add \"attempts\", a whole number from 1 to 1000: The total number of attempts."
      ),
      (
        #"{"command":"Plain","retry":{"attempts":0}}"#,
        "\"retry.attempts\" must be a whole number from 1 to 1000, not 0"
      ),
      (
        #"{"command":"Plain","retry":{"attempts":1001}}"#,
        "\"retry.attempts\" must be a whole number from 1 to 1000, not 1001"
      ),
      (
        #"{"command":"Plain","retry":{"attempts":"3"}}"#,
        "\"retry.attempts\" must be a whole number from 1 to 1000, not a string | write 3"
      ),
      (
        #"{"command":"Plain","retry":{"attempts":1,"backof":"1s"}}"#,
        "unknown key \"backof\" in \"retry\" | did you mean \"backoff\"? | its keys are attempts, backoff, maxBackoff; "
          + "custom keys begin with \"x-\""
      ),
      (
        #"{"command":"Plain","onFailure":"halt"}"#,
        "\"onFailure\" cannot be \"halt\" | did you mean \"stop\"? | it is one of \"stop\", \"continue\", \"keepGoing\", \"skipDependents\", \"rollback\""
      ),
      (
        #"{"command":"Plain","onFailure":false}"#,
        "\"onFailure\" must be one of \"stop\", \"continue\", \"keepGoing\", \"skipDependents\", \"rollback\", not true or false"
      ),
      (#"{"command":"Plain","comment":1}"#, "\"comment\" must be a string, not a number | write \"1\""),
      (
        #"{"command":"Plain","afetr":[]}"#,
        "unknown key \"afetr\" in an entry | did you mean \"after\"? | its keys are command, id, with, after, when, unless, environment, "
          + "timeout, retry, onFailure, budget, comment; custom keys begin with \"x-\""
      ),
    ])
  func entryMistakes(entry: String, message: String) {
    let found = found("{\"commands\":[\(entry)]}")
    #expect(found.count == 1)
    #expect(found.first?.drop { $0 != " " }.dropFirst() == message[...])
  }

  @Test("An entry without a command is still checked, and other entries may name its id")
  func withoutCommand() {
    #expect(
      found(#"{ "commands": [{ "id": "a", "timeout": 5 }, { "command": "Plain", "after": ["a"] }] }"#) == [
        "1:16: an entry needs \"command\" | add \"command\", a string: The name of the command. A shell command is written as run.",
        "1:40: \"timeout\" must be a duration such as \"250ms\", not a number | write \"5s\" or \"5ms\"",
      ])
  }

  @Test("An id is unique in its list of entries, and other lists may use it again")
  func duplicateIDs() {
    #expect(
      found(
        #"""
        { "commands": ["Plain", "Other", { "command": "Other", "id": "Plain" }, "Plain",
          { "command": "Other", "id": "c", "after": ["Plain", "nothing"] }],
          "on": { "openURL": ["Plain"] } }
        """#) == [
          "1:62: two entries have the id \"Plain\" | give one of them an \"id\" of its own @ 1:16: the first one",
          "1:73: two entries have the id \"Plain\" | give one of them an \"id\" of its own @ 1:16: the first one",
          "2:55: no entry has the id \"nothing\" | the ids here are Plain, Other, c",
        ])
  }

  @Test("Ids are compared by canonical equivalence")
  func equivalentIDs() {
    // U+00E9 is equivalent to e and U+0301; U+212A, the Kelvin sign, is equivalent to K.
    let (composed, decomposed, kelvin) = ("Caf\u{E9}", "Cafe\u{301}", "\u{212A}")
    let first = #"{ "command": "Plain", "id": "\#(composed)" }"#
    let doubled = found(#"{ "commands": [\#(first), { "command": "Plain", "id": "\#(decomposed)" }] }"#)
    #expect(doubled.map { $0.contains("two entries have the id") } == [true])
    let after = #"{ "command": "Plain", "id": "b", "after": ["\#(decomposed)"] }"#
    #expect(found(#"{ "commands": [\#(first), \#(after)] }"#).isEmpty)
    let plain = #"{ "command": "Plain", "id": "K" }, { "command": "Other", "after": ["\#(kelvin)"] }"#
    #expect(found(#"{ "commands": [\#(plain)] }"#).isEmpty)
    let twice = #"{ "command": "Plain", "id": "d", "after": ["\#(composed)", "\#(decomposed)"] }"#
    #expect(found(#"{ "commands": [\#(first), \#(twice)] }"#).map { $0.contains("twice") } == [true])
  }

  @Test("The error for an unknown id suggests the closest id of the same list")
  func unknownIDs() {
    #expect(
      found(
        #"""
        { "commands": ["Plain", { "command": "Other", "after": ["Plan", "Other2"] }],
          "on": { "openURL": [{ "command": "Plain", "id": "x", "after": ["Other"] }] } }
        """#) == [
          "1:57: no entry has the id \"Plan\" | did you mean \"Plain\"?",
          "1:65: no entry has the id \"Other2\" | did you mean \"Other\"?",
          "2:66: no entry has the id \"Other\" | the ids here are x",
        ])
  }

  @Test("An `after` of any length may name an id only once")
  func duplicateReferences() {
    #expect(
      found(#"{ "commands": ["Plain", { "command": "Other", "after": ["Plain", "Plain"] }] }"#) == [
        "1:66: \"after\" names \"Plain\" twice @ 1:57: the first time"
      ])
    // One id is spelled with an escape. A composed and a decomposed é are the same id.
    for list in [#""a", "b", "a""#, #""b", "a", "a""#, #""a", "b", "\u0062""#, #""\u00e9", "a", "e\u0301""#] {
      let problems = found("{ \"commands\": [{ \"command\": \"Plain\", \"after\": [\(list)] }] }")
      #expect(problems.count { $0.contains("\" twice @ ") } == 1, "\(list)")
    }
    let ids = (0..<100).map { "\"s\($0)\"" }
    let steps = ids.map { "{ \"command\": \"Plain\", \"id\": \($0) }" }.joined(separator: ", ")
    let all = (ids + ["\"s99\""]).joined(separator: ", ")
    let doubled = found(
      "{ \"commands\": [\(steps), { \"command\": \"Other\", \"after\": [\(all)] }] }")
    #expect(doubled.count == 1)
    #expect(doubled.first?.contains("\"after\" names \"s99\" twice") == true)
  }

  @Test("Each id is found among thousands of different and similar ids", arguments: ["", "é"])
  func manyKnown(mark: String) throws {
    let numbers = (0..<2_000).map { "s\($0)" }
    let reversed = (0..<2_000).map { "\($0)-step" }
    let alike = (UInt8(ascii: "0")...UInt8(ascii: "z")).filter { $0 != UInt8(ascii: "\\") }
      .map { "same" + String(decoding: [$0], as: UTF8.self) }
    let ids = (numbers + reversed + alike).map { $0 + mark }
    let entries = ids.indices.map { index in
      let after = [ids[(index * 7 + 3) % ids.count], ids[max(0, index - 1)]].filter { $0 > ids[index] }
      let list = Set(after).sorted().map { "\"\($0)\"" }.joined(separator: ",")
      return "{\"command\":\"Plain\",\"id\":\"\(ids[index])\",\"after\":[\(list)]}"
    }
    let plan = try self.plan("{\"commands\":[\(entries.joined(separator: ",\n"))]}", registry)
    for (index, id) in ids.enumerated() {
      let after = Set([ids[(index * 7 + 3) % ids.count], ids[max(0, index - 1)]].filter { $0 > id })
      #expect(Set(plan.outline.predecessors(of: index).map { plan[$0].id }) == after)
    }
  }

  @Test("Of 2,000 unknown ids the first 100 are shown, and the others are counted")
  func manyUnknown() {
    let steps = (0..<2_000).map { "{ \"command\": \"Plain\", \"id\": \"s\($0)\", \"after\": [\"t\($0)\"] }" }
    let text = "{ \"commands\": [\(steps.joined(separator: ",\n"))] }"
    let problems = found(text)
    #expect(problems.count == 101)
    #expect(problems.first?.contains("no entry has the id \"t0\" | did you mean \"s0\"?") == true)
    #expect(problems.last?.hasSuffix("and 1900 more problems") == true)
  }

  @Test("The keys of `on` are the standard events and those that the app declares")
  func events() throws {
    var registry = registry
    registry.declare(EventName("syncDidEnd"))
    registry.declare(EventName("openURL"))
    let text = #"{ "commands": [], "on": { "syncDidEnd": ["Plain"], "openURL": [] } }"#
    let plan = try self.plan(text, registry)
    #expect(plan.events["syncDidEnd"]?.count == 1)
    #expect(plan.events["openURL"]?.isEmpty == true)
    let names = problems(
      in: #"{ "commands": [], "on": { "syncDidEnt": [], "didFinishLaunching": [], "openUrl": ["Plian"] } }"#,
      registry)
    #expect(names.count == 4)
    #expect(
      names[0].hasPrefix(
        "1:27: unknown event \"syncDidEnt\" | did you mean \"syncDidEnd\"? | the events are "))
    #expect(!names[0].contains("didFinishLaunching"))
    #expect(names[1] == "1:45: the handlers of didFinishLaunching are \"commands\" | move the entries there")
    #expect(names[2].hasPrefix("1:71: unknown event \"openUrl\" | did you mean \"openURL\"?"))
    #expect(names[3] == "1:83: unknown command \"Plian\" | did you mean \"Plain\"?")
  }
}
