import AppBoot
import Testing

@Suite("Help for words of other tools")
struct SynonymTests {
  private struct RunProcess: Command {
    @Parameter("The arguments.") var arguments: [String]
    @Parameter("The directory.") var directory: String?
    @Parameter("The environment.") var environment: [String: String] = [:]
    static let name = "RunProcess"
    func execute(in context: LaunchContext) {}
  }

  private struct Waiting: Command {
    @Parameter("The address.") var tcp: String?
    @Parameter("The URL.") var http: String?
    func execute(in context: LaunchContext) {}
  }

  private func found(_ entry: String) -> [String] {
    problems(
      in: "{ \"commands\": [\n\(entry)\n] }", CommandRegistry(RunProcess.self, Plain.self, Waiting.self))
  }

  @Test("The help for the name of a command's type is its name without the suffix")
  func suffix() {
    #expect(found(#""PlainCommand""#) == ["2:1: unknown command \"PlainCommand\" | did you mean \"Plain\"?"])
  }

  @Test(
    "A key of another tool has its name here in the help",
    arguments: [
      ("needs", "after"), ("dependsOn", "after"), ("depends_on", "after"), ("if", "when"),
      ("note", "comment"),
      ("params", "with"), ("name", "id"), ("retries", "retry"),
    ])
  func entries(word: String, key: String) {
    #expect(
      found(#"{ "command": "Plain", "\#(word)": 1 }"#) == [
        "2:23: unknown key \"\(word)\" in an entry | did you mean \"\(key)\"? | its keys are command, id, with, "
          + "after, when, unless, environment, timeout, retry, onFailure, budget, comment; "
          + "custom keys begin with \"x-\""
      ])
  }

  @Test(
    "The help for a condition's key from another tool suggests the probe",
    arguments: [("port", "tcp"), ("host", "tcp"), ("url", "http")])
  func probes(word: String, key: String) {
    #expect(
      found(#"{ "command": "Waiting", "with": { "\#(word)": "db:5432" } }"#) == [
        "2:35: unknown key \"\(word)\" in Waiting | did you mean \"\(key)\"? | its keys are tcp, http; "
          + "custom keys begin with \"x-\""
      ])
  }

  @Test(
    "A key that runs a program in another tool has the command's name in the help",
    arguments: ["cmd", "exec", "MigrateStore"])
  func programs(word: String) {
    let help =
      #"a shell command is written as "run": "…" "#
      + #"| a program without a shell: "command": "RunProcess", "with": { "arguments": [ … ] }"#
    #expect(
      found(#"{ "command": "Plain", "\#(word)": "x" }"#) == [
        "2:23: unknown key \"\(word)\" in an entry | \(help)"
      ])
    #expect(
      found(#"{ "command": "\#(word)" }"#) == [
        "2:14: unknown command \"\(word)\" | did you mean \"RunProcess\"?"
      ])
  }

  @Test("A key of a retry, a condition or a parameter has its name here in the help")
  func others() {
    #expect(
      found(#"{ "command": "Plain", "retry": { "attempts": 2, "delay": "1s" } }"#) == [
        "2:49: unknown key \"delay\" in \"retry\" | did you mean \"backoff\"? | its keys are attempts, backoff, "
          + "maxBackoff; custom keys begin with \"x-\""
      ])
    #expect(
      found(#"{ "command": "Plain", "when": { "os": "linux" } }"#) == [
        "2:33: unknown key \"os\" in a condition | did you mean \"platform\"? | its keys are platform, environment, "
          + "launch, firstLaunch, all, any, not; custom keys begin with \"x-\""
      ])
    #expect(
      found(#"{ "command": "RunProcess", "with": { "arguments": [], "env": {}, "cwd": "a" } }"#) == [
        "2:55: unknown key \"env\" in RunProcess | did you mean \"environment\"? | its keys are arguments, directory, "
          + "environment; custom keys begin with \"x-\"",
        "2:66: unknown key \"cwd\" in RunProcess | did you mean \"directory\"? | its keys are arguments, directory, "
          + "environment; custom keys begin with \"x-\"",
      ])
  }

  @Test("A key of the entry inside \"with\" belongs beside it")
  func misplaced() {
    #expect(
      found(#"{ "command": "RunProcess", "with": { "arguments": [], "timeout": "5s" } }"#) == [
        "2:55: \"timeout\" is not a parameter of RunProcess | it belongs to the entry: write it beside \"with\""
      ])
  }

  @Test("The help for the key \"command\" inside \"with\" suggests \"arguments\"")
  func commandInside() {
    #expect(
      found(#"{ "command": "RunProcess", "with": { "arguments": [], "command": "ls" } }"#) == [
        "2:55: unknown key \"command\" in RunProcess | did you mean \"arguments\"? | its keys are arguments, "
          + "directory, environment; custom keys begin with \"x-\""
      ])
  }

  @Test(
    "The help for a parameter outside \"with\" says to write it inside",
    arguments: ["directory", "arguments"])
  func parameter(key: String) {
    #expect(
      found(#"{ "command": "RunProcess", "with": { "arguments": [] }, "\#(key)": "a" }"#).first?.contains(
        #" in an entry | a parameter of the command is written inside "with" | its keys are"#) == true)
  }

  @Test("A number in place of a duration needs a unit", arguments: ["timeout", "budget"])
  func units(key: String) {
    let place = 2 + key.utf8.count + 24
    #expect(
      found(#"{ "command": "Plain", "\#(key)": 5 }"#) == [
        "2:\(place + 1): \"\(key)\" must be a duration such as \"250ms\", not a number | write \"5s\" or \"5ms\""
      ])
    #expect(
      found(#"{ "command": "Plain", "\#(key)": "5" }"#) == [
        "2:\(place + 1): \"\(key)\" is not a duration: \"5\" has no unit | write \"5s\" or \"5ms\"; the units are h, m, "
          + "s, ms, us, ns"
      ])
  }
}
