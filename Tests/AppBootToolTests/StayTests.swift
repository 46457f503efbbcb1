import AppBoot
import AppBootRecords
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("An app that stays", .ownThread)
struct StayTests {
  @Test("An app that stays answers status, runs event handlers, and exits with 0 at TERM")
  func life() throws {
    let lists = """
      { "openURL": [\(Entry.shell("echo opened", id: "open"))],
        "didBecomeActive": [\(Entry.shell("echo active", id: "active"))],
        "willTerminate": [\(Entry.shell("echo saved", id: "save"))] }
      """
    let app = try Staying.start(lists)
    #expect(try app.running.waitForOutput(#""text":"active""#))
    let emitted = try app.ask("emit", "openURL", "--url", "notes://7")
    #expect(emitted.status == 0)
    #expect(emitted.output == "openURL: answered true, commands succeeded\n")
    let status = try app.status()
    #expect(status["running"]?.bool == true)
    #expect(status["state"]?["phase"]?.string == "active")
    #expect(status["safeMode"]?.string == "off")
    #expect(status["handlers"]?.elements.map(\.string) == ["didBecomeActive", "openURL", "willTerminate"])
    #expect(try FileSystem.permissions(FileSystem.join(app.state, "control.sock")) == 0o600)
    let result = try app.end()
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains(#""text":"opened""#) && result.output.contains(#""text":"saved""#))
    #expect(!FileSystem.exists(FileSystem.join(app.state, "control.sock")))
  }

  @Test("A request that names another manifest than the app's is refused, and the app does not get it")
  func otherManifest() throws {
    let app = try Staying.start(#"{ "openURL": [\#(Entry.shell("echo opened", id: "open"))] }"#)
    for request in [["emit", "openURL", "ci.json"], ["stop", "web", "ci.json"], ["status", "ci.json"]] {
      let result = try ToolProcess().with(request).with("--state", app.state).file("ci.json", "{}").run()
      #expect(result.status == 4)
      #expect(result.errors.contains("is in use by commands.json, not by ci.json"))
    }
    #expect(try app.ask("status", "commands.json").status == 0)
    let result = try app.end()
    #expect(result.status == 0 && !result.output.contains("opened"))
  }

  @Test("status and report show the event of an app that was killed in its handlers")
  func killed() throws {
    let app = try Staying.start(#"{ "openURL": [\#(Entry.shell(Crash.handler, id: "route"))] }"#)
    _ = try app.ask("emit", "openURL", "--url", "notes://7")
    #expect(app.running.end() == .signalled(Signals.kill))
    let status = try app.ask("status")
    #expect(status.status == 4)
    #expect(status.output.contains("  crashed in    openURL\n"))
    #expect(status.output.contains("  next launch   not in safe mode\n"))
    let json = try app.status()
    let list = try #require(json["interrupted"]?.elements.first)
    #expect(list["event"]?.string == "openURL" && list["scene"] == nil)
    let report = try ToolProcess("report", app.state, "--format", "json").run()
    let event = try #require(try report.json()["events"]?.elements.first)
    #expect(event["event"]?.string == "openURL" && event["outcome"]?.string == "running")
    #expect(event["steps"]?.elements.first?["state"]?.string == "waiting")
    // A launch without --stay does not replace the status of the app.
    let plain = try ToolProcess("run", "--state", app.state).manifest("[]", members: #""name": "Plain""#)
    #expect(try plain.run().status == 0)
    #expect(try app.status().text == json.text)
  }

  @Test("status shows the last status of an app that has ended, and exits with 4")
  func nothing() throws {
    let app = try Staying.start()
    _ = try app.end()
    let text = try app.ask("status")
    #expect(text.status == 4)
    #expect(text.output.hasPrefix("Test is not running; it ended at 2"))
    #expect(!text.output.contains("phase"))
    let json = try app.ask("status", "--format", "json")
    #expect(json.status == 4)
    #expect(try json.json()["last"]?["state"]?["phase"]?.string == "terminating")
    #expect(try json.json()["interrupted"] == nil)
    let emit = try app.ask("emit", "didBecomeActive")
    #expect(emit.status == 4 && emit.errors.contains("no app is running with the state directory"))
    let ready = try app.ask("status", "--ready")
    #expect(ready.status == 1 && ready.output == "not ready: not running\n" && ready.errors.isEmpty)
    let never = try ToolProcess("status").run()
    #expect(never.status == 4)
    #expect(never.errors.contains("help: start it with `appboot run --stay`"))
  }

  @Test(
    "status --watch shows the last status and exits with 0 if the app ends instead of answering",
    arguments: ["", ControlError.ending.json + "\n"])
  func watchedEnd(lastAnswer: String) throws {
    let directory = try TemporaryDirectory()
    let status = #"{"name":"N","state":{"phase":"active"},"services":[]}"#
    try DirectoryStateStore(path: directory.path).write(Control.stateName, Array(status.utf8))
    let listener = try SocketListener(path: directory.file(Control.socketName), mode: 0o600)
    Thread.detach(name: "app") {
      for answer in [Control.answer("status", status) + "\n", lastAnswer] {
        guard let socket = try? listener.accept() else { return }
        _ = try? Control.readLine(socket, until: nil)
        if answer == lastAnswer { listener.remove() }
        try? socket.write(Array(answer.utf8))
        socket.close()
      }
    }
    let result = try ToolProcess("status", "--watch", directory.path).run()
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.hasPrefix("N is running\n") && result.output.contains("N is not running"))
  }

  #if os(Linux)
  @Test("status reports no crash of an app that could not save its last status")
  func unsavedEnd() throws {
    let limit = Entry.shell("prlimit --pid $PPID --fsize=0", id: "limit")
    let app = try Staying.start(
      #"{ "willTerminate": [\#(limit)] }"#, script: #"exec "$0" "$@" 2>&1"#)
    let status = FileSystem.join(app.state, Control.stateName)
    #expect(Patience.wait { FileSystem.exists(status) })
    let end = try app.end()
    #expect(end.output.contains("the last status could not be saved"), "\(end.output)")
    #expect(!FileSystem.exists(status))
    #expect(try !app.ask("status").output.contains("it crashed or was killed"))
  }
  #endif

  @Test("A failed handler of willTerminate does not prevent the others, and the exit code is 1")
  func failedStop() throws {
    let handlers = [Entry.shell("exit 3", id: "bad"), Entry.shell("echo saved", id: "save")]
    let result = try Staying.start(#"{ "willTerminate": [\#(handlers.joined(separator: ", "))] }"#).end()
    #expect(result.status == 1)
    #expect(result.output.contains(#""text":"saved""#), "\(result.output)")
  }

  @Test(
    "A policy of a handler of willTerminate has priority over the default", arguments: ["stop", "continue"])
  func explicitStop(policy: String) throws {
    let handlers = [
      Entry.shell("exit 3", id: "bad", #""onFailure": "\#(policy)""#), Entry.shell("echo saved", id: "save"),
    ]
    let result = try Staying.start(#"{ "willTerminate": [\#(handlers.joined(separator: ", "))] }"#).end()
    #expect(result.status == (policy == "stop" ? 1 : 0))
    #expect(result.output.contains(#""text":"saved""#) == (policy == "continue"), "\(result.output)")
  }

  @Test("A second TERM, or INT, ends an app at once", arguments: [Signals.terminate, Signals.interrupt])
  func atOnce(signal: Int32) throws {
    // A repeated TERM within 50 ms counts as one.
    let stubborn = Entry.shell(
      "sleep 0.1; echo told; while kill -0 $PPID; do sleep 0.2 & wait; done", id: "slow")
    let app = try Staying.start(#"{ "willTerminate": [\#(stubborn)] }"#)
    app.running.signal(Signals.terminate)
    #expect(try app.running.waitForOutput(#""text":"told""#))
    app.running.signal(signal)
    #expect(app.running.end() == .signalled(signal))
    #expect(!FileSystem.exists(FileSystem.join(app.state, "control.sock")))
    let status = try app.ask("status").output
    #expect(status.hasPrefix("Test is not running; it was ended at once by \(Signals.name(signal)) at 2"))
    #expect(!status.contains("crashed"), "\(status)")
    let last = try app.status()["last"]
    #expect(last?["running"]?.bool == false && last?["endedBy"]?.string == Signals.name(signal))
  }

  @Test("TERM cancels the running handlers")
  func cancels() throws {
    let app = try Staying.start(#"{ "openURL": [\#(Entry.shell("echo up; sleep 60", id: "slow"))] }"#)
    let other = try ToolProcess("emit", "openURL", "--url", "a:b", "--state", app.state).start()
    #expect(try app.running.waitForOutput(#""text":"up""#))
    #expect(try app.end().status == 0)
    let answer = try other.finish()
    #expect(answer.status == 1)
    #expect(answer.output == "openURL: answered false, commands cancelled\n")
  }

  @Test("TERM cancels waiting events, and then runs only willTerminate")
  func cancelsWaiting() throws {
    let lists = """
      { "openURL": [\(Entry.shell("echo up; sleep 60", id: "slow"))],
        "didReceiveReload": [\(Entry.shell("touch reloaded", id: "reload"))],
        "willTerminate": [\(Entry.shell("echo saved", id: "save"))] }
      """
    let app = try Staying.start(lists)
    let socket = try app.emitOpenURL()
    defer { withExtendedLifetime(socket) {} }
    #expect(try app.running.waitForOutput(#""text":"up""#))
    // The reload waits when TERM comes, or comes after it: the system may deliver two pending signals in any order.
    app.running.signal(Signals.hangup)
    let result = try app.end()
    #expect(result.status == 0)
    #expect(!FileSystem.exists(app.tool.directory.file("reloaded")))
    #expect(result.output.contains(#""text":"saved""#))
  }

  @Test("An event during willTerminate is refused at once")
  func refusesLate() throws {
    let app = try Staying.start(
      #"{ "willTerminate": [\#(Entry.shell("echo up; until [ -e go ]; do sleep 0.01; done", id: "save"))] }"#)
    app.running.signal(Signals.terminate)
    #expect(try app.running.waitForOutput(#""text":"up""#))
    let late = try app.ask("emit", "didReceiveReload")
    #expect(late.status == 4 && late.errors.contains("the app is ending"))
    try FileSystem.writeFile(atomically: [], to: app.tool.directory.file("go"))
    #expect(try app.running.finish().status == 0)
  }

  @Test("INT and QUIT kill the running processes", arguments: [Signals.interrupt, Signals.quit])
  func orphans(signal: Int32) throws {
    let sleep = Entry.shell("echo up; exec sleep 60", id: "slow")
    let app = try Staying.start(
      #"{ "didReceiveReload": [\#(sleep)] }"#,
      script: #"ulimit -c 0; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
    app.running.signal(Signals.hangup)
    #expect(try app.running.waitForOutput(#""text":"up""#))
    app.running.signal(signal)
    // Standard output closes when its last holder ends.
    #expect(try app.running.finish().end == .signalled(signal))
    #expect(!FileSystem.exists(FileSystem.join(app.state, "control.sock")))
  }

  @Test("INT kills the processes of willTerminate")
  func lastOrphans() throws {
    let sleep = Entry.shell("echo up; exec sleep 60", id: "slow")
    let app = try Staying.start(
      #"{ "willTerminate": [\#(sleep)] }"#, script: #"exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
    app.running.signal(Signals.terminate)
    #expect(try app.running.waitForOutput(#""text":"up""#))
    app.running.signal(Signals.interrupt)
    // Standard output closes when its last holder ends.
    #expect(try app.running.finish().end == .signalled(Signals.interrupt))
  }

  @Test("TERM ends an app whose TSTP waits for running handlers")
  func terminatesInPlaceOfStopping() throws {
    let lists = """
      { "openURL": [\(Entry.shell("echo up; exec sleep 60", id: "slow"))],
        "willTerminate": [\(Entry.shell("echo saved", id: "save"))] }
      """
    let app = try Staying.start(lists)
    let socket = try app.emitOpenURL()
    defer { withExtendedLifetime(socket) {} }
    #expect(try app.running.waitForOutput(#""text":"up""#))
    app.running.signal(Signals.terminalStop)
    let result = try app.end()
    #expect(result.status == 0)
    #expect(result.output.contains(#""text":"saved""#))
  }

  @Test("An event is handled even if its emitting step failed afterwards")
  func emittedByFailure() throws {
    let registration = """
      { "command": "RegisterRemoteNotifications", "with": { "provider": "http://127.0.0.1:1/devices" } }
      """
    let lists = """
      { "didReceiveReload": [\(registration)],
        "didFailToRegisterForRemoteNotifications": [\(Entry.shell("echo told", id: "tell"))] }
      """
    let app = try Staying.start(lists)
    app.running.signal(Signals.hangup)
    #expect(try app.running.waitForOutput(#""text":"told""#))
    #expect(try app.end().status == 0)
  }

  @Test("Events that wait for a cancelled launch are refused")
  func waitingForNothing() throws {
    let tool = try ToolProcess("run", "--stay", "--format", "jsonl").manifest(
      "[\(Entry.shell("echo up; exec sleep 60", id: "slow"))]",
      members: #""name": "Test", "on": { "openURL": [\#(Entry.shell("touch opened", id: "open"))] }"#)
    let app = Staying(tool: tool, running: try tool.start())
    #expect(try app.running.waitForOutput(#""text":"up""#))
    let socket = try app.emitOpenURL()
    defer { withExtendedLifetime(socket) {} }
    // Requests are handled in order, so after this answer the event waits.
    _ = try app.status()
    _ = try app.end()
    #expect(!FileSystem.exists(tool.directory.file("opened")))
  }

  @Test("An app becomes active after its first screen, and before events that handlers emit")
  func active() throws {
    let tool = try ToolProcess("run", "--stay", "--format", "jsonl").manifest(
      #"[{ "command": "InitialScreen", "with": { "default": "Home" } }]"#,
      members: """
        "name": "Test", "on": {
          "didShowFirstScreen": [\(Entry.shell("echo shown", id: "shown")), "RegisterRemoteNotifications"],
          "didRegisterForRemoteNotifications": [\(Entry.shell("echo registered", id: "registered"))],
          "didBecomeActive": [\(Entry.shell("echo active", id: "active"))] }
        """)
    let running = try tool.start()
    #expect(try running.waitForOutput(#""text":"registered""#))
    running.signal(Signals.terminate)
    let lines = try running.finish().jsonLines().filter { $0["kind"]?.string == "output" }
      .compactMap { $0["text"]?.string }
    #expect(lines == ["shown", "active", "registered"])
  }

  @Test("CONT without a TSTP is not willEnterForeground")
  func resumed() throws {
    let lists = """
      { "willEnterForeground": [\(Entry.shell("echo before", id: "before"))],
        "didReceiveReload": [\(Entry.shell("echo reloaded", id: "reload"))] }
      """
    let app = try Staying.start(lists)
    app.running.signal(Signals.resume)
    app.running.signal(Signals.hangup)
    #expect(try app.running.waitForOutput(#""text":"reloaded""#))
    #expect(try !app.end().output.contains(#""text":"before""#))
  }

  @Test(
    "An app runs willTerminate when its terminal is closed",
    .enabled(if: FileSystem.exists("/usr/bin/script")))
  func hangUp() throws {
    let lists = """
      { "willTerminate": [\(Entry.shell("echo saved >&3", id: "save"))],
        "didReceiveReload": [\(Entry.shell("echo reloaded >&3", id: "reload"))] }
      """
    // The terminal closes with script(1), descriptor 3 with the app.
    let app = try Staying.start(
      lists, script: #"export TOOL="$0 $*"; exec 3>&1; exec script -qfc 'exec $TOOL' /dev/null </dev/null"#)
    let status = try app.status()
    let process = try #require(try status["process"]?.integer(as: Int32.self))
    Signals.send(Signals.hangup, to: process)
    #expect(try app.running.waitForOutput("reloaded"))
    app.running.signal(Signals.kill)
    #expect(try app.running.finish().output.contains("saved"))
    #expect(try app.ask("status").output.hasPrefix("Test is not running; it ended at 2"))
  }

  @Test("A file at the socket's path is an error, and is not changed")
  func occupied() throws {
    let tool = try ToolProcess("run", "--stay", "--state", ".").manifest("[]").file(
      "control.sock", "mine")
    let result = try tool.run()
    #expect(result.status == 4)
    #expect(
      result.errors.hasPrefix(
        "appboot: error: \"./control.sock\" is a regular file, not a control socket; it was not changed\nhelp: "
      ))
    #expect(try FileSystem.readFile(tool.directory.file("control.sock")) == Array("mine".utf8))
  }

  @Test("INT ends an app whose output blocks on a full pipe")
  func unread() throws {
    let flood = Entry.shell("while echo 01234567890123456789; do :; done", id: "flood")
    let app = try Staying.start(#"{ "didReceiveReload": [\#(flood)] }"#)
    app.running.signal(Signals.hangup)
    #expect(app.running.waitForUnread(30_000))
    #expect(try app.status()["running"]?.bool == true)
    app.running.signal(Signals.interrupt)
    #expect(app.running.end() == .signalled(Signals.interrupt))
  }

  @Test("status shows safe mode, and afterwards the mode of the next launch")
  func safeMode() throws {
    let app = try Staying.start(arguments: ["--safe-mode"])
    #expect(try app.status()["safeMode"]?.string != "off")
    #expect(try app.end().status == 0)
    #expect(try app.ask("status").output.contains("  next launch   not in safe mode\n"))
    #expect(try app.ask("status", "--format", "json").json()["guard"]?["safeMode"]?.bool == false)
  }

  @Test("HUP, TSTP and CONT are events, and TSTP stops the process until CONT")
  func signals() throws {
    let lists = """
      { "didReceiveReload": [\(Entry.shell("echo reloaded", id: "reload"))],
        "didEnterBackground": [\(Entry.shell("echo behind", id: "behind"))],
        "willEnterForeground": [\(Entry.shell("echo before", id: "before"))],
        "didBecomeActive": [\(Entry.shell("test -e new && echo active again; touch new", id: "active"))] }
      """
    let app = try Staying.start(lists)
    app.running.signal(Signals.hangup)
    #expect(try app.running.waitForOutput(#""text":"reloaded""#))
    app.running.signal(try #require(Signals.number(named: "TSTP")))
    #expect(try app.running.waitForOutput(#""text":"behind""#))
    #expect(app.running.waitForStop())
    app.running.signal(Signals.resume)
    #expect(try app.running.waitForOutput(#""text":"before""#))
    #expect(try app.running.waitForOutput(#""text":"active again""#))
    #expect(try app.status()["state"]?["phase"]?.string == "active")
    #expect(try app.end().status == 0)
  }

  @Test("CONT cancels a TSTP that has not stopped the process yet")
  func continued() throws {
    let lists = """
      { "didEnterBackground": [
          \(Entry.shell("echo behind; until test -e go; do sleep 0.1; done", id: "behind"))],
        "willEnterForeground": [\(Entry.shell("echo before", id: "before"))],
        "didReceiveReload": [\(Entry.shell("echo reloaded", id: "reload"))] }
      """
    let app = try Staying.start(lists, script: #"exec "$0" "$@" 2>&1"#)
    // During the launch, TSTP has its default action.
    app.running.signal(Signals.hangup)
    #expect(try app.running.waitForOutput(#""text":"reloaded""#))
    app.running.signal(Signals.terminalStop)
    #expect(try app.running.waitForOutput(#""text":"behind""#))
    // The system may deliver two pending signals in any order. A CONT that comes after the stop resumes the process.
    app.running.signal(Signals.resume)
    app.running.signal(Signals.user1)
    #expect(try app.running.waitForOutput("  phase  "))
    try FileSystem.writeFile(atomically: [], to: app.tool.directory.file("go"))
    #expect(try app.running.waitForOutput(#""text":"before""#))
    #expect(try app.end().status == 0)
  }

  @Test("A second app with the same state directory is refused, and a killed one is replaced")
  func twice() throws {
    let app = try Staying.start()
    let second = try app.tool.run()
    #expect(second.status == 4)
    #expect(second.errors.contains("an app is already running with the state directory \"./.appboot\""))
    let third = try app.tool.file("ci.json", "{ \"version\": 1, \"commands\": [] }").with("ci.json")
    // The manifest of an app that does not answer within a second is unknown.
    let isNamed = try Patience.wait {
      let other = try third.run()
      return other.status == 4
        && other.errors.contains("\"./.appboot\" is in use by commands.json, not by ci.json\n")
        && other.errors.contains("select another directory with --state DIR")
    }
    #expect(isNamed)
    app.running.signal(Signals.kill)
    #expect(app.running.end() == .signalled(Signals.kill))
    #expect(FileSystem.exists(FileSystem.join(app.state, "control.sock")))
    let last = try app.ask("status")
    #expect(last.status == 4)
    #expect(last.output.contains("is not running; it crashed or was killed"))
    let again = Staying(tool: app.tool, running: try Staying.again(app.tool))
    #expect(try again.status()["running"]?.bool == true)
    #expect(try again.end().status == 0)
  }

  @Test("A failed launch does not stay")
  func failing() throws {
    let tool = try ToolProcess("run", "--stay").manifest("[\(Entry.shell("exit 3", id: "a"))]")
    let result = try tool.run()
    #expect(result.status == 1)
    #expect(result.output.contains("Test did not boot"))
  }

  @Test("An app without a state directory stays without a socket")
  func places() throws {
    let app = try ToolProcess("run", "--stay", "--state", "commands.json/state").manifest("[]").start()
    #expect(try app.waitForOutput("Test booted"))
    app.signal(Signals.terminate)
    let ended = try app.finish()
    #expect(ended.status == 0)
    #expect(ended.errors.contains("emit and status cannot reach this app"))
  }

  @Test("--record writes one record of the launch and its event handlers")
  func record() throws {
    let lists = #"{ "openURL": [\#(Entry.shell("exit 3", id: "open"))] }"#
    let app = try Staying.start(lists, arguments: ["--record", "out.json"])
    #expect(try app.ask("emit", "openURL", "--url", "a:b").status == 1)
    #expect(try app.end().status == 0)
    let bytes = try FileSystem.readFile(app.tool.directory.file("out.json"))
    let record = try LaunchRecord(json: SourceText(name: "out.json", bytes: bytes))
    #expect(record.succeeded && !record.succeededWithEvents)
    #expect(record.events.map(\.event) == ["openURL"])
    #expect(record.events.first?.record["open"]?.state.name == "failed")
  }

  @Test("An app whose state directory has a long path stays, and answers")
  func longPath() throws {
    let directory = String(repeating: "long/", count: 30)
    let app = try Staying.start(
      arguments: ["--state", "\(directory)state"], script: "mkdir -p \(directory); exec \"$0\" \"$@\"")
    let state = app.tool.directory.file("\(directory)state")
    #expect(state.utf8.count > 108)
    let status = try ToolProcess("status", "--format", "json", "--state", state).run()
    #expect(status.status == 0, "\(status.errors)")
    #expect(try app.end().status == 0)
  }
}
