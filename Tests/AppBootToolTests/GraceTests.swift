#if os(Linux)
import AppBootSystem
import AppBootTestSupport
import Testing

/// `Tests/kill-matrix.py` tries more ways to end a launch, and more kinds of processes.
@Suite("The grace of processes", .ownThread)
struct GraceTests {
  /// A shell whose handler of TERM takes a moment, and then writes the file `flushed`.
  private static let child =
    "(trap 'i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done; echo bye > flushed; exit' TERM; "
    + "echo up > up; echo up; while :; do sleep 0.01; done)"
  private static let untilUp = "until [ -e up ]; do sleep 0.01; done"

  private func service(_ script: String) -> String {
    #"{ "command": "RunService", "id": "web", "with": { "arguments": ["sh", "-c", "\#(script)"], "#
      + #""ready": { "output": "up" } } }"#
  }

  @Test("The processes that a failed step left have time to end")
  func failedStep() throws {
    let tool = try ToolProcess("run").manifest(
      "[\(Entry.shell("\(Self.child) & \(Self.untilUp); exit 3", id: "a"))]")
    #expect(try tool.run().status == 1)
    #expect(FileSystem.exists(tool.directory.file("flushed")))
  }

  @Test("A step behind a shell has time to end after an interrupt")
  func interruptedStep() throws {
    let tool = try ToolProcess("run").manifest("[\(Entry.shell("\(Self.child) | cat", id: "a"))]")
    let running = try tool.start()
    #expect(running.waitForFile("up"))
    running.signal(Signals.interrupt)
    #expect(try running.finish().end == .signalled(Signals.interrupt))
    #expect(FileSystem.exists(tool.directory.file("flushed")))
  }

  @Test("A service behind a shell has time to end")
  func service() throws {
    let tool = try ToolProcess("run", "--then-stop").manifest("[\(service("\(Self.child) & wait"))]")
    #expect(try tool.run().status == 0)
    #expect(FileSystem.exists(tool.directory.file("flushed")))
  }

  @Test("The handlers of didBecomeActive run to their end before --then-stop stops the services")
  func patientEnd() throws {
    let handler = Entry.shell("sleep 0.2; echo done >> handled", id: "h")
    let last = Entry.shell("cat handled > last", id: "l")
    let tool = try ToolProcess("run", "--then-stop").manifest(
      "[\(service("echo up; exec sleep 600"))]",
      members: #""on": { "didBecomeActive": [\#(handler)], "willTerminate": [\#(last)] }"#)
    let result = try tool.run()
    #expect(result.status == 0 && !result.output.contains("cancelled"), "\(result.output)\(result.errors)")
    #expect(FileSystem.exists(tool.directory.file("last")))
  }

  @Test("The program of stop runs before the signal, with the process in MAINPID, and its failure is shown")
  func stopCommand() throws {
    func run(_ command: String, _ grace: String = "") throws -> (result: ToolResult, trace: String?) {
      let script = "trap 'echo signal >> trace; exit' TERM; echo up; while :; do sleep 0.01; done"
      let stop = #""stop": { "command": ["sh", "-c", "\#(command)"]\#(grace) }"#
      let tool = try ToolProcess("run", "--then-stop").manifest(
        "[\(Entry.service(script, id: "web", with: stop))]")
      let result = try tool.run()
      let trace = try? FileSystem.readFile(tool.directory.file("trace"))
      return (result, trace.map { String(decoding: $0, as: UTF8.self) })
    }
    let polite = try run("kill -0 $MAINPID && echo command >> trace")
    #expect(polite.result.status == 0 && polite.trace == "command\nsignal\n", "\(polite.result.errors)")
    let sole = try run(
      "kill -9 $MAINPID; echo command >> trace")
    #expect(sole.result.status == 0 && sole.trace == "command\n", "\(sole.result.errors)")
    // The shell has the same grace after the signal, and may need a longer one on a busy machine.
    let isLate = try ["300ms", "30s"].contains { grace in
      let late = try run("sleep 1000", #", "grace": "\#(grace)""#)
      return late.trace == "signal\n" && late.result.output.contains("did not end within the grace period")
    }
    #expect(isLate)
    let failing = try run("exit 3")
    #expect(failing.trace == "signal\n")
    #expect(
      failing.result.output.contains(#"appboot: "sh", the program of "stop", exited with code 3"#),
      "\(failing.result.output)")
  }

  @Test(
    "With failFast, a failure stops a step that runs, which has its grace, and the verdict names the failure")
  func failFast() throws {
    let steps = [
      Entry.shell("\(Self.child) & wait", id: "slow", #""after": []"#),
      Entry.shell("\(Self.untilUp); exit 3", id: "bad", #""after": []"#),
    ]
    let tool = try ToolProcess("run").manifest(
      "[\(steps.joined(separator: ", "))]", members: #""failFast": true"#)
    let result = try tool.run()
    #expect(result.status == 1)
    #expect(
      result.output.contains("■ slow") && result.output.contains("cancelled: bad failed"), "\(result.output)")
    #expect(FileSystem.exists(tool.directory.file("flushed")))
  }

  @Test("A daemon of a step has time to end when the launch fails")
  func daemon() throws {
    let start = "setsid sh -c \"$SCRIPT\" >/dev/null 2>&1 & \(Self.untilUp)"
    let tool = try ToolProcess("run").environment("SCRIPT", Self.child).manifest(
      "[\(Entry.shell(start, id: "a")), \(Entry.shell("exit 3", id: "b"))]")
    #expect(try tool.run().status == 1)
    #expect(FileSystem.exists(tool.directory.file("flushed")))
  }

  @Test("A step that times out inside a line shows this line")
  func unfinishedLine() throws {
    // The shell must print within the timeout, and may need a longer one on a busy machine.
    let isShown = try ["1s", "30s"].contains { timeout in
      let step = Entry.shell(
        "printf 'Password: '; exec sleep 1000", id: "a", #""timeout": "\#(timeout)""#)
      return try ToolProcess("run").manifest("[\(step)]").run().output.contains(
        #"it waits after printing "Password: ""#)
    }
    #expect(isShown)
  }

  @Test("A service that is not ready does not hold a launch that has failed")
  func uselessWait() throws {
    let web = Entry.service("exec sleep 1000", id: "web", #""after": []"#)
    let bad = Entry.shell("exit 3", id: "bad", #""after": []"#)
    let result = try ToolProcess("run").manifest("[\(web), \(bad)]").run()
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("web") && result.output.contains("cancelled: bad failed"))
  }

  @Test("A program of ready runs in the directory of its service, and with its environment")
  func surroundings() throws {
    let ready =
      #""ready": { "command": ["sh", "-c", "[ \"$MODE\" = on ] && [ \"$(basename \"$PWD\")\" = sub ]"] }"#
    let with =
      #"{ "arguments": ["sleep", "1000"], "directory": "sub", "environment": { "MODE": "on" }, \#(ready) }"#
    let tool = try ToolProcess("run", "--then-stop", "--timeout", "1m").manifest(
      #"[{ "command": "RunService", "with": \#(with) }]"#)
    try FileSystem.createDirectory(tool.directory.file("sub"))
    let result = try tool.run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test("The standard input of a program is empty, or open until the launch ends")
  func standardInput() throws {
    let with =
      #"{ "arguments": ["sh", "-c", "cat; echo over"], "ready": { "command": ["true"] }, "stdin": "open" }"#
    let open = #"{ "command": "RunService", "id": "open", "with": \#(with) }"#
    let result = try ToolProcess("run", "--then-stop").manifest(
      "[\(Entry.shell("cat", id: "empty")), \(open)]"
    ).run()
    #expect(result.status == 0 && !result.output.contains("over"), "\(result.output)\(result.errors)")
  }

  @Test("stop.signal stops a step, and a step that does not stop within stop.grace says that it was killed")
  func stopOfStep() throws {
    func step(_ script: String, _ stop: String) throws -> ToolProcess {
      let with = #"{ "arguments": ["sh", "-c", "\#(script)"], "stop": \#(stop) }"#
      return try ToolProcess("run").manifest(#"[{ "command": "RunProcess", "id": "a", "with": \#(with) }]"#)
    }
    let loop = "echo up > up; while :; do sleep 0.01; done"
    let polite = try step(
      "trap 'echo bye > flushed; exit 1' INT; \(loop)", #"{ "signal": "INT", "grace": "10m" }"#)
    let first = try polite.start()
    #expect(first.waitForFile("up"))
    first.signal(Signals.interrupt)
    #expect(try first.finish().end == .signalled(Signals.interrupt))
    #expect(FileSystem.exists(polite.directory.file("flushed")))

    let second = try step("trap '' TERM; \(loop)", #"{ "grace": "1ms" }"#).start()
    #expect(second.waitForFile("up"))
    second.signal(Signals.interrupt)
    let result = try second.finish()
    #expect(result.output.contains("of its stop signal, and was killed"), "\(result.output)\(result.errors)")
  }
}
#endif
