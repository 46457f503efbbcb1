import AppBoot
import AppBootSchema
import Testing

@testable import AppBootCommands

@Suite("Short forms in a manifest")
struct ShortFormTests {
  private let registry: CommandRegistry = {
    var registry = CommandRegistry()
    registry.register(StockCommands.all)
    return registry
  }()

  private func plan(_ entries: String) throws -> LaunchPlan {
    let source = SourceText(name: "commands.json", text: "{ \"commands\": [\(entries)] }")
    return try StartupCommandsBuilder(manifest: Manifest(parsing: source), registry: registry).build()
  }

  private func problems(_ entry: String) throws -> [String] {
    let source = SourceText(name: "commands.json", text: "{ \"commands\": [\(entry)] }")
    let found = StartupCommandsBuilder(manifest: try Manifest(parsing: source), registry: registry).problems()
    return found.shown.map { ([$0.message] + $0.help).joined(separator: " | ") }
  }

  private func command<Wanted: Command>(_ entry: String, as type: Wanted.Type) throws -> Wanted {
    try #require(plan(entry).commands.first as? Wanted)
  }

  @Test("An entry with run starts the machine's shell")
  func run() throws {
    let process = try command(#"{ "run": "npm ci && npm test" }"#, as: RunProcess.self)
    #expect(process.arguments == ["sh", "-c", "npm ci && npm test"])
  }

  @Test(
    "The id of an entry with run is the beginning of its command",
    arguments: [
      ("npm ci", "npm ci"), ("  make\\nmake test", "make"),
      ("docker compose up --detach --wait database", "docker compose up --detach"),
      ("./a-script-with-a-long-name-for-migrations now", "./a-script-with-a-long-name-for-"),
    ])
  func id(script: String, id: String) throws {
    #expect(try plan(#"{ "run": "\#(script)" }"#).outline[0].id == id)
    #expect(try plan(#"{ "id": "own", "run": "\#(script)" }"#).outline[0].id == "own")
    #expect(try plan(#"{ "run": "\#(script)", "id": "own" }"#).outline[0].id == "own")
  }

  @Test(
    "A shell command contains no placeholder, because a value could be code",
    arguments: [
      ("{env.HOME}", "{env.", "write \"$NAME\", which the shell expands"),
      ("{{env.HOME}", "{env.", "write \"$NAME\", which the shell expands"),
      ("{env.", "{env.", "write \"$NAME\", which the shell expands"),
      (
        "{step.tag.output}", "{step.",
        #"pass it as a variable: "command": "RunProcess", "with": { "environment": "#
          + #"{ "VALUE": "{step.…}" }, "arguments": ["sh", "-c", "… $VALUE …"] }"#
      ),
    ])
  func placeholder(text: String, opening: String, help: String) throws {
    #expect(
      try problems(#"{ "run": "echo \#(text)" }"#) == [
        "\"run\" must not contain \(opening)…}: the shell would run a value as code | \(help)"
      ])
    #expect(try problems(#"{ "run": "awk '{print $1}' ${HOME}/x" }"#).isEmpty)
  }

  @Test(
    "A shell command can contain a literal placeholder, as each argument can",
    arguments: ["{{env.HOME}}", "{{{step.a.output}}}", "{{env.A}}{{launch.id}}"])
  func literalPlaceholder(text: String) throws {
    let process = try command(#"{ "run": "echo \#(text)" }"#, as: RunProcess.self)
    #expect(process.arguments == ["sh", "-c", "echo \(text)"])
  }

  @Test("An entry with run rejects command and with", arguments: ["command", "with"])
  func exclusive(key: String) throws {
    let value = key == "with" ? "{}" : "\"Say\""
    let found = try problems(#"{ "run": "true", "\#(key)": \#(value) }"#)
    #expect(
      found.count == 1 && found[0].hasPrefix("an entry cannot have both \"run\" and \"\(key)\" | remove one"))
  }

  @Test(
    "The error for another tool's key beside run shows AppBoot's key",
    arguments: [
      ("healthcheck", "\"ready\""), ("continue-on-error", "\"onFailure\": \"continue\""),
      ("port", "\"ports\""),
      ("restart", "\"RunService\""), ("parallel", "\"after\": []"),
    ])
  func foreignKeys(key: String, help: String) throws {
    let found = try problems(#"{ "run": "true", "\#(key)": true }"#)
    #expect(
      found.count == 1 && found[0].hasPrefix("unknown key \"\(key)\" in an entry | ")
        && found[0].contains(help))
  }

  @Test("The error for a list in place of a shell command shows RunProcess")
  func list() throws {
    let found = try problems(#"{ "run": ["npm", "ci"] }"#)
    #expect(found.count == 1 && found[0].contains("\"RunProcess\", \"with\": { \"arguments\""))
  }

  @Test("after accepts one id, and retry a number")
  func entryKeys() throws {
    let plan = try plan(#"{ "run": "a" }, { "run": "b" }, { "run": "c", "after": "a", "retry": 3 }"#)
    #expect(plan.outline.predecessors(of: 2).map { plan.outline[$0].id } == ["a"])
    #expect(plan[2].retry == RetryPolicy(attempts: 3))
  }

  @Test("A short form reads the same values as its object")
  func parameters() throws {
    let machine = try command(
      #"{ "command": "CheckEnvironment", "with": { "programs": ["git"], "variables": ["HOME"], "files": ["a"] } }"#,
      as: CheckEnvironment.self)
    #expect(machine.programs.map(\.name) == ["git"])
    #expect(machine.variables.map(\.name) == ["HOME"] && machine.files.map(\.path) == ["a"])
    let service = try command(
      #"""
      { "command": "RunService", "with": { "arguments": ["x"], "ready": "http://127.0.0.1:1/",
        "live": "http://127.0.0.1:2/", "restart": "always" } }
      """#, as: RunService.self)
    #expect(
      service.ready?.http?.url == "http://127.0.0.1:1/" && service.live?.http?.url == "http://127.0.0.1:2/")
    #expect(service.restart?.when == .always)
    let request = try command(
      #"{ "command": "HTTPRequest", "with": { "url": "http://127.0.0.1/", "expect": [200, 204] } }"#,
      as: SendHTTPRequest.self)
    #expect(request.expect.status?.values == [200, 204])
  }

  @Test("A mistake in a short form has the place of the value")
  func mistakes() throws {
    #expect(
      try problems(#"{ "command": "CheckEnvironment", "with": { "programs": ["", 3, []] } }"#) == [
        "\"programs[0].name\": name the program",
        "\"programs[1]\" must be a string, or an object, not a number | write \"3\"",
        "\"programs[2]\" must be a string, or an object, not an array",
      ])
  }

  @Test("The example of each stock command is valid", arguments: StockCommands.all.map { $0.name })
  func examples(name: String) throws {
    let example = try #require(registry[name]?.type.options.example)
    #expect(try problems(example).isEmpty)
  }

  @Test(
    "A variable in another tool's form is a warning",
    arguments: [
      ("$HOME/x", "write {env.HOME}, or use a shell with \"run\""), ("${TAG}", "write {env.TAG}"),
      ("~/bin/x", "write {env.HOME}/"), ("${{ env.X }}", "write {env.NAME}"),
      ("{steps.a.output}", "write {step.ID.output}"),
    ])
  func foreignVariables(text: String, help: String) throws {
    let entry = #"{ "command": "RunProcess", "with": { "arguments": ["./deploy.sh", "\#(text)"] } }"#
    let found = try problems(entry)
    #expect(
      found.count == 1 && found[0].contains("without expanding it") && found[0].contains(help), "\(found)")
  }

  @Test(
    "An argument that only resembles a variable is not a warning",
    arguments: [
      #"["awk", "{print $NF}"]"#, #"["sed", "s/x$/y/"]"#, #"["echo", "$x", "a$B", "{steps}", "x~/y"]"#,
      #"["echo", "{env.HOME}/x"]"#, #"["perl", "-e", "print $ENV{HOME}"]"#, #"["/bin/sh", "-c", "$HOME/x"]"#,
      #"["docker", "exec", "web", "sh", "-c", "echo $PATH"]"#, #"["grep", "^FOO$BAR", "a"]"#,
    ])
  func ordinaryArguments(text: String) throws {
    #expect(
      try problems(#"{ "command": "RunProcess", "with": { "arguments": \#(text) } }"#).isEmpty)
  }

  @Test("A shell builtin as the program is an error")
  func builtins() throws {
    #expect(
      try problems(#"{ "command": "RunProcess", "with": { "arguments": ["cd", "web"] } }"#) == [
        "\"arguments[0]\" must be a program, not the shell's cd: use \"directory\""
      ])
  }
}
