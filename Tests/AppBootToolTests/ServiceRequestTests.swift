import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("Requests for single services", .ownThread)
struct ServiceRequestTests {
  /// A script that is ready at once, and ends at TERM.
  private static let polite = "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.01; done"

  /// Returns an entry whose service runs a shell script and is ready when it prints "up".
  private func service(_ id: String, _ script: String = polite, _ with: String = "", _ members: String = "")
    -> String
  {
    Entry.service(script, id: id, members, with: with)
  }

  private func start(_ services: String...) throws -> Staying {
    let tool = try ToolProcess("run", "--format", "jsonl")
      .manifest("[\(services.joined(separator: ", "))]", members: #""name": "Test""#)
    return Staying(tool: tool, running: try Staying.again(tool))
  }

  private func states(_ app: Staying) throws -> [String: String] {
    let services = try app.status()["services"].map { Array($0.elements) } ?? []
    return Dictionary(
      uniqueKeysWithValues: services.map { ($0["id"]?.string ?? "", $0["state"]?.string ?? "") })
  }

  private func pid(_ app: Staying, _ id: String) throws -> Int32? {
    let services = try app.status()["services"].map { Array($0.elements) } ?? []
    let service = services.first { $0["id"]?.string == id }
    return try service?["pid"]?.integer(as: Int32.self)
  }

  @Test("stop ends one service, which stays down, and restart starts it again")
  func stopAndRestart() throws {
    let app = try start(
      service("web", Self.polite, #""restart": { "when": "always", "backoff": "1ms" }"#), service("worker"))
    let first = try #require(try pid(app, "web"))
    let stopped = try app.ask("stop", "web")
    #expect(stopped.status == 0 && stopped.output == "web: stopped (exited with code 0)\n")
    #expect(!Signals.send(0, to: first))
    #expect(try states(app) == ["web": "stopped", "worker": "ready"])
    let again = try app.ask("stop", "web")
    #expect(again.status == 0 && again.output == "web: stopped (exited with code 0); it did not run\n")
    let restarted = try app.ask("restart", "web")
    let second = try #require(try pid(app, "web"))
    #expect(restarted.status == 0 && restarted.output == "web: ready, process \(second)\n")
    #expect(first != second)
    #expect(try app.ask("restart", "web", "--quiet").output.isEmpty)
    #expect(try pid(app, "web") != second)
    let end = try app.end()
    #expect(end.status == 0)
    #expect(
      end.messages.starts(with: [
        "appboot: web was stopped, as requested", "appboot: web was restarted, as requested",
        "appboot: web was restarted, as requested", "appboot: stopping web, worker",
      ]), "\(end.errors)")
  }

  @Test("Between two attempts of its step, a service is restarting, and the step decides")
  func betweenAttempts() throws {
    let retry = #""retry": { "attempts": 2, "backoff": "10m" }"#
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(service("a", "exit 7", "", retry))]")
    let app = try Staying(tool: tool, running: tool.start())
    #expect(try app.running.waitForOutput(#""kind":"retrying""#))
    #expect(Patience.wait { (try? states(app)) == ["a": "restarting"] })
    for request in ["stop", "restart"] {
      let result = try app.ask(request, "a")
      #expect(result.status == 4 && result.errors.contains("is still starting it"), "\(result.errors)")
    }
    #expect(try app.ask("stop").status == 0)
    #expect(try app.running.finish().status != 0)
    #expect(try app.ask("status").output.contains(" failed (exited with code 7)"))
  }

  @Test("All requests to start that wait for the next attempt of a step are answered")
  func startsBetweenAttempts() throws {
    let script = "test -e good && { \(Self.polite); }; echo x >> starts; exit 7"
    let retry = #""retry": { "attempts": 1000, "backoff": "100ms" }"#
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(service("a", script, "", retry))]")
    let app = try Staying(tool: tool, running: tool.start())
    #expect(app.running.waitForFile("starts"))
    let others = try (0..<2).map { _ in try ToolProcess("start", "a", "--state", app.state).start() }
    let starts = { (try? FileSystem.readFile(tool.directory.file("starts")).count) ?? 0 }
    let before = starts()
    #expect(Patience.wait { starts() > before + 4 })
    try tool.directory.write("good", "")
    for other in others {
      let result = try other.finish()
      #expect(result.status == 0 && result.output.hasPrefix("a: ready, process "), "\(result)")
    }
    #expect(try app.end().status == 0)
  }

  @Test("A service whose last attempt cannot start its program has failed, and the app ends")
  func missingAtLastAttempt() throws {
    let entry = Entry.program(
      ["./once"], id: "a", #""retry": { "attempts": 2, "backoff": "1ms" }, "onFailure": "continue""#,
      with: #""ready": { "output": "^up" }"#, command: "RunService")
    let tool = try ToolProcess("run").manifest("[\(entry)]").file("once", "#!/bin/sh\nrm once\nexit 1\n")
    let mode = try ProcessRequest(["chmod", "+x", "once"], directory: tool.directory.path).start()
    #expect(mode.wait() == .exited(0))
    let result = try tool.run()
    #expect(result.status == 0 && result.output.contains("allowed failure"), "\(result)")
    #expect(try ToolProcess("status", tool.directory.path).run().output.contains("a             failed"))
  }

  @Test("A service that starts while the one named in restart.with restarts is restarted when it is ready")
  func restartedWhileStarting() throws {
    let slow = "echo x >> starts; while [ ! -e go ]; do sleep 0.01; done; \(Self.polite)"
    let web = service("web", slow, #""restart": { "when": "onFailure", "with": ["db"] }"#)
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(service("db")), \(web)]")
    let app = try Staying(tool: tool, running: tool.start())
    #expect(app.running.waitForFile("starts"))
    #expect(try app.ask("restart", "db").status == 0)
    try tool.directory.write("go", "")
    #expect(
      Patience.wait { (try? FileSystem.readFile(tool.directory.file("starts"))) == Array("x\nx\n".utf8) })
    #expect(try app.running.waitForOutput(#""kind":"launchEnded""#))
    #expect(try app.end().status == 0)
  }

  @Test("Several services are stopped in the order of the arguments, and an unknown service ends the command")
  func several() throws {
    let app = try start(service("a"), service("b"), service("c"))
    let stopped = try app.ask("stop", "c", "a")
    #expect(stopped.status == 0)
    #expect(
      stopped.output == "c: stopped (exited with code 0)\na: stopped (exited with code 0)\n",
      "\(stopped.errors)")
    #expect(try states(app) == ["a": "stopped", "b": "ready", "c": "stopped"])
    let unknown = try app.ask("stop", "b", "x")
    #expect(unknown.status == 2 && unknown.errors.contains("there is no service \"x\"; nothing was done"))
    #expect(try states(app)["b"] == "ready")
    #expect(try app.end().status == 0)
  }

  @Test("down stops the app with its services, and waits until the directory can be used again")
  func down() throws {
    let app = try start(
      service("web", "trap 'sleep 0.1; echo bye > bye; exit' TERM; echo up; while :; do sleep 0.01; done"))
    let process = try #require(try pid(app, "web"))
    let down = try app.ask("down")
    #expect(down.status == 0 && down.output == "Test has stopped\n", "\(down.errors)")
    #expect(FileSystem.exists(app.tool.directory.file("bye")) && !Signals.send(0, to: process))
    let result = try app.running.finish()
    #expect(
      result.status == 0 && result.errors.contains("stopping, as requested"), "\(result.errors)")
    let late = try app.ask("down")
    #expect(late.status == 4 && late.errors.contains("no app is running"))
  }

  @Test("A stop counts as one if the program of stop ends the process and leaves another one")
  func stopProgramThatLeaves() throws {
    let members = #""stop": { "command": ["sh", "-c", "kill $MAINPID"] }, "restart": "always""#
    let app = try start(service("web", "sleep 1000 & echo up; wait", members), service("b"))
    #expect(try app.ask("stop", "web").status == 0)
    #expect(try states(app) == ["web": "stopped", "b": "ready"])
    #expect(try app.end().status == 0)
  }

  @Test("A restart after a change of the manifest uses the new entry, and says so")
  func changedManifest() throws {
    let app = try start(service("a"))
    let before = try app.ask("restart", "a")
    #expect(before.status == 0 && !before.output.contains("manifest"))
    let edited = Self.polite.replacing("echo bye", with: "echo later")
    try #require(edited != Self.polite)
    _ = try app.tool.manifest("[\(service("a", edited))]")
    let after = try app.ask("restart", "a")
    #expect(after.status == 0)
    #expect(after.output.hasSuffix("; using its entry from the changed manifest\n"))
    _ = try app.tool.manifest("[\(service("a"))]")
    #expect(try app.ask("restart", "a").status == 0)
    let end = try app.end()
    let words = end.output.split(separator: "\n").filter { $0.contains("\"kind\":\"output\"") }
      .compactMap { line in ["bye", "later"].first { line.contains("\"\($0)\"") } }
    #expect(words == ["bye", "bye", "later", "bye"])
  }

  @Test("A restart uses the environment and the timeout of the changed entry")
  func changedEntry() throws {
    let script = "echo MODE=$MODE; \(Self.polite)"
    let app = try start(service("a", script, "", #""environment": { "MODE": "old" }"#))
    _ = try app.tool.manifest("[\(service("a", script, "", #""environment": { "MODE": "new" }"#))]")
    #expect(try app.ask("restart", "a").status == 0)
    _ = try app.tool.manifest("[\(service("a", "exec sleep 100", "", #""timeout": "50ms""#))]")
    let late = try app.ask("restart", "a")
    #expect(late.status == 1 && late.errors.contains("was not ready within 50ms"), "\(late.errors)")
    let output = try app.end().output
    #expect(output.contains("MODE=old") && output.contains("MODE=new"))
  }

  @Test("A secret of a changed entry is hidden in logs and messages")
  func changedSecret() throws {
    let app = try start(service("a"))
    let script = "echo token $TOKEN; \(Self.polite)"
    let variables = #""environment": { "TOKEN": "hunter22" }"#
    _ = try app.tool.manifest(
      "[\(service("a", script, variables))]", members: #""name": "Test", "secrets": ["TOKEN"]"#)
    let answer = try app.ask("restart", "a")
    #expect(answer.status == 0, "\(answer.errors)")
    let logs = try app.ask("logs", "a")
    #expect(logs.output.contains("token ***") && !logs.output.contains("hunter22"))
    let end = try app.end()
    #expect(!(end.output + end.errors).contains("hunter22"))
  }

  @Test("A restart counts the starts of a service, also after a change of its entry")
  func changedAttempt() throws {
    let app = try start(service("a", "echo attempt $APPBOOT_ATTEMPT; \(Self.polite)"))
    #expect(try app.ask("restart", "a").status == 0)
    _ = try app.tool.manifest("[\(service("a", "echo new $APPBOOT_ATTEMPT; \(Self.polite)"))]")
    for _ in 0..<2 { #expect(try app.ask("restart", "a").status == 0) }
    let output = try app.end().output
    for line in ["attempt 1", "attempt 2", "new 3", "new 4"] { #expect(output.contains("\"\(line)\"")) }
  }

  @Test("A restart uses a changed environment file, though the manifest is the same")
  func changedFile() throws {
    let tool = try ToolProcess("run", "--format", "jsonl").file(".env", "MODE=old\n")
      .manifest(
        "[\(service("a", "echo MODE=$MODE; \(Self.polite)"))]",
        members: #""name": "Test", "environment": { "files": [".env"] }"#)
    let app = Staying(tool: tool, running: try Staying.again(tool))
    try FileSystem.writeFile(atomically: Array("MODE=new\n".utf8), to: tool.directory.file(".env"))
    #expect(try app.ask("restart", "a").output.contains("using its entry"))
    let output = try app.end().output
    #expect(output.contains("MODE=old") && output.contains("MODE=new"))
  }

  @Test(
    "A restart after a change of the order, or with a mistake in the manifest, leaves the service as it is")
  func changedOrder() throws {
    let app = try start(service("a"))
    let process = try pid(app, "a")
    _ = try app.tool.manifest("[\(service("a")), \(service("b"))]")
    let order = try app.ask("restart", "a")
    #expect(order.status == 4 && order.errors.contains("or their order have changed: restart the app"))
    _ = try app.tool.manifest("[")
    let mistake = try app.ask("restart", "a")
    #expect(mistake.status == 4 && mistake.errors.contains("`appboot validate` shows the mistakes"))
    #expect(try pid(app, "a") == process)
    #expect(try app.end().status == 0)
  }

  @Test("With --dependents, the services after a service stop before it and start after it")
  func dependents() throws {
    let app = try start(service("a"), service("b"), service("c"))
    func ids(_ result: ToolResult) -> String {
      result.output.split(separator: "\n").map { $0.prefix { $0 != "," && $0 != "(" } }.joined(
        separator: "; ")
    }
    #expect(
      ids(try app.ask("restart", "b", "--dependents")) == "c: stopped ; b: stopped ; b: ready; c: ready")
    #expect(
      ids(try app.ask("restart", "a", "b", "--dependents"))
        == "c: stopped ; b: stopped ; a: stopped ; a: ready; b: ready; c: ready")
    #expect(ids(try app.ask("stop", "a", "--dependents")) == "c: stopped ; b: stopped ; a: stopped ")
    #expect(ids(try app.ask("start", "b")) == "a: ready; b: ready")
    #expect(try states(app) == ["a": "ready", "b": "ready", "c": "stopped"])
    #expect(try app.end().status == 0)
  }

  @Test("start first starts a needed service that waits for its restart")
  func startOfWaiting() throws {
    let app = try start(
      service("a", Self.polite, #""restart": { "when": "always", "backoff": "1h", "maxBackoff": "1h" }"#),
      service("b"))
    #expect(try app.ask("stop", "b").status == 0)
    #expect(try app.ask("kill", "--signal", "KILL", "a").status == 0)
    while try states(app)["a"] != "restarting" {}
    #expect(try app.ask("start", "b").status == 0)
    #expect(try states(app) == ["a": "ready", "b": "ready"])
    #expect(try app.end().status == 0)
  }

  @Test("start starts a service that is stopped, and does not change one that is ready")
  func startOfStopped() throws {
    let app = try start(service("web"))
    #expect(try app.ask("stop", "web").status == 0)
    let started = try app.ask("start", "web")
    let first = try #require(try pid(app, "web"))
    #expect(started.status == 0 && started.output == "web: ready, process \(first)\n")
    let again = try app.ask("start", "web")
    #expect(again.status == 0)
    #expect(again.output == "web: ready, process \(first); it was not started again\n")
    #expect(try app.ask("start", "web", "--format", "json").json()["unchanged"]?.bool == true)
    #expect(try app.ask("start", "wbe").errors.contains("did you mean \"web\"?"))
    let end = try app.end()
    #expect(end.status == 0)
    #expect(
      end.messages.starts(with: [
        "appboot: web was stopped, as requested", "appboot: web was started, as requested",
        "appboot: stopping web",
      ]), "\(end.errors)")
  }

  @Test("kill sends the named signal to the process of a service")
  func kill() throws {
    let script = "trap 'echo hup > hup' HUP; \(Self.polite)"
    let app = try start(service("web", script))
    let process = try #require(try pid(app, "web"))
    let sent = try app.ask("kill", "-s", "hup", "web")
    #expect(sent.status == 0 && sent.output == "web: sent SIGHUP to process \(process)\n", "\(sent.errors)")
    #expect(app.running.waitForFile("hup"))
    #expect(try pid(app, "web") == process)
    #expect(try app.ask("stop", "web").status == 0)
    let down = try app.ask("kill", "web")
    #expect(down.status == 1)
    #expect(down.errors == "appboot: web did not receive the signal: it does not run\n")
    #expect(try app.end().errors.contains("appboot: web was sent SIGHUP, as requested\n"))
  }

  @Test("kill sends KILL by default, and the end of the service counts like any other")
  func killByDefault() throws {
    let app = try start(
      service("web", Self.polite, #""restart": { "when": "onFailure", "backoff": "1ms" }"#))
    #expect(try app.ask("kill", "web").status == 0)
    #expect(try app.running.waitForOutput(#""restarts":1"#))
    let end = try app.end()
    #expect(end.errors.contains("web was killed by SIGKILL; restarting in 1.0 ms"), "\(end.errors)")
  }

  @Test("An unknown signal is a usage error with the closest name")
  func unknownSignal() throws {
    let result = try ToolProcess("kill", "--signal", "TREM", "web").run()
    #expect(result.status == 2)
    #expect(result.errors == "appboot: error: \"TREM\" is not a signal\nhelp: did you mean \"TERM\"?\n")
  }

  @Test("A restart that fails leaves the service down, and the app running", arguments: ["fail", "ignore"])
  func failedRestart(onExit: String) throws {
    let script = "[ -e second ] && { echo broken; exit 3; }; touch second; \(Self.polite)"
    let app = try start(service("web", script, #""onExit": "\#(onExit)""#))
    let result = try app.ask("restart", "web")
    #expect(result.status == 1 && result.output.isEmpty)
    let failure = "\"sh\" exited with code 3 before it was ready, after this output:\n    broken\n"
    #expect(result.errors == "appboot: web is not ready: \(failure)")
    #expect(try states(app) == ["web": "ended"])
    #expect(try app.ask("wait", "web").errors == "appboot: web has ended\n")
    let end = try app.end()
    #expect(end.status == 0)
    #expect(end.errors.contains("appboot: warning: web was not restarted: \(failure)"))
  }

  @Test("A restart whose probe fails leaves the service down, and the app running")
  func impossibleRestart() throws {
    let web =
      #"{ "command": "RunService", "id": "web", "with": { "arguments": ["sleep", "600"], "#
      + #""restart": { "when": "always" }, "ready": { "command": ["./check"] } } }"#
    let app = try start(
      Entry.shell("echo '#!/bin/sh' > check; chmod +x check", id: "make"), web, service("other"))
    try FileSystem.remove(app.tool.directory.file("check"))
    let result = try app.ask("restart", "web")
    #expect(result.status == 1 && result.errors.contains("web is not ready: "), "\(result.errors)")
    #expect(try states(app) == ["web": "ended", "other": "ready"])
    #expect(try app.end().status == 0)
  }

  @Test("A restarted service that is not ready within the entry's timeout has ended for that reason")
  func slowRestart() throws {
    let script = "[ -e second ] && exec sleep 1000; touch second; \(Self.polite)"
    // The first start has no limit: on a busy machine it takes longer.
    let app = try start(service("web", script))
    _ = try app.tool.manifest("[\(service("web", script, "", #""timeout": "50ms""#))]")
    let result = try app.ask("restart", "web")
    #expect(result.status == 1)
    #expect(result.errors.contains("was not ready within 50ms: it printed no line; one that matches"))
    #expect(try states(app) == ["web": "ended"])
    let status = try ToolProcess("status", "--state", app.state).run().output
    #expect(status.contains("ended (was not ready within 50ms: it printed no line"))
    #expect(try app.end().status == 0)
  }

  @Test("The answer and the record show that a stop needed SIGKILL")
  func killed() throws {
    let app = try start(
      service("web", "trap '' TERM; echo up; while :; do sleep 0.01; done", #""stop": { "grace": "50ms" }"#)
    )
    let result = try app.ask("stop", "web", "--format", "json").json()
    #expect(
      result["killed"]?.bool == true && result["end"]?.string == "was killed by SIGKILL", "\(result.text)")
    let end = try app.end()
    #expect(end.status == 0)
    let line = try end.jsonLines().first { $0["kind"]?.string == "killed" }
    let time = try #require(try line?["after"]?.integer(as: Int64.self))
    #expect(time >= 50_000_000 && line?["step"]?.string == "web")
    let report = try ToolProcess("report", "--format", "json", "--state", app.state).run().json()
    #expect(try report["steps"]?.elements.first?["killedAfter"]?.integer(as: Int64.self) == time)
  }

  @Test("The answer to a restart shows that another process may have the address")
  func servedRestart() throws {
    let tool = try ToolProcess("run", "--format", "jsonl").manifest(
      #"[{ "command": "RunService", "id": "web", "with": { "arguments": ["sleep", "600"], "#
        + #""ready": { "unix": "socket" } } }]"#)
    let listener = try SocketListener(path: tool.directory.file("socket"))
    defer { listener.remove() }
    let app = Staying(tool: tool, running: try Staying.again(tool))
    let doubt = "another process may have answered at \"socket\""
    let result = try app.ask("restart", "web")
    #expect(result.status == 0 && result.output.hasSuffix("; \(doubt)\n"), "\(result.output)")
    let end = try app.end()
    #expect(end.status == 0 && end.errors.contains("warning: web: \(doubt)\n"), "\(end.errors)")
  }

  @Test(
    "The directory of a running app, or its state directory, selects the app",
    arguments: ["", "/.appboot"])
  func directory(inner: String) throws {
    let app = try start(service("web", "echo up; exec sleep 100"))
    let source = app.tool.directory.path + inner
    let status = try ToolProcess("status", source).run()
    #expect(status.status == 0 && status.output.contains("web"), "\(status.errors)")
    let restarted = try ToolProcess("restart", "web", source).run()
    #expect(restarted.status == 0, "\(restarted.errors)")
    #expect(try app.end().status == 0)
  }

  @Test("The stop subcommand reports the service that it waits for if the service is slow")
  func waiting() throws {
    let app = try start(
      service(
        "web", "mkfifo go; trap 'read x < go; exit 0' TERM; echo up; while :; do sleep 0.01; done",
        #""stop": { "grace": "10m" }"#))
    let stopping = try ToolProcess("stop", "web", "--state", app.state)
      .script(#"exec "$0" "$@" 2>&1"#).start()
    #expect(try stopping.waitForOutput("appboot: waiting for web to stop\n"))
    let going = try ProcessRequest(["sh", "-c", "echo x > go"], directory: app.tool.directory.path).start()
    #expect(going.wait() == .exited(0))
    #expect(try stopping.finish().output.hasSuffix("web: stopped (exited with code 0)\n"))
    #expect(try app.end().status == 0)
  }

  @Test(
    "A request for a service in Swift that ignores its cancellation fails with 1",
    arguments: [("stop", "stopped"), ("restart", "ready")])
  func abandoned(action: String, aim: String) throws {
    let failure = "its task ignores its cancellation, and still runs"
    let result = try answer(
      to: action, #"{"id":"web","succeeded":false,"failure":"\#(failure)","state":"stopping"}"#)
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors == "appboot: web is not \(aim): \(failure)\n")
  }

  @Test("The answer for a service in Swift that was cancelled calls it a service, and not a process")
  func cancelled() throws {
    let result = try answer(
      to: "stop", #"{"id":"web","succeeded":true,"state":"stopped","cancelled":true,"end":"returned"}"#)
    #expect(
      result.output
        == "web: stopped (returned); the service did not shut down within its grace, and was cancelled\n")
  }

  /// Asks an app, which gives an answer about its service "web".
  private func answer(to action: String, _ service: String) throws -> ToolResult {
    let tool = try ToolProcess(action, "web", "--state", ".")
    let server = try ControlServer(in: tool.directory.path) { $1(Control.answer("service", service)) }
    try server.start()
    defer { server.stop {} }
    return try tool.run()
  }

  @Test("Two clients that restart a service at the same time are both answered when it is ready")
  func together() throws {
    let app = try start(service("web"))
    let first = try ToolProcess("restart", "web", "--state", app.state).start()
    let second = try ToolProcess("restart", "web", "--state", app.state).start()
    for client in [first, second] {
      let result = try client.finish()
      #expect(result.status == 0 && result.output.hasPrefix("web: ready, process "), "\(result.errors)")
    }
    #expect(try app.end().status == 0)
  }

  @Test("stop without a service stops the app")
  func stopAll() throws {
    let app = try start(service("web"))
    #expect(try app.ask("stop").output == "Test has stopped\n")
    #expect(try app.running.finish().status == 0)
  }

  @Test("The error of a request without a service, or with an unknown one, lists the services")
  func names() throws {
    let app = try start(service("web"), service("worker"))
    let cases: [([String], Int32, String)] = [
      (["stop", "--dependents"], 2, "--dependents needs SERVICE"),
      (["restart"], 2, "restart needs the id of a service: web, worker"),
      (["stop", "wbe"], 2, "there is no service \"wbe\"; did you mean \"web\"?"),
      (["restart", "database"], 2, "there is no service \"database\"; the services are web, worker"),
    ]
    for (arguments, status, words) in cases {
      let result = try ToolProcess().with(arguments).with("--state", app.state).run()
      #expect(result.status == status, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
    }
    #expect(try states(app) == ["web": "ready", "worker": "ready"])
    #expect(try app.end().status == 0)
    let late = try app.ask("stop", "web")
    #expect(late.status == 4 && late.errors.contains("no app is running with the state directory"))
    let app2 = try Staying.start()
    let none = try app2.ask("restart", "web")
    #expect(none.status == 2 && none.errors.contains("there is no service \"web\"; the app has no services"))
    #expect(try app2.end().status == 0)
  }

  @Test("status is degraded while a service with onExit fail is down, and shows pid, memory and restarts")
  func status() throws {
    let app = try start(service("web"), service("extra", Self.polite, #""onExit": "ignore""#))
    #expect(try app.waitForPhase("active"))
    let web = try #require(try app.status()["services"]?.elements.first)
    #expect(try #require(try web["memory"]?.integer(as: Int64.self)) > 100_000)
    #expect(try #require(try web["uptime"]?.integer(as: Int64.self)) > 0)
    #expect(try web["restarts"]?.integer(as: Int64.self) == 0)
    #expect(try app.ask("stop", "extra").status == 0)
    #expect(try app.status()["state"]?["phase"]?.string == "active")
    let ready = try app.ask("status", "--ready")
    #expect(ready.status == 0 && ready.output == "ready\n")
    #expect(try app.ask("stop", "web").status == 0)
    let down = try app.ask("status", "--ready")
    #expect(down.status == 1 && down.output == "not ready: degraded\n")
    #expect(try app.status()["state"]?["phase"]?.string == "degraded")
    #expect(
      try app.ask("status").output.contains("  phase         degraded\n  web           stopped (exited"))
    #expect(try app.ask("restart", "web").status == 0)
    let text = try app.ask("status").output
    #expect(text.contains("phase         active\n") && text.contains("1 restart, "))
    #expect(try app.end().status == 0)
  }

  @Test("With jsonl, output lines and state changes of services are events until the app ends")
  func stream() throws {
    let app = try start(service("web"))
    #expect(try app.ask("restart", "web").status == 0)
    let lines = try app.end().jsonLines()
    let start = try #require(lines.firstIndex { $0["kind"]?.string == "launchEnded" })
    let after = lines[(start + 1)...].map { line in
      [line["kind"]?.string, line["step"]?.string, line["text"]?.string ?? line["state"]?.string]
        .compactMap(\.self).joined(separator: " ")
    }
    #expect(
      // The shell may report its killed child.
      after.filter { !["output web up", "output web Terminated"].contains($0) } == [
        "serviceChanged web stopping", "output web bye", "serviceChanged web restarting",
        "serviceChanged web starting", "serviceChanged web ready", "serviceChanged web stopping",
        "output web bye", "serviceChanged web stopped",
      ], "\(after)")
    let times = try lines.compactMap { try $0["at"]?.integer(as: Int64.self) }
    #expect(times == times.sorted())
  }
}
