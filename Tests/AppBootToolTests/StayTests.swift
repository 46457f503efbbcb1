import AppBoot
import AppBootSystem
import Testing

@testable import AppBootTool

@Suite("A launch that stays")
struct StayTests {
  @Test("answers status, runs the lists of events, and ends with 0 by TERM, after willTerminate")
  func life() throws {
    let lists = """
      { "openURL": [\(Entry.shell("echo opened", id: "open"))],
        "didBecomeActive": [\(Entry.shell("echo active", id: "active"))],
        "willTerminate": [\(Entry.shell("echo saved", id: "save"))] }
      """
    let app = try Staying.start(lists)
    #expect(try app.running.waitForOutput(#""line":"active""#))
    let emitted = try app.ask("emit", "openURL", "--url", "notes://7")
    #expect(emitted.status == 0)
    #expect(emitted.output == "openURL: answered true, commands succeeded\n")
    let status = try app.status()
    #expect(status["running"]?.bool == true)
    #expect(status["state"]?["phase"]?.string == "active")
    #expect(status["safeMode"]?.string == "off")
    #expect(status["lists"]?.elements.map(\.string) == ["didBecomeActive", "openURL", "willTerminate"])
    #expect(try FileSystem.permissions(FileSystem.join(app.state, "control.sock")) == 0o600)
    let result = try app.end()
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains(#""line":"opened""#) && result.output.contains(#""line":"saved""#))
    #expect(!FileSystem.exists(FileSystem.join(app.state, "control.sock")))
  }

  @Test("that is killed in an event's list leaves its name and step to status and report")
  func killed() throws {
    let app = try Staying.start(#"{ "openURL": [\#(Entry.shell("kill -9 $PPID", id: "route"))] }"#)
    _ = try app.ask("emit", "openURL", "--url", "notes://7")
    #expect(app.running.end() == .signalled(Signals.kill))
    let status = try app.ask("status")
    #expect(status.status == 4)
    #expect(status.output.contains("  died in       openURL (route)\n"))
    #expect(status.output.contains("  next launch   not in safe mode\n"))
    let json = try app.status()
    let list = try #require(json["interrupted"]?.elements.first)
    #expect(list["event"]?.string == "openURL" && list["scene"] == nil)
    #expect(list["steps"]?.elements.map(\.string) == ["route"])
    let report = try ToolProcess("report", app.state, "--format", "json").run()
    let event = try #require(try report.json()["events"]?.elements.first)
    #expect(event["event"]?.string == "openURL" && event["outcome"]?.string == "running")
    #expect(event["steps"]?.elements.first?["state"]?.string == "running")
    // A launch that is no app's does not take the place of the one that died.
    let plain = try ToolProcess("run", "--state", app.state).manifest("[]", members: #""name": "Plain""#)
    #expect(try plain.run().status == 0)
    #expect(try app.status().text == json.text)
  }

  @Test("says what was known last where nothing stays, and ends with 4")
  func nothing() throws {
    let app = try Staying.start()
    _ = try app.end()
    let text = try app.ask("status")
    #expect(text.status == 4)
    #expect(text.output.hasPrefix("Test does not run; it ended at 2"))
    #expect(text.output.contains("  phase         terminating\n"))
    let json = try app.ask("status", "--format", "json")
    #expect(json.status == 4)
    #expect(try json.json()["last"]?["state"]?["phase"]?.string == "terminating")
    #expect(try json.json()["interrupted"] == nil)
    let emit = try app.ask("emit", "didBecomeActive")
    #expect(emit.status == 4 && emit.errors.contains("nothing stays running with the state directory"))
    let never = try ToolProcess("status").run()
    #expect(never.status == 4)
    #expect(never.errors.contains("help: `appboot run --stay` starts it"))
  }

  @Test("ends at once by a second TERM, and by INT", arguments: [Signals.terminate, Signals.interrupt])
  func atOnce(signal: Int32) throws {
    // A TERM is a second one once it comes after more than 50 ms.
    let stubborn = Entry.shell(
      "sleep 0.1; echo told; while kill -0 $PPID; do sleep 0.2 & wait; done", id: "slow")
    let app = try Staying.start(#"{ "willTerminate": [\#(stubborn)] }"#)
    app.running.signal(Signals.terminate)
    #expect(try app.running.waitForOutput(#""line":"told""#))
    app.running.signal(signal)
    #expect(app.running.end() == .signalled(signal))
    #expect(!FileSystem.exists(FileSystem.join(app.state, "control.sock")))
  }

  @Test("cancels the list that runs when TERM comes")
  func cancels() throws {
    let app = try Staying.start(#"{ "openURL": [\#(Entry.shell("echo up; sleep 600", id: "slow"))] }"#)
    let other = try ToolProcess("emit", "openURL", "--url", "a:b", "--state", app.state).start()
    #expect(try app.running.waitForOutput(#""line":"up""#))
    #expect(try app.end().status == 0)
    let answer = try other.finish()
    #expect(answer.status == 1)
    #expect(answer.output == "openURL: answered false, commands cancelled\n")
  }

  @Test("cancels the lists that wait as well when TERM comes, and then runs willTerminate alone")
  func cancelsWaiting() throws {
    let lists = """
      { "openURL": [\(Entry.shell("echo up; sleep 600", id: "slow"))],
        "didReceiveReload": [\(Entry.shell("touch reloaded", id: "reload"))],
        "willTerminate": [\(Entry.shell("echo saved", id: "save"))] }
      """
    let app = try Staying.start(lists)
    let socket = try app.emitOpenURL()
    defer { withExtendedLifetime(socket) {} }
    #expect(try app.running.waitForOutput(#""line":"up""#))
    // The pipe keeps their order, so that the reload waits when TERM comes.
    app.running.signal(Signals.hangup)
    let result = try app.end()
    #expect(result.status == 0)
    #expect(!FileSystem.exists(app.tool.directory.file("reloaded")))
    #expect(result.output.contains(#""line":"saved""#))
  }

  @Test("kills what runs when INT or QUIT ends it at once", arguments: [Signals.interrupt, Signals.quit])
  func orphans(signal: Int32) throws {
    let sleep = Entry.shell("echo up; exec sleep 600", id: "slow")
    let app = try Staying.start(
      #"{ "didReceiveReload": [\#(sleep)] }"#,
      script: #"ulimit -c 0; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
    app.running.signal(Signals.hangup)
    #expect(try app.running.waitForOutput(#""line":"up""#))
    app.running.signal(signal)
    // Its standard output ends with the last of its holders.
    #expect(try app.running.finish().end == .signalled(signal))
    #expect(!FileSystem.exists(FileSystem.join(app.state, "control.sock")))
  }

  @Test("kills what willTerminate runs when INT ends it at once")
  func lastOrphans() throws {
    let sleep = Entry.shell("echo up; exec sleep 600", id: "slow")
    let app = try Staying.start(
      #"{ "willTerminate": [\#(sleep)] }"#, script: #"exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
    app.running.signal(Signals.terminate)
    #expect(try app.running.waitForOutput(#""line":"up""#))
    app.running.signal(Signals.interrupt)
    // Its standard output ends with the last of its holders.
    #expect(try app.running.finish().end == .signalled(Signals.interrupt))
  }

  @Test("ends by TERM also where TSTP waits for a list that runs")
  func terminatesInPlaceOfStopping() throws {
    let lists = """
      { "openURL": [\(Entry.shell("echo up; exec sleep 600", id: "slow"))],
        "willTerminate": [\(Entry.shell("echo saved", id: "save"))] }
      """
    let app = try Staying.start(lists)
    let socket = try app.emitOpenURL()
    defer { withExtendedLifetime(socket) {} }
    #expect(try app.running.waitForOutput(#""line":"up""#))
    app.running.signal(Signals.terminalStop)
    let result = try app.end()
    #expect(result.status == 0)
    #expect(result.output.contains(#""line":"saved""#))
  }

  @Test("tells what a list emitted that failed afterwards")
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
    #expect(try app.running.waitForOutput(#""line":"told""#))
    #expect(try app.end().status == 0)
  }

  @Test("refuses what waited for a launch that TERM cancels")
  func waitingForNothing() throws {
    let tool = try ToolProcess("run", "--stay", "--format", "jsonl").manifest(
      "[\(Entry.shell("echo up; exec sleep 600", id: "slow"))]",
      members: #""name": "Test", "on": { "openURL": [\#(Entry.shell("touch opened", id: "open"))] }"#)
    let app = Staying(tool: tool, running: try tool.start())
    #expect(try app.running.waitForOutput(#""line":"up""#))
    let socket = try app.emitOpenURL()
    defer { withExtendedLifetime(socket) {} }
    // Requests are taken in one after the other: after this answer the event waits.
    _ = try app.status()
    _ = try app.end()
    #expect(!FileSystem.exists(tool.directory.file("opened")))
  }

  @Test("is active after its first screen was shown, as UIKit has it, and before what follows from that")
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
    #expect(try running.waitForOutput(#""line":"registered""#))
    running.signal(Signals.terminate)
    let said = try running.finish().jsonLines().compactMap { $0["line"]?.string }
    #expect(said == ["shown", "active", "registered"])
  }

  @Test("does not take CONT for the foreground where it was not in the background")
  func resumed() throws {
    let lists = """
      { "willEnterForeground": [\(Entry.shell("echo before", id: "before"))],
        "didReceiveReload": [\(Entry.shell("echo reloaded", id: "reload"))] }
      """
    let app = try Staying.start(lists)
    app.running.signal(Signals.resume)
    app.running.signal(Signals.hangup)
    #expect(try app.running.waitForOutput(#""line":"reloaded""#))
    #expect(try !app.end().output.contains(#""line":"before""#))
  }

  @Test("ends in order where its terminal is closed", .enabled(if: FileSystem.exists("/usr/bin/script")))
  func hangUp() throws {
    let lists = """
      { "willTerminate": [\(Entry.shell("echo saved >&3", id: "save"))],
        "didReceiveReload": [\(Entry.shell("echo reloaded >&3", id: "reload"))] }
      """
    // The terminal ends with script(1), and descriptor 3 with the app.
    let app = try Staying.start(
      lists, script: #"export TOOL="$0 $*"; exec 3>&1; exec script -qfc 'exec $TOOL' /dev/null </dev/null"#)
    let status = try app.status()
    let process = try #require(try status["process"]?.integer(as: Int32.self))
    Signals.send(Signals.hangup, to: process)
    #expect(try app.running.waitForOutput("reloaded"))
    app.running.signal(Signals.kill)
    #expect(try app.running.finish().output.contains("saved"))
    #expect(try app.ask("status").output.hasPrefix("Test does not run; it ended at 2"))
  }

  @Test("leaves a file in the place of its socket as it is, and does not stay")
  func occupied() throws {
    let tool = try ToolProcess("run", "--stay", "--state", ".").manifest("[]").file(
      "control.sock", "mine")
    let result = try tool.run()
    #expect(result.status == 4)
    #expect(
      result.errors.hasPrefix(
        "appboot: error: \"./control.sock\" is a regular file, and no control socket: it is left as it is\nhelp: "
      ))
    #expect(try FileSystem.readFile(tool.directory.file("control.sock")) == Array("mine".utf8))
  }

  @Test("ends at once by INT though nobody reads what it says")
  func unread() throws {
    let flood = Entry.shell("while echo 01234567890123456789; do :; done", id: "flood")
    let app = try Staying.start(#"{ "didReceiveReload": [\#(flood)] }"#)
    app.running.signal(Signals.hangup)
    #expect(app.running.waitForUnread(60_000))
    #expect(try app.status()["running"]?.bool == true)
    app.running.signal(Signals.interrupt)
    #expect(app.running.end() == .signalled(Signals.interrupt))
  }

  @Test("says in status that the launch is careful, and afterwards what the next one will be like")
  func careful() throws {
    let app = try Staying.start(arguments: ["--safe-mode"])
    #expect(try app.status()["safeMode"]?.string != "off")
    #expect(try app.end().status == 0)
    #expect(try app.ask("status").output.contains("  next launch   not in safe mode\n"))
    #expect(try app.ask("status", "--format", "json").json()["guard"]?["safeMode"]?.bool == false)
  }

  @Test("tells HUP, TSTP and CONT as events, and stops for TSTP until CONT")
  func signals() throws {
    let lists = """
      { "didReceiveReload": [\(Entry.shell("echo reloaded", id: "reload"))],
        "didEnterBackground": [\(Entry.shell("echo behind", id: "behind"))],
        "willEnterForeground": [\(Entry.shell("echo before", id: "before"))],
        "didBecomeActive": [\(Entry.shell("test -e new && echo active again; touch new", id: "active"))] }
      """
    let app = try Staying.start(lists)
    app.running.signal(Signals.hangup)
    #expect(try app.running.waitForOutput(#""line":"reloaded""#))
    app.running.signal(try #require(Signals.number(named: "TSTP")))
    #expect(try app.running.waitForOutput(#""line":"behind""#))
    #expect(app.running.waitForStop())
    app.running.signal(Signals.resume)
    #expect(try app.running.waitForOutput(#""line":"before""#))
    #expect(try app.running.waitForOutput(#""line":"active again""#))
    #expect(try app.status()["state"]?["phase"]?.string == "active")
    #expect(try app.end().status == 0)
  }

  @Test("does not stop for TSTP where CONT comes before it has")
  func continued() throws {
    let lists = """
      { "didEnterBackground": [
          \(Entry.shell("echo behind; until test -e go; do sleep 0.1; done", id: "behind"))],
        "willEnterForeground": [\(Entry.shell("echo before", id: "before"))],
        "didReceiveReload": [\(Entry.shell("echo reloaded", id: "reload"))] }
      """
    let app = try Staying.start(lists, script: #"exec "$0" "$@" 2>&1"#)
    // TSTP stops the process as ever until signals are events, which is after the launch.
    app.running.signal(Signals.hangup)
    #expect(try app.running.waitForOutput(#""line":"reloaded""#))
    app.running.signal(Signals.terminalStop)
    #expect(try app.running.waitForOutput(#""line":"behind""#))
    // They are taken in their order, so that CONT has been once the status is written.
    app.running.signal(Signals.resume)
    app.running.signal(Signals.user1)
    #expect(try app.running.waitForOutput("  phase  "))
    try FileSystem.writeFile(atomically: [], to: app.tool.directory.file("go"))
    #expect(try app.running.waitForOutput(#""line":"before""#))
    #expect(try app.end().status == 0)
  }

  @Test("refuses a second one with the same state directory, and replaces what a killed one left")
  func twice() throws {
    let app = try Staying.start()
    let second = try app.tool.run()
    #expect(second.status == 4)
    #expect(second.errors.contains("another launch with the state directory \"./.appboot\" stays running"))
    app.running.signal(Signals.kill)
    #expect(app.running.end() == .signalled(Signals.kill))
    #expect(FileSystem.exists(FileSystem.join(app.state, "control.sock")))
    let last = try app.ask("status")
    #expect(last.status == 4)
    #expect(last.output.contains("does not run any more, and did not say that it ends"))
    let again = Staying(tool: app.tool, running: try Staying.again(app.tool))
    #expect(try again.status()["running"]?.bool == true)
    #expect(try again.end().status == 0)
  }

  @Test("does not stay where the launch did not boot")
  func failing() throws {
    let tool = try ToolProcess("run", "--stay").manifest("[\(Entry.shell("exit 3", id: "a"))]")
    let result = try tool.run()
    #expect(result.status == 1)
    #expect(result.output.contains("Test did not boot"))
  }

  @Test("says where the socket's path is too long, and stays without a socket where nothing can be kept")
  func places() throws {
    let tool = try ToolProcess("run", "--stay").manifest("[]")
    let long = tool.directory.file(String(repeating: "x", count: 120))
    let result = try tool.with("--state", long).run()
    #expect(result.status == 4)
    #expect(result.errors.contains("the path of the control socket is too long"))
    let app = try ToolProcess("run", "--stay", "--state", "commands.json/state").manifest("[]").start()
    #expect(try app.waitForOutput("Test booted"))
    app.signal(Signals.terminate)
    let ended = try app.finish()
    #expect(ended.status == 0)
    #expect(ended.errors.contains("emit and status cannot reach this app"))
  }

  @Test("writes one record of the launch and of the lists after it")
  func record() throws {
    let lists = #"{ "openURL": [\#(Entry.shell("exit 3", id: "open"))] }"#
    let app = try Staying.start(lists, arguments: ["--record", "out.json"])
    #expect(try app.ask("emit", "openURL", "--url", "a:b").status == 1)
    #expect(try app.end().status == 0)
    let bytes = try FileSystem.readFile(app.tool.directory.file("out.json"))
    let record = try StartupRecord(json: SourceText(name: "out.json", bytes: bytes))
    #expect(record.succeeded && !record.succeededWithEvents)
    #expect(record.events.map(\.event) == ["openURL"])
    #expect(record.events.first?.record["open"]?.state.name == "failed")
  }
}
