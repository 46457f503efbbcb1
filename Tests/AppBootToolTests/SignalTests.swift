import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Signals", .ownThread)
struct SignalTests {
  private let endless =
    "[\(Entry.shell("echo up; sleep 60", id: "slow")), \(Entry.shell("true", id: "next"))]"

  @Test(
    "A signal cancels the launch with a complete record, and ends the process",
    arguments: [Signals.interrupt, Signals.terminate, Signals.hangup])
  func stops(signal: Int32) throws {
    let tool = try ToolProcess("run", "--format", "jsonl", "--record", "record.json").manifest(endless)
    let running = try tool.start()
    #expect(try running.waitForOutput(#""text":"up""#))
    running.signal(signal)
    let result = try running.finish()
    #expect(result.end == .signalled(signal))
    let lines = try result.jsonLines()
    #expect(lines.last?["kind"]?.string == "launchEnded")
    #expect(result.errors.contains("Test did not boot: it was cancelled after"))
    #expect(result.errors.contains(Signals.name(signal)))
    let record = try FileSystem.readFile(tool.directory.file("record.json"))
    let root = try JSONDocument(parsing: SourceText(name: "record", bytes: record)).root
    #expect(root["steps"]?.elements.map { $0["state"]?.string } == ["cancelled", "cancelled"])
  }

  @Test("A second signal ends the process at once")
  func second() throws {
    let stubborn = Entry.shell(
      "trap 'echo told' TERM; echo up; while kill -0 $PPID; do sleep 0.2 & wait; done", id: "slow")
    let running = try ToolProcess("run", "--format", "jsonl").manifest("[\(stubborn)]").start()
    #expect(try running.waitForOutput(#""text":"up""#))
    running.signal(Signals.terminate)
    #expect(try running.waitForOutput(#""text":"told""#))
    running.signal(Signals.interrupt)
    #expect(running.end() == .signalled(Signals.interrupt))
    let errors = String(decoding: try FileSystem.readFile(running.file("stderr")), as: UTF8.self)
    #expect(errors.hasSuffix("appboot: ended at once by SIGINT\n"))
    let report = try ToolProcess("report", "--state", running.file(".appboot")).run()
    #expect(
      report.errors
        == "appboot: showing the last launch, whose process was ended in \"slow\" while the launch was being cancelled: SIGINT\n"
    )
  }

  @Test("A launch names the steps that are slow to stop")
  func slow() throws {
    let service =
      #"{ "command": "RunService", "id": "web", "with": { "stop": { "grace": "1h" }, "ready": { "output": "^no" }, "#
      + #""arguments": ["sh", "-c", "trap '' TERM; echo up; while :; do sleep 60; done"] } }"#
    let running = try ToolProcess("run", "-v").manifest("[\(service)]").script(#"exec "$0" "$@" 2>&1"#)
      .start()
    #expect(try running.waitForOutput("web | up"))
    running.signal(Signals.terminate)
    #expect(try running.waitForOutput("still stopping web; send SIGTERM again to end the launch at once"))
    running.signal(Signals.interrupt)
    #expect(running.end() == .signalled(Signals.interrupt))
  }

  @Test("QUIT ends the process and its children at once", arguments: [false, true])
  func quit(stays: Bool) throws {
    let tool = try ToolProcess("run", "--format", "jsonl").with(stays ? ["--stay"] : [])
      .manifest("[\(Entry.shell("echo up; exec sleep 60", id: "slow"))]")
      .script(#"ulimit -c 0; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
    let running = try tool.start()
    #expect(try running.waitForOutput(#""text":"up""#))
    running.signal(Signals.quit)
    // Standard output closes when its last holder ends.
    #expect(try running.finish().end == .signalled(Signals.quit))
    // The launch guard counts no crash, because the user stopped the launch.
    let state = tool.directory.file(".appboot")
    let status = try ToolProcess("status", "--format", "json", "--state", state).run().json()
    #expect(status["guard"]?["crashes"]?.text == "0")
  }

  @Test(
    "A signal ends a process whose report blocks on a full pipe",
    arguments: [Signals.interrupt, Signals.terminate, Signals.quit])
  func unread(signal: Int32) throws {
    let note = String(repeating: "x", count: 200_000)
    let running = try ToolProcess("run", "--format", "json")
      .manifest("[\(Entry.shell("true", id: "a", #""comment": "\#(note)""#))]")
      .script(#"ulimit -c 0; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#).start()
    #expect(running.waitForUnread(30_000))
    running.signal(signal)
    #expect(running.end() == .signalled(signal))
  }

  /// Prints without end.
  private let flood = Entry.shell("yes 0123456789012345678901234567890123456789", id: "flood")

  @Test("A timeout ends a launch whose reader is stalled", arguments: [["-v"], ["--format", "jsonl"]])
  func unreadLimit(options: [String]) throws {
    let tool = try ToolProcess("run", "--timeout", "1s", "--record", "record.json").with(options)
      .manifest("[\(flood)]").script(#"exec "$0" "$@" 2>&1"#)
    let running = try tool.start()
    // The record is written though neither a line nor the report can be.
    #expect(running.waitForFile("record.json"))
    #expect(try running.finish().status == 124)
  }

  @Test(
    "A launch whose output nothing reads ends at its own timeout",
    arguments: [["-v"], ["--format", "jsonl"]])
  func neverRead(options: [String]) throws {
    let tool = try ToolProcess("run", "--timeout", "100ms").with(options).manifest("[\(flood)]")
      .script(#"exec "$0" "$@" 2>&1"#)
    #expect(try tool.start().end() == .exited(124))
  }

  @Test("TERM ends a launch whose reader is stalled", arguments: [["-v"], ["--format", "jsonl"]])
  func unreadSignal(options: [String]) throws {
    let tool = try ToolProcess("run").with(options)
      .manifest("[\(flood)]").script(#"exec "$0" "$@" 2>&1"#)
    let running = try tool.start()
    #expect(running.waitForUnread(30_000))
    running.signal(Signals.terminate)
    #expect(running.end() == .signalled(Signals.terminate))
  }

  @Test("TERM ends an app whose reader is stalled, and its services can print while they end")
  func unreadService() throws {
    let script =
      "trap 'yes end | head -n 100000; echo >ended; exit 0' TERM; echo up; while :; do echo $$; done"
    let tool = try ToolProcess("run").manifest(
      #"[{ "command": "RunService", "id": "web", "with": { "ready": { "output": "^up" }, "#
        + #""arguments": ["sh", "-c", "\#(script)"] } }]"#)
    let running = try tool.start()
    #expect(running.waitForUnread(30_000))
    running.signal(Signals.terminate)
    #expect(running.end() == .exited(0))
    #expect(FileSystem.exists(tool.directory.file("ended")))
  }

  @Test("While the reader is stalled, services start and restart, and steps that are not shown end")
  func unshown() throws {
    let service = #"{ "command": "RunService", "id": "#
    // A line of two bytes is shown with eight: "web | 0". After 280,000 bytes the reader is more than 1 MiB behind.
    // In all, 327,000 bytes fit, with those in the pipe.
    let flood = "yes 0 | head -c 300000; touch full; exec sleep 60"
    let crash = "echo up; until [ -e first ]; do sleep 0.01; done; mkdir once && exit 1; exec sleep 60"
    let tool = try ToolProcess("run").manifest(
      "[" + service + #""web", "with": { "arguments": ["sh", "-c", "\#(flood)"] } }, "#
        + #"{ "command": "WaitFor", "id": "full", "with": { "file": "full" } }, "#
        + service + #""log", "with": { "ready": { "file": "logged" }, "#
        + #""arguments": ["sh", "-c", "yes 0 | head -c 300000; touch logged; exec sleep 60"] } }, "#
        + service + #""db", "with": { "ready": { "output": "^up" }, "restart": "onFailure", "#
        + #""arguments": ["sh", "-c", "\#(crash)"] } }, "#
        + Entry.shell("yes 0 | head -c 300000", id: "lines") + ", "
        + service + #""api", "with": { "restart": { "with": ["db"] }, "#
        + #""arguments": ["sh", "-c", "mkdir first || touch again; exec sleep 60"] } }]"#)
    let running = try tool.start()
    // The api restarts when the database is ready again.
    #expect(running.waitForFile("again"))
    running.signal(Signals.terminate)
    #expect(running.end() == .exited(0))
  }

  @Test("A reader that reads late gets every line")
  func late() throws {
    let lines = Entry.shell("seq 1 400000", id: "lines")
    let running = try ToolProcess("run", "-v").manifest("[\(lines)]").script(#"exec "$0" "$@" 2>&1"#).start()
    #expect(running.waitForUnread(30_000))
    let shown = try running.finish().output.split(separator: "\n").filter { $0.hasPrefix("lines | ") }
    #expect(shown.elementsEqual((1...400_000).map { "lines | \($0)" }, by: ==))
  }

  @Test("USR1 shows an unfinished line of output")
  func unfinishedLine() throws {
    let ask = Entry.shell("printf 'Password: '; touch asked; sleep 60", id: "ask", #""after": []"#)
    let tell = Entry.shell(
      "while [ ! -e asked ]; do sleep 0.01; done; echo up; sleep 60", id: "tell", #""after": []"#)
    let running = try ToolProcess("run", "-v").manifest("[\(ask), \(tell)]")
      .script(#"exec "$0" "$@" 2>&1"#).start()
    #expect(try running.waitForOutput("tell | up"))
    running.signal(Signals.user1)
    #expect(try running.waitForOutput(", output: Password: \n"))
    running.signal(Signals.terminate)
    _ = try running.finish()
  }

  @Test("USR1 shows the running and waiting steps")
  func explains() throws {
    let running = try ToolProcess("run", "-v").manifest(endless).script(#"exec "$0" "$@" 2>&1"#).start()
    #expect(try running.waitForOutput("slow | up"))
    running.signal(Signals.user1)
    #expect(try running.waitForOutput("  waiting  next  for slow\n"))
    running.signal(Signals.terminate)
    let result = try running.finish()
    #expect(result.output.contains("since the start, 0 of 2 steps ended"))
    #expect(result.output.contains("  running  slow  for "))
    #expect(result.output.contains(", output: up"))
  }
}
