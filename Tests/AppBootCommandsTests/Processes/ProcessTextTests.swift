import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("The placeholders of processes", .ownThread)
struct ProcessTextTests {
  private func launch(_ entries: String...) -> TestLaunch {
    TestLaunch("[\n" + entries.joined(separator: ",\n") + "\n]")
  }

  private func lines(_ launch: TestLaunch) throws -> [String] {
    let log = LineLog()
    let record = try launch.run([log])
    #expect(record.succeeded, "\(record.failures.map { $0.state.failure?.message ?? "" })")
    return log.lines
  }

  @Test("A step inserts the standard output of an earlier step, without its final newline")
  func output() throws {
    let found = try lines(
      launch(
        Entry.shell("printf 'one\\n two\\n\\n'; echo no >&2", id: "a.b"), Entry.shell("true", id: "other"),
        Entry.program(
          ["printf", "%s|", "<{step.a.b.output}>", "{step.other.output}", "{x}", "{step"], id: "c")))
    #expect(found.suffix(3) == ["<one", " two", ">||{x}|{step|"])
  }

  @Test(
    "A placeholder without a name or a closing brace is an error with its place",
    arguments: ["{env.", "a {env.HOME/x", "{env.}", "{env.HOME\n}"])
  func malformed(text: String) throws {
    let problems = try launch(Entry.program(["echo", text], id: "a")).problems()
    #expect(problems.count == 1)
    #expect(
      problems[0].hasSuffix(" is not a placeholder: write {env.NAME} for the value of a variable"),
      "\(problems)")
  }

  @Test(
    "Code with braces is not a placeholder",
    arguments: ["{env.x = 1\n}", "{ env.x }", "f() {env.run()\n}"])
  func code(text: String) throws {
    _ = try launch(Entry.program(["echo", text], id: "a")).plan()
  }

  @Test("Doubled braces make a placeholder literal, also if it has no value")
  func literal() throws {
    let texts = [
      "{{env.HOME}}", "{{step.no.output}}-{{launch.x}}", "{{env.no}", "{{x}}", "a{{launch.reason}}b",
    ]
    var launch = launch(Entry.program(["printf", "%s\n"] + texts, id: "a"))
    launch.environment = ["no": "1", "PATH": ProcessEnvironment.value(of: "PATH") ?? "/bin"]
    let log = LineLog()
    #expect(try launch.run([log]).succeeded)
    #expect(log.lines == ["{env.HOME}", "{step.no.output}-{launch.x}", "{1", "{{x}}", "a{launch.reason}b"])
  }

  @Test("The error of an unset variable suggests a variable that is set")
  func suggestion() throws {
    let record = try launch(Entry.program(["echo", "{env.HOMEE}"], id: "a")).run()
    #expect(
      record.failures.first?.state.failure?.message
        == "the placeholder {env.HOMEE} has no value: the environment variable HOMEE is not set; "
        + "did you mean {env.HOME}?")
  }

  @Test("A placeholder is replaced in the directory and in the variables too")
  func places() throws {
    let with = #""directory": "{step.a.output}", "environment": { "X": "{step.a.output}:{env.HOME}" }"#
    let found = try lines(
      launch(Entry.shell("echo /tmp", id: "a"), Entry.shell("pwd; echo $X", id: "b", with: with)))
    #expect(found.last == "/tmp:\(ProcessEnvironment.value(of: "HOME") ?? "")")
    #expect(found.count == 3)
  }

  @Test("The launch's id, reason and URL are inserted")
  func launchValues() throws {
    var launch = launch(
      Entry.program(["printf", "%s\n", "{launch.id}", "{launch.reason}", "{launch.url}."], id: "a"))
    launch.options = LaunchOptions(reason: .url, url: "x://y")
    let log = LineLog()
    let record = try launch.run([log])
    let start = record.startedAt.filter { $0 != "-" && $0 != ":" }
    #expect(log.lines == ["\(start)-\(Host.processIdentifier)", "url", "x://y."])
  }

  @Test("A placeholder has no value if the output is too long or its step did not succeed")
  func noValue() throws {
    func message(_ script: String, _ members: String = "") throws -> String? {
      try launch(Entry.shell(script, id: "a", members), Entry.program(["echo", "{step.a.output}"], id: "b"))
        .run()[1].state.failure?
        .message
    }
    let missing =
      #"{step.a.output} has no value: "a" did not succeed, was skipped, or printed more than 64 KiB"#
    #expect(try message("head -c 65536 /dev/zero | tr '\\0' x") == nil)
    #expect(try message("head -c 65537 /dev/zero | tr '\\0' x") == missing)
    #expect(try message("echo x; exit 1", #""onFailure": "continue""#) == missing)
    #expect(try message("echo x", #""when": { "platform": "tvos" }"#) == missing)
    #expect(
      try message("printf 'a\\000b'")
        == #"{step.a.output} cannot be inserted: the output of "a" has a zero byte"#)
  }

  @Test("The output of the attempt that succeeded is inserted")
  func retry() throws {
    let directory = try TemporaryDirectory()
    let script =
      "echo x >> '\(directory.file("n"))'; wc -l < '\(directory.file("n"))'; test $(wc -l < '\(directory.file("n"))') -gt 1"
    let found = try lines(
      launch(
        Entry.shell(script, id: "a", #""retry": { "attempts": 3, "backoff": "1ms" }"#),
        Entry.program(["echo", "n={step.a.output}"], id: "b")))
    #expect(found.last?.hasPrefix("n=") == true && found.last?.hasSuffix("2") == true)
  }

  @Test("An event handler inserts the output of a step of the launch")
  func handlers() throws {
    var launch = launch(Entry.shell("echo x", id: "a"))
    launch.members = #""on": { "openURL": [\#(Entry.program(["echo", "{step.a.output}"], id: "b"))] }, "#
    #expect(try launch.problems().isEmpty)
    launch.members = #""on": { "openURL": [\#(Entry.program(["echo", "{step.c.output}"], id: "b"))] }, "#
    #expect(try launch.problems() == [#""arguments[1]": no entry has the id "c""#])
  }

  @Test("An event handler inserts the output of its own step for this event, if it has a step of that id")
  func ownHandlers() throws {
    var launch = launch(Entry.shell("echo launch", id: "a"))
    let own = Entry.shell("echo own; test '{launch.url}' = x://good", id: "a", #""onFailure": "continue""#)
    let use = Entry.program(["echo", "{step.a.output}"], id: "b")
    launch.members = #""on": { "openURL": [\#(own), \#(use)], "didBecomeActive": [\#(use)] }, "#
    let host = LifecycleHost(try launch.plan())
    func step(after event: LifecycleEvent) -> LaunchRecord.Element? {
      let outcome = Lock<LifecycleOutcome?>(nil)
      host.receive(event) { done in outcome.withLock { $0 = done } }
      return outcome.withLock(\.self)?.record?.last
    }
    _ = step(after: .didFinishLaunching(LaunchOptions()))
    #expect(step(after: .openURL("x://good"))?.details.lastOutput == "own")
    #expect(step(after: .didBecomeActive)?.details.lastOutput == "launch")
    #expect(
      step(after: .openURL("x://bad"))?.state.failure?.message
        == #"{step.a.output} has no value: "a" did not succeed, was skipped, or printed more than 64 KiB"#)
  }

  @Test("A reference that cannot have a value is an error before the launch, at its place")
  func mistakes() throws {
    func problem(_ entries: String...) throws -> String? {
      do {
        _ = try TestLaunch("[\n" + entries.joined(separator: ",\n") + "\n]").plan()
        return nil
      } catch let error as PlanError {
        #expect(error.mistakes.count == 1)
        return error.mistakes.first.map { "\($0.line): \($0.message)" + $0.help.map { " | \($0)" }.joined() }
      }
    }
    let use = Entry.program(["echo", "{step.a.output}"], id: "b")
    #expect(
      try problem(use, Entry.shell("true", id: "a"))
        == #"2: "arguments[1]": {step.a.output} has no value before "a" ends | run "b" after "a""#)
    #expect(
      try problem(
        Entry.shell("true", id: "a"), Entry.program(["echo", "{step.a.output}"], id: "b", #""after": []"#))?
        .hasPrefix("3: ") == true)
    #expect(
      try problem(Entry.program(["echo", "{step.a.output}"], id: "a"))
        == #"2: "arguments[1]": a step cannot insert its own output"#)
    #expect(
      try problem(Entry.shell("true", id: "ab"), use)?.hasPrefix(
        #"3: "arguments[1]": no entry has the id "a""#) == true
    )
    #expect(
      try problem(#"{ "command": "WaitFor", "id": "a", "with": { "file": "x" } }"#, use)
        == #"3: "arguments[1]": "a" is a WaitFor, which has no output to insert"#)
    #expect(
      try problem(Entry.program(["echo", "{step.a.outptu}"], id: "b"))
        == #"2: "arguments[1]": unknown placeholder {step.a.outptu}: write {step.ID.output} for the output of a step"#
    )
    #expect(
      try problem(Entry.program(["echo", "{launch.pid}"], id: "b"))?.contains(
        "unknown placeholder {launch.pid}: ")
        == true)
  }

  @Test("A probe's program inserts outputs, and a reference to a later step is an error")
  func probes() throws {
    let directory = try TemporaryDirectory()
    try directory.write("up", "")
    let wait =
      #"{ "command": "WaitFor", "timeout": "1m", "with": { "command": ["test", "-e", "{step.a.output}"] } }"#
    #expect(try launch(Entry.shell("echo \(directory.file("up"))", id: "a"), wait).run().succeeded)
    #expect(try launch(wait, Entry.shell("echo x", id: "a")).problems().count == 1)
  }

  @Test("Output that no step inserts is neither stored nor recorded")
  func notInserted() throws {
    let record = try launch(Entry.shell("echo x", id: "a")).run()
    #expect(record[0].details.provides.isEmpty)
  }
}
