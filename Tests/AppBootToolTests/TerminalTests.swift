#if os(Linux)
import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

import AppBootLibC

@Suite("Programs and the terminal", .ownThread)
struct ProgramTerminalTests {
  @Test(
    "A program that asks for the terminal fails at once, and its process group is killed",
    arguments: [("read x </dev/tty", "SIGTTIN"), ("stty -echo </dev/tty", "SIGTTOU")])
  func asks(script: String, signal: String) throws {
    let terminal = try PseudoTerminal()
    let tool = try ToolProcess("run")
      .manifest("[\(Entry.shell("sleep 600 & echo $! >pid; echo asking; \(script)", id: "a"))]")
      .terminal(terminal)
    let result = try tool.run()
    #expect(result.status == 1)
    #expect(result.output.contains(#""sh" asked for the terminal (\#(signal)), and a step has none"#))
    #expect(result.output.contains("asking"))
    let pid = String(decoding: try FileSystem.readFile(tool.directory.file("pid")), as: UTF8.self).dropLast()
    #expect(!Signals.send(0, to: try #require(Int32(pid))))
  }

  @Test(
    "A program of another user has no terminal, so it neither prints on it nor types into it",
    .enabled(if: geteuid() == 0))
  func otherUser() throws {
    let terminal = try PseudoTerminal()
    let entry = Entry.shell(
      "echo printed >/dev/tty", id: "a", with: #""user": "nobody", "directory": "/""#)
    let result = try ToolProcess("run").manifest("[\(entry)]").terminal(terminal).run()
    #expect(result.status == 1 && result.output.contains("cannot create /dev/tty"))
    #expect(!terminal.readAll().contains("printed"))
  }

  private func service(_ script: String) -> String {
    Entry.service(script, id: "web")
  }

  @Test("A service that asks for the terminal before it is ready fails its step")
  func asksBeforeReady() throws {
    let terminal = try PseudoTerminal()
    let result = try ToolProcess("run").manifest("[\(service("read x </dev/tty"))]").terminal(terminal).run()
    #expect(result.status == 1)
    #expect(result.output.contains(#""sh" asked for the terminal (SIGTTIN), and a service has none"#))
  }

  @Test("A service that asks for the terminal after it was ready ends with that reason")
  func asksAfterReady() throws {
    let terminal = try PseudoTerminal()
    // It asks when the launch is over: an end during the launch has other words.
    let service = service("echo up; until [ -e go ]; do sleep 0.01; done; read x </dev/tty")
    let handlers = #""on": { "didBecomeActive": [\#(Entry.shell("touch go", id: "go"))] }"#
    let result = try ToolProcess("run").manifest("[\(service)]", members: handlers).terminal(terminal).run()
    #expect(result.status == 1)
    #expect(result.errors.contains(#"web was killed: "sh" asked for the terminal (SIGTTIN)"#))
  }
}

@Suite("Interactive programs", .ownThread)
struct InteractiveTests {
  private func entry(_ script: String, id: String = "ask", _ members: String = "") -> String {
    Entry.shell(script, id: id, members, with: #""interactive": true"#)
  }

  /// Runs the tool in a session whose shell then shows the exit code and the terminal's settings, and reads a line.
  private func session(_ manifest: String, on terminal: PseudoTerminal, _ arguments: String...) throws
    -> ToolProcess
  {
    try ToolProcess("run").with(arguments).manifest(manifest).environment(
      "APPBOOT_TEST_TERMINAL", terminal.path
    ).script(
      #"exec setsid --wait --ctty sh -c '"$0" "$@"; echo "code $?."; stty -a; read line; echo "read $line."' "#
        + #""$0" "$@" <"$APPBOOT_TEST_TERMINAL" >"$APPBOOT_TEST_TERMINAL" 2>&1"#)
  }

  /// Expects that the shell of a session can read, with the terminal's usual settings, after an exit code.
  private func expectEnd(_ code: Int32, of running: RunningTool, on terminal: PseudoTerminal) throws {
    #expect(terminal.wait(for: "code \(code)."))
    #expect(terminal.wait(for: " icanon"))
    #expect(terminal.wait(for: " echo "))
    terminal.type("line\n")
    #expect(terminal.wait(for: "read line."))
    #expect(try running.finish().status == 0)
  }

  @Test("An interactive program reads from the terminal and prints on it")
  func reads() throws {
    let terminal = try PseudoTerminal()
    let script = #"test -t 0 && test -t 1 && test -t 2 && printf "name? " && read name && echo "hello $name""#
    let running = try session("[\(entry(script))]", on: terminal).start()
    #expect(terminal.wait(for: "name? "))
    terminal.type("Ada\n")
    #expect(terminal.wait(for: "hello Ada"))
    try expectEnd(0, of: running, on: terminal)
  }

  @Test("An interactive program that ignores SIGTTIN can read at once")
  func readsAtOnce() throws {
    let terminal = try PseudoTerminal()
    let script = "trap '' TTIN; read name && echo \"hello $name\""
    let running = try session("[\(entry(script))]", on: terminal).start()
    terminal.type("Ada\n")
    #expect(terminal.wait(for: "hello Ada"))
    try expectEnd(0, of: running, on: terminal)
  }

  @Test("The shell can read after an interactive program that could not be started")
  func unstartable() throws {
    let terminal = try PseudoTerminal()
    let tool = try session("[\(entry("").replacing(#""sh", "-c", """#, with: #""./tool""#))]", on: terminal)
      .file("tool", "#!/no/such/interpreter\n")
    #expect(chmod(tool.directory.file("tool"), 0o755) == 0)
    try expectEnd(1, of: tool.start(), on: terminal)
  }

  @Test("A Control-C ends the interactive program alone")
  func interrupt() throws {
    let terminal = try PseudoTerminal()
    // A program that has read a line is in the foreground.
    let script = "trap 'echo caught; exit 0' INT; read go; echo ready; while :; do sleep 0.1; done"
    let other = Entry.shell("true", id: "next")
    let running = try session("[\(entry(script)), \(other)]", on: terminal).start()
    terminal.type("go\n")
    #expect(terminal.wait(for: "ready"))
    terminal.typeControl("C")
    #expect(terminal.wait(for: "caught"))
    try expectEnd(0, of: running, on: terminal)
  }

  @Test("The terminal has its earlier settings after the program was killed")
  func crash() throws {
    let terminal = try PseudoTerminal()
    let script = "stty -echo -icanon; echo ready; kill -KILL $$; sleep 60"
    let running = try session("[\(entry(script))]", on: terminal).start()
    #expect(terminal.wait(for: "ready"))
    try expectEnd(1, of: running, on: terminal)
  }

  @Test("Nothing else is printed while an interactive program runs")
  func quiet() throws {
    let terminal = try PseudoTerminal()
    let ask = entry(
      """
      echo begin; touch asks; until [ -s pid ]; do sleep 0.01; done
      while kill -0 $(cat pid) 2>/dev/null; do sleep 0.01; done; echo end
      """)
    let noise = Entry.shell(
      "until [ -e asks ]; do sleep 0.01; done; echo $$ >pid; echo noise", id: "other", #""after": []"#)
    let running = try session("[\(ask), \(noise)]", on: terminal, "-v").start()
    #expect(terminal.wait(for: "begin\r\n"))
    #expect(terminal.wait(for: "end\r\n", after: ""))
    #expect(terminal.wait(for: " noise"))
    try expectEnd(0, of: running, on: terminal)
  }

  @Test("A Control-Z stops the launch, and fg resumes it and the program")
  func suspend() throws {
    let terminal = try PseudoTerminal()
    let tool = try ToolProcess("run").manifest(
      "[\(entry("read go; echo ready; read name; echo \"hello $name\""))]"
    )
    .environment("APPBOOT_TEST_TERMINAL", terminal.path).environment("PS1", "> ")
    .script(
      #"export TOOL="$0"; exec setsid --wait --ctty bash --norc --noprofile --noediting -i "#
        + #"<"$APPBOOT_TEST_TERMINAL" >"$APPBOOT_TEST_TERMINAL" 2>&1"#)
    let running = try tool.start()
    // A program that has read a line is in the foreground.
    terminal.type("$TOOL run\ngo\n")
    #expect(terminal.wait(for: "ready"))
    terminal.typeControl("Z")
    #expect(terminal.wait(for: "Stopped"))
    terminal.type("jobs; echo still $((40 + 2))\n")
    #expect(terminal.wait(for: "still 42"))
    terminal.type("fg\n")
    terminal.type("Ada\n")
    #expect(terminal.wait(for: "hello Ada"))
    #expect(terminal.wait(for: "> "))
    terminal.type("echo code $?.; exit\n")
    #expect(terminal.wait(for: "code 0."))
    #expect(try running.finish().status == 0)
  }

  @Test("An interactive program outside of a terminal's foreground fails, with exit code 4")
  func unavailable() throws {
    let result = try ToolProcess("run").manifest("[\(entry("true"))]").run()
    #expect(result.status == 4)
    #expect(result.output.contains("an interactive program needs"))
  }

  @Test("Interactive steps run on the main lane, one at a time")
  func lane() throws {
    let manifest = "[\(entry("true", id: "a")), \(Entry.shell("true", id: "b"))]"
    let result = try ToolProcess("list", "--format", "json").manifest(manifest).run()
    #expect(try result.json()["steps"]?.elements.map { $0["lane"]?.string } == ["main", "background"])
  }
}

@Suite("An unread terminal", .ownThread)
struct UnreadTerminalTests {
  private func start(_ terminal: PseudoTerminal, _ arguments: String...) throws -> RunningTool {
    let flood = Entry.shell("echo >started; yes 0123456789012345678901234567890123456789", id: "flood")
    let other = Entry.shell("sleep 600", id: "other", #""after": []"#)
    return try ToolProcess("run", "--record", "record.json").with(arguments).manifest("[\(flood), \(other)]")
      .environment("APPBOOT_TEST_TERMINAL", terminal.path)
      .script(
        #"exec setsid --wait --ctty sh -c 'trap : INT; "$0" "$@"; echo $? >code' "$0" "$@" "#
          + #"<"$APPBOOT_TEST_TERMINAL" >"$APPBOOT_TEST_TERMINAL" 2>&1"#
      ).start()
  }

  private func outcome(_ running: RunningTool) throws -> String? {
    #expect(running.waitForFile("record.json"))
    let bytes = try FileSystem.readFile(running.file("record.json"))
    return try JSONDocument(parsing: SourceText(name: "record", bytes: bytes)).root["outcome"]?.string
  }

  @Test("A timeout ends the launch, with and without its steps' output", arguments: ["-v", "--no-state"])
  func limit(option: String) throws {
    let terminal = try PseudoTerminal()
    let running = try start(terminal, "--timeout", "1s", option)
    #expect(try outcome(running) == "timedOut")
    #expect(terminal.readAll().contains("timed out"))
    _ = running.end()
  }

  @Test("Control-C cancels the launch, and the process ends even if nothing reads the terminal")
  func interrupt() throws {
    let terminal = try PseudoTerminal()
    let running = try start(terminal, "-v")
    #expect(running.waitForFile("started"))
    terminal.typeControl("C")
    #expect(try outcome(running) == "cancelled")
    #expect(running.waitForFile("code"))
    // The terminal buffers the output until it is read.
    _ = terminal.readAll()
    _ = running.end()
  }
}
#endif
