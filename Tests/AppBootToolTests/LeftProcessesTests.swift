#if os(Linux)
import AppBoot
import AppBootTestSupport
import Testing

@testable import AppBootSystem
@testable import AppBootTool

/// `Tests/kill-matrix.py` tries more ways to end a launch, and more kinds of processes.
@Suite("Processes that a launch leaves", .ownThread)
struct LeftProcessesTests {
  /// Leaves a process outside of its group and session, whose identifier is in the file `daemon`. It runs for longer
  /// than a test waits for its end.
  private static let daemon = #"""
    setsid sh -c 'trap "" TERM; echo $$ >daemon; exec sleep 1000' </dev/null >/dev/null 2>&1 &
    until [ -s daemon ]; do sleep 0.01; done; echo up
    """#

  private func daemon(of tool: ToolProcess) throws -> Int32 {
    let text = String(decoding: try FileSystem.readFile(tool.directory.file("daemon")), as: UTF8.self)
    return try #require(Int32(text.prefix { $0.isNumber }))
  }

  private func children(of process: Int32) -> [ProcessEntry] {
    ProcessEntry.all().filter { $0.parent == process }
  }

  /// Waits until a process has ended; returns false after a minute.
  private func hasEnded(_ process: Int32) -> Bool {
    Patience.wait {
      let entry = ProcessEntry.all().first { $0.process == process }
      return entry == nil || entry?.state == UInt8(ascii: "Z")
    }
  }

  @Test("After SIGKILL of appboot, no process of the launch is left")
  func killed() throws {
    let tool = try ToolProcess("run", "--format", "jsonl")
      .manifest("[\(Entry.shell(Self.daemon + "\nsleep 1000", id: "a"))]")
    let running = try tool.start()
    #expect(try running.waitForOutput(#""text":"up""#))
    running.signal(Signals.kill)
    #expect(try running.finish().end == .signalled(Signals.kill))
    #expect(hasEnded(try daemon(of: tool)))
  }

  @Test("A launch right after SIGKILL of another stores the crash and its own record")
  func restarts() throws {
    let tool = try ToolProcess("run", "--format", "jsonl")
      .manifest("[\(Entry.shell("echo up; sleep 60", id: "a"))]")
    let running = try tool.start()
    #expect(try running.waitForOutput(#""text":"up""#))
    running.signal(Signals.kill)
    #expect(running.end() == .signalled(Signals.kill))
    let next = try ToolProcess("run", "--state", tool.directory.file(".appboot")).manifest("[]").run()
    #expect(next.status == 0)
    #expect(next.errors.isEmpty)
    #expect(try FileSystem.list(tool.directory.file(".appboot/records")).count == 2)
  }

  @Test("What a successful step left running ends if the launch fails")
  func failed() throws {
    let tool = try ToolProcess("run")
      .manifest("[\(Entry.shell(Self.daemon, id: "a")), \(Entry.shell("exit 3", id: "b"))]")
    #expect(try tool.run().status == 1)
    #expect(hasEnded(try daemon(of: tool)))
  }

  @Test("A failed launch spares the children of the shell that appboot replaced")
  func earlier() throws {
    let tool = try ToolProcess("run").manifest("[\(Entry.shell("exit 3", id: "b"))]")
      .script(#"sleep 600 & echo $! >daemon; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
    let running = try tool.start()
    #expect(running.waitForFile("daemon"))
    let daemon = try daemon(of: tool)
    defer { Signals.send(Signals.kill, to: daemon) }
    #expect(running.end(killing: false) == .exited(1))
    #expect(ProcessEntry.all().contains { $0.process == daemon && !$0.hasEnded })
  }

  @Test("What a step left running continues to run after a successful launch")
  func succeeded() throws {
    let tool = try ToolProcess("run").manifest("[\(Entry.shell(Self.daemon, id: "a"))]")
    #expect(try tool.run().status == 0)
    #expect(Signals.send(Signals.kill, to: try daemon(of: tool)))
  }

  @Test(
    "A process that a service put into a session of its own ends with the service",
    arguments: ["stop", "restart", "TERM", "--then-stop", "crash"])
  func service(end: String) throws {
    // A second start has no such process.
    let script = "[ -s daemon ] || { \(Self.daemon); }; echo up; exec sleep 600"
    let entry = Entry.service(script, id: "a", with: #""onExit": "ignore", "stop": { "grace": "50ms" }"#)
    let tool = try ToolProcess("run", "--format", "jsonl").with(end == "--then-stop" ? [end] : [])
      .manifest("[\(entry)]")
    let app = try Staying(tool: tool, running: Staying.again(tool))
    let daemon = try daemon(of: tool)
    switch end {
    case "stop", "restart": #expect(try app.ask(end, "a").status == 0)
    case "crash":
      let service = try #require(
        try app.status()["services"]?.elements.first?["pid"]?.integer(as: Int32.self))
      Signals.send(Signals.kill, to: service)
    default: break
    }
    if !["TERM", "--then-stop"].contains(end) { #expect(hasEnded(daemon)) }
    #expect(try app.end().status == 0)
    #expect(hasEnded(daemon))
  }

  @Test("Processes that steps and event handlers left end with an app that stays", arguments: [false, true])
  func left(byHandler: Bool) throws {
    let entry = Entry.shell(Self.daemon, id: "a")
    let app = try Staying.start(
      byHandler ? #"{ "didBecomeActive": [\#(entry)] }"# : "{}", commands: byHandler ? "[]" : "[\(entry)]")
    #expect(app.running.waitForFile("daemon"))
    #expect(try app.end().status == 0)
    #expect(hasEnded(try daemon(of: app.tool)))
  }

  @Test("Without /proc a manifest runs", .enabled(if: Namespace.hidesProc, "mounts are not permitted"))
  func withoutProc() throws {
    let hidden = #"""
      exec unshare --mount sh -c 'mount -t tmpfs none /proc && exec "$0" "$@"' "$0" "$@" 2>"$APPBOOT_TEST_ERRORS"
      """#
    let result = try ToolProcess("run").manifest("[\(Entry.shell("true", id: "a"))]").script(hidden).run()
    #expect(result.status == 0 && result.output.contains("✓ a"), "\(result.output)\(result.errors)")
  }

  @Test(
    "The first process of a container reaps orphans without /proc",
    .enabled(if: Namespace.hidesProc && Namespace.hasProcesses, "namespaces are not permitted"))
  func orphansWithoutProc() throws {
    let hidden = #"""
      exec unshare --pid --fork --mount-proc sh -c 'mount -t tmpfs none /proc && exec "$0" "$@"' "$0" "$@" \
        2>"$APPBOOT_TEST_ERRORS"
      """#
    // kill(2) finds a process that has ended until it is reaped.
    let orphan = "(true & echo $! > orphan); "
    let wait = "while kill -0 $(cat orphan) 2>/dev/null; do sleep 0.01; done"
    let result = try ToolProcess("run").manifest("[\(Entry.shell(orphan + wait, id: "a"))]").script(hidden)
      .run()
    #expect(result.status == 0 && result.output.contains("✓ a"), "\(result.output)\(result.errors)")
  }

  @Test("A plan without processes has no watcher")
  func withoutProcesses() throws {
    let running = try ToolProcess("run", "--stay", "--format", "jsonl")
      .manifest(#"["Appearance", "RegisterRemoteNotifications"]"#).start()
    #expect(try running.waitForOutput(#""kind":"launchEnded""#))
    #expect(children(of: running.identifier).isEmpty)
    running.signal(Signals.terminate)
    #expect(try running.finish().status == 0)
  }

  @Test("SIGTSTP stops a launch, and SIGCONT resumes it")
  func jobControl() throws {
    let tool = try ToolProcess("run", "-v").manifest("[\(Entry.shell("echo up; sleep 60", id: "a"))]")
      .script(#"exec "$0" "$@" 2>&1"#)
    let running = try tool.start()
    #expect(try running.waitForOutput("a | up"))
    running.signal(Signals.terminalStop)
    #expect(running.waitForStop())
    running.signal(Signals.resume)
    running.signal(Signals.terminate)
    #expect(try running.finish().end == .signalled(Signals.terminate))
  }
}
#endif
