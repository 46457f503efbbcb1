import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Services", .ownThread)
struct ServiceTests {
  /// Returns an entry whose service runs a shell script and is ready when it prints "up".
  private func service(_ id: String, _ script: String, _ with: String = "", _ members: String = "") -> String
  {
    Entry.service(script, id: id, members, with: with)
  }

  @Test("A program of ready runs as the user of its service", .enabled(if: ProgramSearch.isPrivileged))
  func userOfReady() throws {
    let service = Entry.program(
      ["sleep", "60"], id: "web",
      with: #""user": "daemon", "directory": "/", "ready": { "command": ["sh", "-c", "test $(id -u) = 1"] }"#,
      command: "RunService")
    let tool = try ToolProcess("run", "--then-stop", "--timeout", "30s").manifest("[\(service)]")
    #expect(try tool.run().status == 0)
  }

  @Test("--then-stop stops the services after the launch, and exits with its code")
  func thenStop() throws {
    let web = service("web", "trap 'echo bye >> trace; exit 0' TERM; echo up; while :; do sleep 0.01; done")
    let tool = try ToolProcess("run", "--then-stop").manifest(
      "[\(web), \(Entry.shell("echo test >> trace", id: "test"))]")
    let result = try tool.run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let trace = try FileSystem.readFile(tool.directory.file("trace"))
    #expect(String(decoding: trace, as: UTF8.self) == "test\nbye\n")
  }

  @Test(
    "A service is ready though it prints nothing",
    arguments: [#""ready": { "file": "/" }"#, #""ready": { "command": ["true"] }"#, #""onExit": "fail""#])
  func silent(member: String) throws {
    let service =
      #"{ "command": "RunService", "id": "a", "with": { "arguments": ["sleep", "100"], \#(member) } }"#
    let result = try ToolProcess("run", "--then-stop", "--timeout", "30s").manifest("[\(service)]").run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test("A port that another process holds fails a service, and the failure names the process")
  func servedBefore() throws {
    let listener = try SocketListener()
    func run(_ arguments: String, _ ready: String) throws -> ToolResult {
      let with = #"{ "arguments": \#(arguments), "ready": \#(ready) }"#
      return try ToolProcess("run", "--then-stop", "--timeout", "30s").environment("PORT", "\(listener.port)")
        .manifest(#"[{ "command": "RunService", "with": \#(with) }]"#).run()
    }
    let words =
      " (process \(Host.processIdentifier)) accepted connections at 127.0.0.1:\(listener.port) before the start: "
    for result in [
      try run(#"["sleep", "100"]"#, #"{ "tcp": "127.0.0.1:{env.PORT}" }"#),
      try run(#"["false"]"#, #"{ "http": "http://127.0.0.1:{env.PORT}/" }"#),
    ] {
      #expect(result.status == 1)
      let text = (result.output + result.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("A result shows that something accepted connections at a path before the service was started")
  func servedPathBefore() throws {
    let tool = try ToolProcess("run", "--then-stop", "--timeout", "30s").manifest(
      #"[{ "command": "RunService", "with": { "arguments": ["sleep", "100"], "ready": { "unix": "socket" } } }]"#
    )
    let listener = try SocketListener(path: tool.directory.file("socket"))
    defer { listener.remove() }
    let result = try tool.run()
    #expect(result.status == 0)
    let words = "another process may have answered at \"socket\""
    #expect(result.output.contains(words), "\(result.output)\(result.errors)")
  }

  @Test("A service is ready by a line that is not the last of its read, also without a journal")
  func firstLine() throws {
    let web = service("web", #"printf 'up\nx\n'; exec sleep 100"#)
    let result = try ToolProcess("run", "--then-stop", "--no-state", "--timeout", "30s").manifest("[\(web)]")
      .run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test("A launch whose unless skips its only service ends like one without services")
  func unnecessary() throws {
    let web = service("web", "echo up; exec sleep 1000", "", #""unless": { "file": "/" }"#)
    let result = try ToolProcess("run", "--timeout", "30s").manifest("[\(web)]").run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test("The app ends with 0 when none of its services is left", arguments: ["exit 3", "read x; exit 3"])
  func noneLeft(script: String) throws {
    let web = service("web", "echo up; \(script)", #""onExit": "ignore""#)
    let result = try ToolProcess("run", "--timeout", "10m").manifest("[\(web)]").run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("web exited with code 3"))
  }

  @Test("The app exits with 0 when its only service fails, and the manifest allows the failure")
  func noneStarted() throws {
    let web = service("web", "exit 3", "", #""onFailure": "continue""#)
    let result = try ToolProcess("run").manifest("[\(web)]").run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test("A launch with --then-stop does not start services that a running app has started")
  func startedTwice() throws {
    let tool = try ToolProcess("run").manifest("[\(service("web", "echo up; exec sleep 1000"))]")
    let running = try tool.start()
    #expect(try running.waitForOutput("booted in"))
    let second = try ToolProcess("run", "--then-stop", tool.directory.file("commands.json")).run()
    #expect(second.status == 4, "\(second.output)\(second.errors)")
    #expect(second.errors.contains("an app is already running"))
    running.signal(Signals.terminate)
    #expect(try running.finish().status == 0)
  }

  @Test("A failed launch whose service was skipped ends without words about services")
  func skippedAfterFailure() throws {
    let tool = try ToolProcess("run").manifest(
      "[\(Entry.shell("exit 3", id: "a")), \(service("web", "echo up"))]")
    let result = try tool.run()
    #expect(result.status == 1 && !result.errors.contains("no service is left"), "\(result.errors)")
  }

  @Test("status shows a service as skipped if the launch was cancelled before its turn")
  func cancelledBefore() throws {
    let first = Entry.shell("touch begun; exec sleep 1000", id: "a")
    let tool = try ToolProcess("run").manifest("[\(first), \(service("web", "echo up"))]")
    let running = try tool.start()
    #expect(running.waitForFile("begun"))
    running.signal(Signals.interrupt)
    #expect(try running.finish().end == .signalled(Signals.interrupt))
    let state = tool.directory.file(".appboot")
    let status = try ToolProcess("status", "--format", "json", "--state", state).run().json()
    #expect(status["last"]?["services"]?.elements.map { $0["state"]?.string } == ["skipped"])
  }

  @Test("A failed step stops the services, and the launch's exit code is its own")
  func failure() throws {
    let web = service("web", "echo $$ > pid; echo up; exec sleep 1000")
    let tool = try ToolProcess("run", "--then-stop").manifest(
      "[\(web), \(Entry.shell("exit 3", id: "test"))]")
    #expect(try tool.run().status == 1)
    let pid = String(decoding: try FileSystem.readFile(tool.directory.file("pid")), as: UTF8.self).dropLast()
    #expect(!Signals.send(0, to: try #require(Int32(pid))))
  }

  @Test("A service that ends before it is ready fails its step, with its output")
  func early() throws {
    let result = try ToolProcess("run").manifest("[\(service("web", "echo no port; exit 7"))]").run()
    #expect(result.status == 1)
    #expect(result.output.contains("\"sh\" exited with code 7 before it was ready, after this output:"))
    #expect(result.output.contains("no port"))
  }

  @Test("A service that is not ready in time fails its step, and says what was missing")
  func slow() throws {
    let entry = service("web", "exec sleep 1000", "", #""timeout": "50ms""#)
    let result = try ToolProcess("run").manifest("[\(entry)]").run()
    #expect(result.status == 1)
    #expect(result.output.contains("timed out after 50ms"))
    #expect(result.output.contains("it printed no line; one that matches"))
  }

  @Test(
    "The end of a service stops the others and exits with 1, or with 0 for finish",
    arguments: ["fail", "finish"])
  func exitPolicy(_ policy: String) throws {
    let first = service(
      "first", "trap 'echo first >> trace; exit' TERM; echo up; while :; do sleep 0.01; done")
    let second = service("second", "mkfifo go; echo up; read x < go; exit 2", #""onExit": "\#(policy)""#)
    let running = try ToolProcess("run").manifest("[\(first), \(second)]")
    let tool = try running.start()
    #expect(try tool.waitForOutput("booted in"))
    let going = try ProcessRequest(["sh", "-c", "echo x > go"], directory: running.directory.path).start()
    #expect(going.wait() == .exited(0))
    let result = try tool.finish()
    #expect(result.status == (policy == "fail" ? 1 : 0))
    #expect(result.errors.contains("second exited with code 2; stopping"))
    let report = try ToolProcess("report", "--state", running.directory.file(".appboot")).run()
    #expect(
      report.output.contains("it printed \"up\"; later it exited with code 2, which ended the app"),
      "\(report.output)\(report.errors)")
    #expect(FileSystem.exists(running.directory.file("trace")))
  }

  @Test(
    "onExit has an effect for a success and one for a failure, and expect says which exit codes are a success",
    arguments: [(3, 0), (0, 1)])
  func exitRule(code: Int, status: Int) throws {
    let members = #""expect": [3], "onExit": { "success": "finish", "failure": "fail" }"#
    let result = try ToolProcess("run").manifest("[\(service("web", "echo up; exit \(code)", members))]")
      .run()
    #expect(result.status == status, "\(result.output)\(result.errors)")
  }

  @Test(
    "What a service prints after it is ready is shown, also if it ends at once", .serialized,
    arguments: [#""ready": { "output": "up" }"#, #""onExit": "fail""#])
  func lastWords(member: String) throws {
    let service = #"""
      { "command": "RunService", "id": "web",
        "with": { "arguments": ["sh", "-c", "echo up; echo fatal: disk full; exit 1"], \#(member) } }
      """#
    for _ in 0..<20 {
      let result = try ToolProcess("run", "--no-state").manifest("[\(service)]").run()
      #expect(result.status == 1)
      guard !result.output.contains("web | fatal: disk full\n") else { continue }
      #expect(Bool(false), "\(result.output)\(result.errors)")
      break
    }
  }

  @Test(
    "An app that stays for its services ends when the reader of its output ends, though nothing is printed")
  func readerThatEnds() throws {
    let result = try ToolProcess("run")
      .manifest(#"[{ "command": "RunService", "id": "a", "with": { "arguments": ["sleep", "1000"] } }]"#)
      .script(#"("$0" "$@" 2>"$APPBOOT_TEST_ERRORS"; echo $? > code) | head -n 1"#).run()
    #expect(result.errors.contains("standard output was closed; stopping"))
    #expect(result.output.split(separator: "\n").count == 1)
  }

  @Test("APPBOOT_ATTEMPT counts the starts of a service, also its restarts")
  func attempts() throws {
    let restart = #""restart": { "when": "always", "backoff": "1ms", "attempts": 2 }"#
    let result = try ToolProcess("run")
      .manifest("[\(service("web", "echo up; echo start $APPBOOT_ATTEMPT", restart))]").run()
    let lines = result.output.split(separator: "\n").filter { $0.contains("start ") }
    #expect(
      lines.map { $0.last } == ["2", "3"] || lines.map { $0.last } == ["1", "2", "3"], "\(result.output)")
  }

  @Test("TERM stops services in reverse order, and kills one that does not stop in time")
  func order() throws {
    // The stubborn shell must write its line within its grace, and may need a longer one on a busy machine.
    let isInOrder = try ["500ms", "30s"].contains { grace in
      let stubborn = service(
        "stubborn", "trap 'echo stubborn >> trace' TERM; echo up; while :; do sleep 0.01; done",
        #""stop": { "grace": "\#(grace)" }"#)
      let polite = service(
        "polite", "trap 'echo polite >> trace; exit' TERM; echo up; while :; do sleep 0.01; done")
      let running = try ToolProcess("run").manifest("[\(stubborn), \(polite)]")
      let tool = try running.start()
      #expect(try tool.waitForOutput("booted in"))
      tool.signal(Signals.terminate)
      let result = try tool.finish()
      #expect(result.status == 0)
      #expect(result.errors.contains("stubborn did not stop within "))
      #expect(result.errors.contains(" of SIGTERM, and was killed"))
      let trace = try FileSystem.readFile(running.directory.file("trace"))
      return String(decoding: trace, as: UTF8.self) == "polite\nstubborn\n"
    }
    #expect(isInOrder)
  }

  @Test(
    "A message reports a service that is slow to stop, and a second signal ends it",
    arguments: [Signals.interrupt, Signals.terminate], ["text", "jsonl"])
  func delayed(signal: Int32, format: String) throws {
    let stubborn = service(
      "db", "trap 'echo told' TERM; echo up; while :; do sleep 0.01; done", #""stop": { "grace": "2m" }"#)
    let running = try ToolProcess("run", "--format", format).manifest("[\(stubborn)]")
      .script(#"exec "$0" "$@" 2>&1"#).start()
    #expect(try running.waitForOutput(format == "text" ? "booted in" : "launchEnded"))
    running.signal(signal)
    let again = signal == Signals.interrupt ? " again" : ""
    #expect(try running.waitForOutput("appboot: stopping db (KILL in 1m"))
    #expect(try running.waitForOutput("); Control-C\(again) ends it at once\n"))
    if format == "jsonl" { #expect(try running.waitForOutput(#"{"kind":"serviceDelayed","at":"#)) }
    running.signal(Signals.interrupt)
    #expect(running.end() == .signalled(Signals.interrupt))
  }

  @Test("A second signal ends services that stop after a cancelled launch")
  func cancelledLaunch() throws {
    let stubborn = service(
      "db", "trap '' TERM; echo up; while :; do sleep 0.01; done", #""stop": { "grace": "2m" }"#)
    let running = try ToolProcess("run", "-v").manifest(
      "[\(stubborn), \(Entry.shell("echo here; exec sleep 600", id: "slow"))]"
    ).script(#"exec "$0" "$@" 2>&1"#).start()
    #expect(try running.waitForOutput("slow | here"))
    running.signal(Signals.interrupt)
    #expect(try running.waitForOutput("); Control-C again ends it at once\n"))
    running.signal(Signals.interrupt)
    let result = try running.finish()
    #expect(result.end == .signalled(Signals.interrupt))
    #expect(!result.output.contains("did not stop within"))
  }

  @Test("After a failed launch, the first Control-C lets the services stop, and another signal kills them")
  func interruptedAfterFailure() throws {
    let script = "trap 'echo told; until [ -e go ]; do sleep 0.01; done; exit 0' TERM; echo up; "
    let db = service("db", script + "while :; do sleep 0.01; done", #""stop": { "grace": "2m" }"#)
    for isTwice in [false, true] {
      let running = try ToolProcess("run").manifest("[\(db), \(Entry.shell("exit 3", id: "test"))]")
        .script(#"exec "$0" "$@" 2>&1"#).start()
      #expect(try running.waitForOutput("); Control-C twice ends it at once\n"))
      running.signal(Signals.interrupt)
      #expect(try running.waitForOutput("appboot: stopping db\n"))
      if isTwice {
        // A repeated INT within 50 ms counts as one.
        running.signal(Signals.terminate)
        #expect(running.end() == .signalled(Signals.terminate))
      } else {
        try FileSystem.writeFile(atomically: [], to: running.file("go"))
        let result = try running.finish()
        #expect(result.status == 1)
        #expect(result.output.contains("Test has stopped: interrupted by Control-C\n"), "\(result.output)")
      }
    }
  }

  @Test("A service that is stopped before it is ready has its own grace")
  func graceBeforeReady() throws {
    let ignoring = "trap '' TERM; mkfifo trapped; echo > trapped; while :; do sleep 0.05; done"
    let entry = service("web", ignoring, #""stop": { "grace": "3s" }"#)
    let running = try ToolProcess("run", "--format", "json").manifest("[\(entry)]")
    let tool = try running.start()
    let trapped = try ProcessRequest(
      ["sh", "-c", "mkfifo trapped; read line < trapped"], directory: running.directory.path
    ).start()
    #expect(trapped.wait() == .exited(0))
    tool.signal(Signals.terminate)
    let result = try tool.finish()
    #expect(result.end == .signalled(Signals.terminate))
    let step = try result.json()["steps"]?.elements.first
    // The launch's own grace is 2 s. The time is measured from a moment after the grace begins.
    #expect(try #require(try step?["killedAfter"]?.integer(as: Int64.self)) > 2_000_000_000)
  }

  @Test("The message about used-up restarts says how many there were, in which time, and what to do")
  func exhausted() throws {
    let script =
      "echo start >> starts; echo up; [ -e booted ] && exit 7; touch booted; mkfifo go; read x < go; exit 7"
    let policy = #""restart": { "when": "onFailure", "backoff": "1ms", "attempts": 2 }"#
    let running = try ToolProcess("run").manifest("[\(service("web", script, policy))]")
    let tool = try running.start()
    #expect(try tool.waitForOutput("booted in"))
    let going = try ProcessRequest(["sh", "-c", "echo x > go"], directory: running.directory.path).start()
    #expect(going.wait() == .exited(0))
    let result = try tool.finish()
    #expect(result.status == 1)
    let parts = [
      "error: web exited with code 7; after 2 restarts in ",
      ", \"restart.attempts\" allows no more; stopping the app",
      "; `appboot logs web` shows its output\n",
    ]
    for part in parts { #expect(result.errors.contains(part), "\(result.errors)") }
    #expect(try FileSystem.readFile(running.directory.file("starts")).count == 3 * "start\n".utf8.count)
  }

  @Test("With -v a service's lines are on standard output with one prefix, before and after it is ready")
  func lines() throws {
    let web = service("web", "echo before; echo up; read x < go; echo after; exec sleep 600")
    let longer = Entry.shell("echo step; [ -p go ] || mkfifo go; echo x > go", id: "longer-name")
    let running = try ToolProcess("run", "-v").manifest(
      "[\(Entry.shell("mkfifo go", id: "make")), \(web), \(longer)]")
    let tool = try running.start()
    #expect(try tool.waitForOutput("web         | after\n"))
    #expect(try tool.waitForOutput("booted in"))
    tool.signal(Signals.terminate)
    let result = try tool.finish()
    #expect(result.output.contains("web         | before\nweb         | up\n"), "\(result.output)")
    #expect(result.errors.hasPrefix("longer-name | step\nappboot: stopping web\n"))
  }

  @Test(
    "The crash of a service that was ready is the verdict of every report, with its last output",
    arguments: [false, true])
  func crash(duringLaunch: Bool) throws {
    let web = service("web", "echo up; read x < go; echo panic: no disk >&2; exit 101")
    let later = Entry.shell(duringLaunch ? "echo x > go; exec sleep 600" : "true", id: "later")
    let tool = try ToolProcess("run", "--record", "record.json", "--junit", "junit.xml")
      .manifest("[\(Entry.shell("mkfifo go", id: "make")), \(web), \(later)]")
    let running = try tool.start()
    if !duringLaunch {
      #expect(try running.waitForOutput("booted in"))
      let going = try ProcessRequest(["sh", "-c", "echo x > go"], directory: tool.directory.path).start()
      #expect(going.wait() == .exited(0))
    }
    let ran = try running.finish()
    #expect(ran.status == 1)
    let failure = "\"sh\" exited with code 101 after it was ready, after this output:"
    if duringLaunch { #expect(ran.output.contains(failure), "\(ran.output)") }
    let record = try LaunchRecord(
      json: String(decoding: FileSystem.readFile(tool.directory.file("record.json")), as: UTF8.self))
    let step = try #require(record["web"])
    #expect(step.cause == "panic: no disk" && step.details.failureTime ?? 0 >= step.execution.endTime ?? .max)
    for format in ["text", "markdown", "html", "github", "json"] {
      let report = try ToolProcess("report", "--format", format, tool.directory.file("record.json")).run()
        .output
      #expect(
        report.contains("panic: no disk") || report.contains("panic&#58; no disk"), "\(format): \(report)")
      if format == "text" { #expect(report.contains(failure) && report.contains("web failed"), "\(report)") }
      if format == "json" { #expect(report.contains(#""outcome": "failed""#), "\(report)") }
    }
    let cases = String(decoding: try FileSystem.readFile(tool.directory.file("junit.xml")), as: UTF8.self)
    #expect(cases.contains("<failure ") && cases.contains("panic: no disk"))
    let state = try ToolProcess("report", "--state", tool.directory.file(".appboot")).run()
    #expect(state.output.contains(failure), "\(state.output)\(state.errors)")
  }

  @Test("The failure of a service that was ready follows the end of the launch in the stream of events")
  func crashInStream() throws {
    let web = service("web", "echo up; read x < go; exit 9")
    let later = Entry.shell("echo x > go; exec sleep 600", id: "later")
    let result = try ToolProcess("run", "--format", "jsonl")
      .manifest("[\(Entry.shell("mkfifo go", id: "make")), \(web), \(later)]").run()
    #expect(result.status == 1)
    let lines = try result.jsonLines()
    let end = try #require(lines.firstIndex { $0["kind"]?.string == "launchEnded" })
    let failure = try #require(lines[end...].first { $0["kind"]?.string == "ended" })
    #expect(failure["step"]?.string == "web" && failure["state"]?.string == "failed", "\(result.output)")
  }

  @Test("A line with the expected word only inside another word does not make a service ready")
  func words() throws {
    let web =
      #"{ "command": "RunService", "id": "web", "with": { "arguments": ["sh", "-c", "echo address already in use; exit 1"], "#
      + #""ready": { "output": "ready" } } }"#
    let result = try ToolProcess("run").manifest("[\(web)]").run()
    #expect(result.status == 1)
    #expect(result.output.contains("exited with code 1 before it was ready"), "\(result.output)")
  }

  @Test("The first Control-C while --then-stop stops a service lets it stop, and the second one kills it")
  func interruptedThenStop() throws {
    let script = "trap 'echo told; until [ -e go ]; do sleep 0.01; done; exit 0' TERM; echo up; "
    let web = service("web", script + "while :; do sleep 0.01; done", #""stop": { "grace": "2m" }"#)
    for isTwice in [false, true] {
      let running = try ToolProcess("run", "--then-stop").script(#"exec "$0" "$@" 2>&1"#).manifest("[\(web)]")
        .start()
      #expect(try running.waitForOutput("web | told"))
      running.signal(Signals.interrupt)
      #expect(try running.waitForOutput("appboot: stopping web\n"))
      if isTwice {
        // A repeated INT within 50 ms counts as one.
        #expect(try running.waitForOutput("Control-C again ends it at once"))
        running.signal(Signals.interrupt)
      } else {
        try FileSystem.writeFile(atomically: [], to: running.file("go"))
      }
      let result = try running.finish()
      #expect(result.end == .signalled(Signals.interrupt))
      #expect(
        result.output.contains("web has stopped (exited with code 0)\n") == !isTwice, "\(result.output)")
      #expect(result.output.hasSuffix("Test was ended at once by SIGINT\n") == isTwice, "\(result.output)")
    }
  }

  @Test("QUIT ends an app and its services without a message about a restart")
  func quit() throws {
    let web = service("web", "echo up; exec sleep 600", #""restart": { "when": "onFailure" }"#)
    let running = try ToolProcess("run").script(#"ulimit -c 0; exec "$0" "$@" 2>&1"#).manifest("[\(web)]")
      .start()
    #expect(try running.waitForOutput("booted in"))
    running.signal(Signals.quit)
    let result = try running.finish()
    #expect(result.end == .signalled(Signals.quit))
    #expect(result.output.hasSuffix("appboot: Test was ended at once by SIGQUIT\n"), "\(result.output)")
  }

  @Test(
    "Control-C and TERM print which services they stop, the end of each, and the result",
    arguments: [Signals.interrupt, Signals.terminate])
  func interrupted(signal: Int32) throws {
    let running = try ToolProcess("run").manifest(
      "[\(service("db", "echo up; exec sleep 600")), \(service("web", "echo up; exec sleep 600"))]")
    let tool = try running.start()
    #expect(try tool.waitForOutput("booted in"))
    tool.signal(signal)
    let result = try tool.finish()
    #expect(result.end == (signal == Signals.interrupt ? .signalled(signal) : .exited(0)))
    let end = signal == Signals.interrupt ? "interrupted by Control-C" : "ended by SIGTERM"
    #expect(
      result.messages == [
        "appboot: stopping db, web", "appboot: web has stopped (was killed by SIGTERM)",
        "appboot: db has stopped (was killed by SIGTERM)", "appboot: Test has stopped: \(end)",
      ], "\(result.errors)")
  }

  @Test(
    "A service that ends while the handlers of willTerminate run is neither a failure nor restarted",
    arguments: ["never", "always"])
  func endDuringHandlers(restart: String) throws {
    let policy = #""restart": { "when": "\#(restart)", "backoff": "1ms" }"#
    let web = service("web", "echo $$ > pid; echo up; exec sleep 600", policy)
    let running = try ToolProcess("run").manifest(
      "[\(web)]",
      members: #""name": "Test", "on": { "willTerminate": [\#(Entry.shell(Self.kill, id: "drain"))] }"#)
    let tool = try running.start()
    #expect(try tool.waitForOutput("booted in"))
    tool.signal(Signals.terminate)
    let result = try tool.finish()
    #expect(result.status == 0)
    #expect(
      result.errors == """
        appboot: stopping web
        appboot: web has stopped (was killed by SIGKILL)
        appboot: Test has stopped: ended by SIGTERM

        """)
    let report = try ToolProcess("report", "--state", running.directory.file(".appboot")).run()
    #expect(!report.output.contains("web failed"), "\(report.output)")
  }

  /// A script that kills the process of the file `pid`, and waits until it has gone.
  private static let kill = "p=$(cat pid); kill -KILL $p; while kill -0 $p 2>&-; do sleep 0.01; done"

  @Test("A service that ends while TERM cancels the launch is not an error")
  func endDuringCancellation() throws {
    let web = service("web", "echo $$ > pid; echo up; exec sleep 600")
    let slow = Entry.shell("trap '\(Self.kill); exit 1' TERM; echo here; sleep 600 & wait", id: "slow")
    let running = try ToolProcess("run", "-v").manifest("[\(web), \(slow)]")
      .script(#"exec "$0" "$@" 2>&1"#).start()
    #expect(try running.waitForOutput("slow | here"))
    running.signal(Signals.terminate)
    let result = try running.finish()
    #expect(result.end == .signalled(Signals.terminate))
    #expect(!result.output.contains("onExit"), "\(result.output)")
  }

  /// Returns what `validate` reports for a web service that is restarted with another entry.
  private func mistakes(with id: String, _ before: String = "", after: String = "") throws -> String {
    let web = service("web", "echo up", #""restart": { "with": ["\#(id)"] }"#)
    let entries = [before, web, after].filter { !$0.isEmpty }.joined(separator: ", ")
    return try ToolProcess("validate").manifest("[\(entries)]").run().output
  }

  @Test("An id of no service before a service is an error at its place in \"restart.with\"")
  func restartedWithMistake() throws {
    let database = service("database", "echo up")
    #expect(try !mistakes(with: "database", database).contains("error"))
    let unknown = try mistakes(with: "databse", database)
    #expect(unknown.contains("no entry has the id \"databse\""), "\(unknown)")
    #expect(unknown.contains("did you mean \"database\"?"), "\(unknown)")
    #expect(
      try mistakes(with: "database", after: database).contains(
        "\"database\" does not come before this step"))
    #expect(try mistakes(with: "web").contains("a service cannot refer to itself"))
    let job = Entry.shell("true", id: "job")
    #expect(try mistakes(with: "job", job).contains("\"job\" is a RunProcess, which is not a service"))
  }

  @Test("A service is restarted after the one with which it is restarted is ready again")
  func restartedWith() throws {
    let database = service("database", "echo up; exec sleep 600")
    let web = service("web", "echo up; exec sleep 600", #""restart": { "with": ["database"] }"#)
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(database), \(web)]")
    let app = Staying(tool: tool, running: try Staying.again(tool))
    #expect(try app.ask("restart", "database").status == 0)
    let isReadyAgain = try Patience.wait {
      let services = try app.status()["services"].map { Array($0.elements) } ?? []
      return try services.map { $0["state"]?.string } == ["ready", "ready"]
        && services.last?["restarts"]?.integer(as: Int.self) == 1
    }
    #expect(isReadyAgain)
    let result = try app.end()
    #expect(result.status == 0)
    // The first four are the first starts.
    let changes = try result.jsonLines().filter { $0["kind"]?.string == "serviceChanged" }.dropFirst(4)
    let states = changes.prefix(7).map { "\($0["step"]?.string ?? "") \($0["state"]?.string ?? "")" }
    #expect(
      states == [
        "database stopping", "database restarting", "database starting", "database ready", "web stopping",
        "web restarting", "web starting",
      ])
    #expect(
      result.errors.contains("appboot: web was stopped, because database was restarted; starting it again\n"))
    #expect(result.errors.contains("appboot: web is ready again, process "))
  }

  @Test(
    "The failure of a program that puts itself into the background says that it became a daemon",
    arguments: ["exec setsid -f sleep 600", "env -i sh -c 'sleep 600; :' & exit 0"])
  func daemon(script: String) throws {
    let result = try ToolProcess("run", "--timeout", "60s").manifest("[\(service("web", script))]").run()
    #expect(result.status == 1)
    let text = (result.output + result.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(#""sh" exited with code 0 before it was ready"#), "\(text)")
    #expect(text.contains("still ran: it became a daemon. Run it in the foreground, for example"), "\(text)")
  }

  @Test("A service that fails is restarted, and its output is shown")
  func restart() throws {
    let script = "[ -p go ] || mkfifo go; echo up; read x < go; exit 1"
    let policy = #""restart": { "when": "onFailure", "backoff": "1ms" }"#
    let running = try ToolProcess("run").manifest("[\(service("web", script, policy))]")
    let tool = try running.start()
    #expect(try tool.waitForOutput("booted in"))
    for text in ["web | up\n", "web | up\nweb | up\n"] {
      let going = try ProcessRequest(["sh", "-c", "echo x > go"], directory: running.directory.path).start()
      #expect(going.wait() == .exited(0))
      #expect(try tool.waitForOutput(text))
    }
    tool.signal(Signals.interrupt)
    let result = try tool.finish()
    #expect(result.end == .signalled(Signals.interrupt))
    #expect(result.errors.contains("web exited with code 1; restarting in 1.0 ms"))
    #expect(result.errors.contains("appboot: web is ready again, process "))
  }
}
