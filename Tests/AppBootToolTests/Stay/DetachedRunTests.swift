import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("A run in the background", .ownThread)
struct DetachedRunTests {
  private static let service =
    "trap 'echo bye; exit 0' TERM; echo up; while :; do echo tick; sleep 0.01; done"

  @Test("run --detach returns when the launch has booted, with its report, and down stops it")
  func booted() throws {
    let tool = try ToolProcess()
      .manifest("[\(Entry.shell("true", id: "a")), \(Entry.service(Self.service, id: "web"))]")
    defer { _ = try? tool.with("down").run() }
    let run = try tool.with("run", "--detach").run()
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains("✓ web") && run.output.contains("Test booted in") && !run.output.contains("tick"))
    #expect(run.errors.contains("runs in the background: `appboot status` shows it"))
    #expect(try tool.with("status").run().output.hasPrefix("Test is running"))
    let second = try tool.with("run", "-d").run()
    #expect(second.status == 4 && second.errors.contains("an app is already running"))
    // The first tick comes after the line with which the service is ready.
    #expect(
      try Patience.wait { try tool.with("logs", "web", "--tail", "1").run().output.hasSuffix("tick\n") })
    #expect(try tool.with("down").run().output == "Test has stopped\n")
  }

  @Test("run --detach exits with the code of a launch that fails, and shows its failure")
  func failed() throws {
    let run = try ToolProcess("run", "--detach")
      .manifest("[\(Entry.shell("exit 5", id: "a")), \(Entry.service(Self.service, id: "web"))]").run()
    #expect(run.status == 1)
    #expect(run.errors.contains("Test did not boot: a failed") && !run.errors.contains("in the background"))
    let missing = try ToolProcess("run", "--detach").run()
    #expect(missing.status == 4 && missing.errors.contains("cannot open \"commands.json\""))
    let short = try ToolProcess("run", "--detach").manifest("[\(Entry.shell("true", id: "a"))]").run()
    #expect(short.status == 0 && short.errors.isEmpty)
    let quiet = try ToolProcess().manifest("[\(Entry.service(Self.service, id: "web"))]")
    defer { _ = try? quiet.with("down").run() }
    let silent = try quiet.with("run", "-d", "-q").run()
    #expect(silent.status == 0 && silent.output.isEmpty && silent.errors.isEmpty)
    let both = try ToolProcess("run", "--detach", "--then-stop").manifest("[]").run()
    #expect(both.status == 2)
  }

  @Test("run --detach says that the output of a launch that failed could not be written")
  func fullDisk() throws {
    let tool = try ToolProcess().manifest("[\(Entry.shell("exit 5", id: "a"))]")
    // The first launch creates the state directory.
    #expect(try tool.with("run").run().status == 1)
    let run = try tool.with("run", "--detach").script(#"ulimit -f 0; exec "$0" "$@" 2>&1"#).run()
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("appboot: error: the run in the background, process "), "\(run.output)")
    let help = "the disk of \"./.appboot\" may be full: to see the output, run it without --detach or --ui"
    #expect(run.output.hasSuffix(", exited with code 1, and its output is missing\nhelp: \(help)\n"))
  }

  @Test("A run in the background that finds another app shows its own error, and leaves the log of the app")
  func late() throws {
    let tool = try ToolProcess().manifest("[\(Entry.service(Self.service, id: "web"))]")
    defer { _ = try? tool.with("down").run() }
    // The late run waits for its manifest, a pipe, until the other one has booted.
    let run = try tool.script(
      #"""
      exec 2>"$APPBOOT_TEST_ERRORS"
      mkfifo late.json
      "$0" run -d late.json >late.out 2>late.err & late=$!
      exec 9>late.json
      "$0" run -d 9>&-
      cat commands.json >&9; exec 9>&-
      wait $late; echo "late: $?"
      """#
    ).run()
    #expect(run.output.contains("Test booted in") && run.output.hasSuffix("late: 4\n"), "\(run.output)")
    #expect(run.errors.contains("runs in the background"), "\(run.errors)")
    func text(_ name: String) throws -> String {
      String(decoding: try FileSystem.readFile(tool.directory.file(name)), as: UTF8.self)
    }
    #expect(try text("late.out").isEmpty)
    let error = try text("late.err")
    #expect(error.contains("the state directory \"./.appboot\"") && !error.contains("booted"), "\(error)")
    #expect(try text(".appboot/detached.log").contains("Test booted in"))
    #expect(try !FileSystem.list(tool.directory.file(".appboot")).contains { $0.hasSuffix(".tmp") })
  }

  @Test("A signal while run --detach waits cancels the launch, and no process is left")
  func cancelled() throws {
    let commands = "[\(Entry.shell("echo $PPID > pid; kill -INT $(cat front); exec sleep 1000", id: "a"))]"
    let tool = try ToolProcess().manifest(commands)
      .script(#"echo $$ > front; exec "$0" run --detach 2>"$APPBOOT_TEST_ERRORS""#)
    let run = try tool.run()
    #expect(run.end == .signalled(Signals.interrupt), "\(run.output)\(run.errors)")
    #expect(run.errors.contains("it was cancelled"))
    let pid = try FileSystem.readFile(tool.directory.file("pid"))
    let process = try #require(Int32(String(decoding: pid, as: UTF8.self).split(separator: "\n").first ?? ""))
    #expect(!Signals.send(0, to: process))
  }

  @Test(
    "A signal that comes with the end of the launch ends the app, and run --detach exits by it",
    arguments: [Signals.interrupt, Signals.terminate, Signals.hangup])
  func lateSignal(signal: Int32) throws {
    // The process in front stops before the app boots, and then finds both the signal and the boot.
    let stop = Entry.shell("kill -STOP $(cat front); kill -\(signal) $(cat front)", id: "stop")
    let resume = Entry.shell("kill -CONT $(cat front)", id: "resume")
    let tool = try ToolProcess().manifest(
      "[\(stop), \(Entry.service(Self.service, id: "web"))]",
      members: #""name": "Test", "on": { "didBecomeActive": [\#(resume)] }"#)
    let run = try tool.script(#"echo $$ > front; exec "$0" run --detach 2>"$APPBOOT_TEST_ERRORS""#).run()
    #expect(run.end == .signalled(signal), "\(run.output)\(run.errors)")
    let text = run.output + run.errors
    #expect(text.contains("Test booted in") && !text.contains("in the background"), "\(text)")
    #expect(try tool.with("status").run().status == 4)
  }

  #if os(Linux)
  @Test("The output of a run in the background fits the terminal that shows it")
  func width() throws {
    let terminal = try PseudoTerminal()
    terminal.resize(columns: 40)
    let status = try ToolProcess("run", "--detach", "--color", "never")
      .environment("APPBOOT_TEST_TERMINAL", terminal.path)
      .script(#"exec "$0" "$@" >"$APPBOOT_TEST_TERMINAL" 2>&1"#).run().status
    let text = terminal.readAll()
    #expect(status == 4 && text.contains("appboot: error: cannot open"), "\(text)")
    #expect(text.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 40 }, "\(text)")
  }
  #endif
}
