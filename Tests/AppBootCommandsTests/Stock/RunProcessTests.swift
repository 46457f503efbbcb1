import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("RunProcess", .ownThread)
struct RunProcessTests {
  private func launch(_ parameters: String) -> TestLaunch {
    TestLaunch(#"[ { "command": "RunProcess", "with": \#(parameters) } ]"#)
  }

  private func shell(_ script: String, _ more: String = "") -> TestLaunch {
    launch(#"{ "arguments": ["/bin/sh", "-c", \#(Entry.json(script))] \#(more) }"#)
  }

  private func failure(_ launch: TestLaunch) throws -> String {
    try launch.run().failures.first?.state.failure?.message ?? "no failure"
  }

  @Test("Exit code 0 succeeds and is reported")
  func success() throws {
    let log = LineLog()
    let record = try shell("exit 0").run([log])
    #expect(record.succeeded)
    #expect(record[0].details.note == "exit 0")
    #expect(log.lines == [])
  }

  @Test("Only the expected exit codes succeed")
  func expectedCodes() throws {
    #expect(try shell("exit 3", #", "expect": [1, 3]"#).run()[0].details.note == "exit 3")
    let message = try failure(shell("exit 0", #", "expect": [1, 3, 4]"#))
    #expect(message == #""/bin/sh" exited with code 0, expected 1, 3 or 4, and printed nothing"#)
  }

  @Test("A failure has the exit code and the output of both streams")
  func failureShowsOutput() throws {
    let message = try failure(shell("echo out; echo err >&2; printf last; exit 3"))
    let lines = message.split(separator: "\n")
    #expect(lines.first == "\"/bin/sh\" exited with code 3, expected 0, after this output:")
    // The streams are read independently.
    #expect(lines.dropFirst().sorted() == ["  err", "  last", "  out"])
  }

  @Test("A failure names the signal that killed the program")
  func signal() throws {
    #expect(try failure(shell("kill -SEGV $$")) == "\"/bin/sh\" was killed by SIGSEGV, and printed nothing")
  }

  @Test("A failure shows the last lines of a long output")
  func longOutput() throws {
    let script =
      "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); "
      + "echo \"line $i of an output that is far longer than what is kept\"; done; exit 1"
    let message = try failure(shell(script))
    let lines = message.split(separator: "\n")
    #expect(lines.count == 21)
    #expect(lines.first?.hasSuffix("after these last 20 lines of output:") == true)
    #expect(lines.last?.hasPrefix("  line 20000 of") == true)
    #expect(lines.dropFirst().first?.hasPrefix("  line 19981 of") == true)
  }

  @Test("A failure shows only what is left of a line that is drawn again")
  func drawnAgain() throws {
    let message = try failure(shell(#"echo error; printf '\r1/3\r2/3\r3/3'; exit 1"#))
    #expect(message.split(separator: "\n").dropFirst() == ["  error", "  3/3"])
  }

  @Test("A failure shows the last characters of an output without line breaks")
  func longLine() throws {
    let message = try failure(
      shell("i=0; while [ $i -lt 9000 ]; do i=$((i+1)); printf '%s,' $i; done; exit 1"))
    let lines = message.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix("after these last 4000 characters of output:") == true)
    #expect(lines.last?.count == 4002 && lines.last?.hasSuffix(",8999,9000,") == true)
  }

  @Test("Every line of output is reported, the last one without a newline too")
  func lines() throws {
    let log = LineLog()
    #expect(try shell("printf 'one\\n\\nthree\\r\\nfour'").run([log]).succeeded)
    #expect(log.lines == ["one", "", "three", "four"])
  }

  @Test("Each line has its attempt and its stream, and each attempt its process")
  func streams() throws {
    let log = EventLog()
    let script = "echo $$; echo bad >&2; exit 1"
    let retry =
      #"[ { "command": "RunProcess", "with": { "arguments": ["sh", "-c", "\#(script)"] }, "retry": { "attempts": 2, "backoff": "1ms" } } ]"#
    let record = try TestLaunch(retry).run([log])
    let attempts = record[0].details.attempts
    let line = "sh -c '\(script)'"
    #expect(attempts.map(\.commandLine) == [line, line] && record[0].details.commandLine == line)
    for (index, attempt) in attempts.enumerated() {
      let pid = try #require(attempt.pid)
      let number = index + 1
      #expect(
        log.kinds.contains(.processStarted(.init(step: 0, attempt: number, pid: pid, commandLine: line))))
      #expect(log.kinds.contains(.output(.init(step: 0, attempt: number, stream: .stdout, line: "\(pid)"))))
      #expect(log.kinds.contains(.output(.init(step: 0, attempt: number, stream: .stderr, line: "bad"))))
    }
    #expect(record[0].details.pid == attempts.last?.pid)
  }

  @Test("A flood of bytes without a line feed comes in pieces, and invalid UTF-8 is replaced")
  func flood() throws {
    let log = LineLog()
    let script = "head -c 100000 /dev/zero | tr '\\\\0' '\\\\377'; echo end"
    let record = try launch(#"{ "arguments": ["sh", "-c", "\#(script)"] }"#).run([log])
    #expect(record.succeeded)
    #expect(log.lines.last?.hasSuffix("end") == true)
    #expect(log.lines.joined().unicodeScalars.filter { $0 == "\u{FFFD}" }.count == 100_000)
  }

  @Test("The program starts in the manifest's directory, or in one relative to it")
  func directory() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.createDirectory(directory.file("inner"))
    let log = LineLog()
    var launch = shell("pwd -P")
    launch.directory = directory.path
    try launch.run([log])
    launch = shell("pwd -P", #", "directory": "inner""#)
    launch.directory = directory.path
    try launch.run([log])
    let real = FileSystem.resolve(directory.path) ?? ""
    #expect(log.lines == [real, real + "/inner"])
  }

  @Test("Variables are added to the program's environment")
  func environment() throws {
    let log = LineLog()
    try shell("echo $APPBOOT_TEST ${PATH:+kept}", #", "environment": { "APPBOOT_TEST": "a=b" }"#).run([log])
    #expect(log.lines == ["a=b kept"])
  }

  @Test("The environment of a process has its step, its attempt and its launch")
  func stepVariables() throws {
    let log = LineLog()
    let script = "echo $APPBOOT_STEP $APPBOOT_ATTEMPT; echo $APPBOOT_LAUNCH; exit 1"
    let retry =
      #"[ { "command": "RunProcess", "id": "a b", "with": { "arguments": ["sh", "-c", "\#(script)"] }, "retry": { "attempts": 2, "backoff": "1ms" } } ]"#
    let record = try TestLaunch(retry).run([log])
    #expect(log.lines.count == 4)
    #expect(log.lines.first == "a b 1" && log.lines.dropFirst(2).first == "a b 2")
    let launch = record.startedAt.filter { $0 != "-" && $0 != ":" } + "-\(Host.processIdentifier)"
    #expect(log.lines.dropFirst().first == launch && log.lines.last == launch)
  }

  @Test("A variable in \"environment\" replaces the one that names the step")
  func replacedStepVariable() throws {
    let log = LineLog()
    try shell("echo $APPBOOT_STEP", #", "environment": { "APPBOOT_STEP": "mine" }"#).run([log])
    #expect(log.lines == ["mine"])
  }

  @Test("A success does not wait for processes left behind, and they continue")
  func leftBehind() throws {
    let gate = LineGate("left ")
    let record = try shell("sleep 60 & echo left $!").run([gate])
    #expect(record.succeeded)
    let orphan = try #require(Int32(gate.wait()))
    #expect(Signals.send(Signals.kill, to: orphan))
  }

  @Test("A failure kills processes left behind")
  func leftBehindByFailure() throws {
    let gate = LineGate("left ")
    #expect(try shell("sleep 60 & echo left $!; exit 1").run([gate]).succeeded == false)
    let orphan = try #require(Int32(gate.wait()))
    #expect(isGone(orphan))
  }

  @Test("A cancellation kills the whole process group, also if another command executes this one")
  func cancellation() async throws {
    var command = RunProcess()
    command.arguments = ["/bin/sh", "-c", "sleep 60 & echo running $!; wait"]
    for command in [command, Wrapper(command)] as [any Command] {
      let gate = LineGate("running ")
      var configuration = LaunchRunner.Configuration()
      configuration.observers = [gate]
      let runner = LaunchRunner(LaunchPlan(sequence: [command]), configuration: configuration)
      let cancelling = try Thread.start(name: "test") {
        _ = gate.wait()
        runner.cancel("the test asks for it")
      }
      let record = await runner.run()
      cancelling.join()
      #expect(record[0].state == .cancelled(.requested("the test asks for it")))
      let child = try #require(Int32(gate.wait()))
      #expect(isGone(child))
    }
  }

  @Test("The command has a result if another command executes it")
  func executedByAnotherCommand() async {
    var command = RunProcess()
    command.arguments = ["/bin/sh", "-c", "exit 3"]
    let record = await LaunchPlan(sequence: [Wrapper(command)]).run()
    #expect(record[0].state.failure?.type == "AppBootCommands.RunProcessError")
    command.expect = [3]
    let again = await LaunchPlan(sequence: [Wrapper(command)]).run()
    #expect(again.succeeded)
  }

  /// An asynchronous command that executes another one, unknown to the runner.
  private struct Wrapper: AsyncCommand {
    var command = RunProcess()
    init() {}
    init(_ command: RunProcess) { self.command = command }
    func execute(in context: LaunchContext) async throws { try await command.execute(in: context) }
  }
}

@Suite("Start errors of RunProcess", .ownThread)
struct RunProcessErrorTests {
  private func failure(_ parameters: String, in directory: String = ".") throws -> String {
    var launch = TestLaunch(#"[ { "command": "RunProcess", "with": \#(parameters) } ]"#)
    launch.directory = directory
    return try launch.run().failures.first?.state.failure?.message ?? "no failure"
  }

  @Test("A missing program is reported with the searched directories")
  func notFound() throws {
    let nowhere = #"{ "arguments": ["no-such-program"], "environment": { "PATH": "/bin:/nowhere" } }"#
    let words =
      #"there is no program "no-such-program" in PATH: install it, or give its path"#
      + "\nPATH is /bin:/nowhere"
    #expect(try failure(nowhere) == words)
    let path = try failure(#"{ "arguments": ["./no-such-program"] }"#)
    #expect(path == #"there is no program "./no-such-program": a path is relative to "directory""#)
    let absolute = try failure(#"{ "arguments": ["/no/such-program"] }"#)
    #expect(absolute == #"there is no program "/no/such-program""#)
  }

  @Test("A command line as one argument is reported with the list to write instead")
  func notSplit() throws {
    let shell = #"arguments are not split by a shell; use ["sh", "-c", …]"#
    for line in ["echo $HOME | cat", "/bin/echo a && true", "ls *.swift"] {
      #expect(try failure(#"{ "arguments": ["\#(line)"] }"#) == "there is no program \"\(line)\": \(shell)")
    }
    #expect(
      try failure(#"{ "arguments": ["npm  run build"] }"#)
        == #"there is no program "npm  run build": arguments are not split at spaces; use ["npm", "run", "build"]"#
    )
    #expect(try failure(#"{ "arguments": ["echo $HOME", "x"] }"#).contains(#""echo $HOME" in PATH"#))
  }

  @Test("A file that is not executable is named")
  func notExecutable() throws {
    let directory = try TemporaryDirectory()
    try directory.write("tool", "#!/bin/sh\n")
    let message = try failure(#"{ "arguments": ["./tool"] }"#, in: directory.path)
    #expect(
      message.hasPrefix(#""./tool" is not executable: a program or a script needs the permission (chmod +x)"#)
    )
  }

  @Test("Without a shell, a step is advised to use arguments")
  func noShell() throws {
    let shell = #"{ "arguments": ["sh", "-c", "true"], "environment": { "PATH": "/nowhere" } }"#
    let words = #"there is no program "sh" in PATH: install it, or use "arguments", which need no shell"#
    #expect(try failure(shell).hasPrefix(words))
  }

  @Test("A script without its interpreter is named")
  func interpreter() throws {
    let directory = try TemporaryDirectory()
    try directory.write("tool", "#!/no/such/interpreter\n", mode: 0o755)
    #expect(
      try failure(#"{ "arguments": ["./tool"] }"#, in: directory.path)
        .hasPrefix(#"the interpreter of "./tool" does not exist: install it, or correct the first line (#!)"#)
    )
  }

  @Test("A script whose lines end with CR LF is named")
  func carriageReturn() throws {
    let directory = try TemporaryDirectory()
    try directory.write("tool", "#!/bin/sh\r\necho hi\r\n", mode: 0o755)
    #expect(
      try failure(#"{ "arguments": ["./tool"] }"#, in: directory.path)
        .hasPrefix(#"the first line (#!) of "./tool" ends with CR LF: convert the file"#))
  }

  @Test("A missing directory is named")
  func badDirectory() throws {
    let message = try failure(#"{ "arguments": ["true"], "directory": "no/such" }"#)
    #expect(message.hasPrefix(#"cannot start in the directory "no/such": "#))
    #expect(message.hasSuffix("; it is relative to the manifest's directory"))
    let absolute = try failure(#"{ "arguments": ["true"], "directory": "/no/such" }"#)
    #expect(absolute == #"cannot start in the directory "/no/such": no such file or directory"#)
  }

  @Test(
    "A zero byte in a text is an error before the launch",
    arguments: [
      (#"{ "arguments": ["printf", "a\u0000b"] }"#, "\"arguments[1]\" must not contain a zero byte"),
      (#"{ "arguments": ["true"], "directory": "a\u0000" }"#, "\"directory\" must not contain a zero byte"),
      (
        #"{ "arguments": ["true"], "environment": { "A": "\u0000" } }"#,
        "\"environment.A\" must not contain a zero byte"
      ),
      (
        #"{ "arguments": ["true"], "environment": { "A=B": "x" } }"#, "\"environment.A=B\": a variable's name"
      ),
      (#"{ "arguments": ["true"], "environment": { "": "x" } }"#, "\"environment.\": a variable's name"),
    ])
  func zeroByte(parameters: String, problem: String) throws {
    #expect(
      try TestLaunch(#"[{ "command": "RunProcess", "with": \#(parameters) }]"#).problems().first?.hasPrefix(
        problem) == true)
  }

  @Test("A missing program and an impossible exit code are errors before the launch")
  func refused() throws {
    let empty = #"[ { "command": "RunProcess", "with": { "arguments": [] } } ]"#
    #expect(try TestLaunch(empty).problems() == [#""arguments": name the program to run as the first item"#])
    let codes = #"[ { "command": "RunProcess", "with": { "arguments": ["true"], "expect": [256] } } ]"#
    #expect(
      try TestLaunch(codes).problems() == [#""expect[0]" must be a whole number from 0 to 255, not 256"#])
  }

  @Test("All mistakes are reported together")
  func everything() throws {
    let parameters = #"{ "arguments": [""], "directory": 3, "environment": { "A=B": "x" }, "expect": [] }"#
    #expect(
      try TestLaunch(#"[ { "command": "RunProcess", "with": \#(parameters) } ]"#).problems() == [
        #""arguments": name the program to run as the first item"#,
        #""directory" must be a string, not a number"#,
        #""environment.A=B": a variable's name must not be empty, nor contain "=" or a zero byte"#,
        #""expect": list at least one exit code, from 0 to 255"#,
      ])
  }

  @Test("RunProcess has parameters with defaults")
  func catalogue() {
    let fields = CommandDescription(of: RunProcess.self).parameters
    let traits = ["user", "group", "umask", "limits", "inheritEnvironment", "sockets", "stdin"]
    #expect(
      fields.map(\.name) == ["arguments", "directory", "environment"] + traits
        + ["expect", "interactive", "stop", "undo"])
    let defaults = [
      nil, nil, "{}", nil, nil, nil, nil, "true", "false", "\"null\"", "[0]", "false", nil, nil,
    ]
    #expect(fields.map(\.defaultText) == defaults)
    #expect(fields.filter(\.isRequired).map(\.name) == ["arguments"])
  }
}
