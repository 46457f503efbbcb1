import AppBoot
import AppBootCommands
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@Suite("The undo of a process", .ownThread)
struct UndoProcessTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// The JSON of a step with a shell's script, and the script that undoes it.
  private func step(_ id: String, _ script: String, undo: String? = nil, _ more: String = "") -> String {
    let undo = undo.map { #""undo": { "arguments": ["sh", "-c", \#(Entry.json($0))] }"# } ?? ""
    return Entry.shell(script, id: id, more, with: undo)
  }

  private let failing =
    #"{ "command": "RunProcess", "id": "fail", "onFailure": "rollback", "with": { "arguments": ["false"] } }"#

  private func launch(_ steps: [String]) -> TestLaunch {
    var launch = TestLaunch("[ \(steps.joined(separator: ", ")) ]")
    launch.directory = directory.path
    return launch
  }

  private func undo(_ id: String, in record: LaunchRecord) -> StepAttempt? { record[id]?.details.undo }

  @Test("Processes are undone in the reverse order of their ends, and the launch's output includes theirs")
  func order() throws {
    let log = LineLog()
    let steps = [
      step("a", "true", undo: "echo undo of a"), step("b", "true"), step("c", "true", undo: "echo undo of c"),
      failing,
    ]
    let record = try launch(steps).run([log])
    #expect(log.lines == ["undo of c", "undo of a"])
    #expect(undo("a", in: record)?.failure == nil && undo("a", in: record)?.endTime != nil)
    #expect(undo("b", in: record) == nil)
    #expect(record.outcome == .failed(step: 3))
  }

  @Test("The record has the process and the command line of an undo beside those of the step")
  func commandLine() throws {
    let record = try launch([step("a", "true", undo: "false || true"), failing]).run()
    #expect(record["a"]?.details.commandLine == "sh -c true")
    #expect(undo("a", in: record)?.commandLine == "sh -c 'false || true'")
    #expect(undo("a", in: record)?.pid != nil && undo("a", in: record)?.pid != record["a"]?.details.pid)
    #expect(record["a"]?.details.note == "exit 0")
  }

  @Test("An undo that fails has the message of a process that fails, and the other steps are undone")
  func failure() throws {
    let log = LineLog()
    let steps = [
      step("a", "true", undo: "echo undo of a"), step("b", "true", undo: "echo in use; exit 3"), failing,
    ]
    let record = try launch(steps).run([log])
    #expect(
      undo("b", in: record)?.failure?.message
        == "\"sh\" exited with code 3, expected 0, after this output:\n  in use")
    #expect(log.lines == ["in use", "undo of a"])
    #expect(record["b"]?.state == .succeeded)
  }

  @Test("The exit codes that a step expects do not apply to its undo")
  func exitCodes() throws {
    let a = #"""
      { "command": "RunProcess", "id": "a",
        "with": { "arguments": ["false"], "expect": [1], "undo": { "arguments": ["true"] } } }
      """#
    let record = try launch([a, failing]).run()
    #expect(undo("a", in: record)?.failure == nil && undo("a", in: record)?.endTime != nil)
  }

  @Test("An undo of a program that does not exist fails, and names the program")
  func missingProgram() throws {
    let a = #"""
      { "command": "RunProcess", "id": "a",
        "with": { "arguments": ["true"], "undo": { "arguments": ["no-such-program"] } } }
      """#
    let message = try undo("a", in: launch([a, failing]).run())?.failure?.message
    #expect(message?.hasPrefix(#"there is no program "no-such-program" in PATH"#) == true)
  }

  @Test(
    "The undo of a step that did not succeed does not run",
    arguments: [
      (#""unless": { "command": ["true"] }"#, "true"), (#""onFailure": "continue""#, "exit 1"),
    ])
  func noSuccess(more: String, script: String) throws {
    let log = LineLog()
    let record = try launch([step("a", script, undo: "echo undo", more), failing]).run([log])
    #expect(log.lines == [])
    #expect(undo("a", in: record) == nil)
  }

  @Test("A launch that succeeds undoes nothing")
  func success() throws {
    let log = LineLog()
    let last = step("last", "true", #""onFailure": "rollback""#)
    #expect(try launch([step("a", "true", undo: "echo undo"), last]).run([log]).succeeded)
    #expect(log.lines == [])
  }

  @Test("An undo has the environment and the directory of its step")
  func surroundings() throws {
    try FileSystem.createDirectory(directory.file("inner"))
    let a = #"""
      { "command": "RunProcess", "id": "a", "with": {
          "arguments": ["true"], "directory": "inner", "environment": { "NAME": "shop" },
          "undo": { "arguments": ["sh", "-c", "echo $APPBOOT_STEP $NAME $(basename $PWD)"] } } }
      """#
    let log = LineLog()
    try launch([a, failing]).run([log])
    #expect(log.lines == ["a shop inner"])
  }

  @Test("An undo can insert variables, the output of earlier steps, and that of its own step")
  func placeholders() throws {
    let undo = "printf 'undo of {step.a.output} and {step.b.output} {env.NAME}\\n'"
    var launch = launch([step("a", "echo one"), step("b", "echo two", undo: undo), failing])
    launch.environment = ["PATH": "/usr/bin:/bin", "NAME": "shop"]
    let log = LineLog()
    try launch.run([log])
    #expect(log.lines == ["one", "two", "undo of one and two shop"])
  }

  @Test("An undo cannot insert the output of a later step, and a step cannot insert its own")
  func laterOutput() throws {
    let steps = [step("a", "true", undo: "echo {step.b.output}"), step("b", "true"), failing]
    #expect(
      try launch(steps).problems()
        == [#""undo.arguments[2]": {step.b.output} has no value before "b" ends"#])
    #expect(
      try launch([step("a", "echo {step.a.output}")]).problems()
        == [#""arguments[2]": a step cannot insert its own output"#])
  }

  @Test(
    "A mistake in an undo is an error at its place",
    arguments: [
      ("{}", #""undo" needs "arguments""#), (#"{ "arguments": [] }"#, #""undo.arguments": name the program"#),
      (#"{ "arguments": ["a", "{launch.no}"] }"#, #""undo.arguments[1]": unknown placeholder {launch.no}"#),
    ])
  func mistakes(undo: String, problem: String) throws {
    let a = #"{ "command": "RunProcess", "with": { "arguments": ["true"], "undo": \#(undo) } }"#
    let problems = try launch([a]).problems()
    #expect(problems.count == 1 && problems.first?.hasPrefix(problem) == true, "\(problems)")
  }

  @Test("The output and the command line of an undo show no secrets")
  func secrets() throws {
    var launch = launch([step("a", "true", undo: "echo {env.TOKEN}; exit 1"), failing])
    launch.members = #""secrets": ["TOKEN"], "#
    launch.environment = ["PATH": "/usr/bin:/bin", "TOKEN": "quite-secret"]
    let log = LineLog()
    let record = try launch.run([log])
    #expect(log.lines == ["***"])
    #expect(undo("a", in: record)?.commandLine == "sh -c 'echo ***; exit 1'")
    #expect(undo("a", in: record)?.failure?.message.hasSuffix("after this output:\n  ***") == true)
  }

  @Test("An undo that exceeds its step's timeout is stopped, and the steps before it are undone")
  func timeout() throws {
    // The first attempt may time out on a slow machine.
    let limits = #""timeout": "200ms", "retry": { "attempts": 1000, "backoff": "1us" }"#
    let steps = [
      step("a", "true", undo: "echo undo of a"),
      step("b", "true", undo: "trap 'echo stopped; exit' TERM; while :; do sleep 0.01; done", limits),
      failing,
    ]
    let log = LineLog()
    let record = try launch(steps).run([log])
    #expect(undo("b", in: record)?.failure?.message == "undo timed out after 200ms")
    #expect(log.lines.last == "undo of a")
  }

  @Test("A test of the command can undo it")
  func tester() async throws {
    let file = directory.file("created")
    let result = await CommandTester(RunProcess("touch", [file], undo: ["rm", file])).runAndUndo()
    #expect(result.failure == nil && result.step.details.undo?.failure == nil)
    #expect(!FileSystem.exists(file))
  }
}
