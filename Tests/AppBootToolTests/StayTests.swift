import AppBoot
import AppBootSystem
import Testing

@testable import AppBootTool

/// A tool that stays, and others that talk to it, all with the state directory of the first.
private struct Staying {
  let tool: CommandLineTool
  let running: RunningTool

  static func start(
    _ lists: String = "{}", commands: String = "[]", arguments: [String] = [], script: String? = nil
  ) throws -> Staying {
    var tool = try CommandLineTool("run", "--stay", "--format", "jsonl").with(arguments)
      .manifest(commands, members: #""name": "Test", "on": \#(lists)"#)
    if let script { tool = tool.script(script) }
    return try Staying(tool: tool, running: again(tool))
  }

  /// Starts the tool and waits until it answers.
  static func again(_ tool: CommandLineTool) throws -> RunningTool {
    let running = try tool.start()
    guard try running.waitForOutput(#""kind":"launchEnded""#) else {
      throw Missing(errors: try running.finish().errors)
    }
    return running
  }

  struct Missing: Error { let errors: String }

  var state: String { tool.directory.file(".appboot") }

  func ask(_ arguments: String..., input: String? = nil) throws -> ToolResult {
    var other = try CommandLineTool().with(arguments).with("--state", state)
    if let input { other = other.input(input) }
    return try other.run()
  }

  func status() throws -> JSONValue { try ask("status", "--format", "json").json() }

  /// Ends it in order.
  func end() throws -> ToolResult {
    running.signal(Signals.terminate)
    return try running.finish()
  }

  func connect() throws -> StreamSocket {
    try StreamSocket.connect(
      path: FileSystem.join(state, "control.sock"), until: MonotonicClock.now() + 60_000_000_000)
  }

  /// Sends bytes as they are, and returns the answer's error.
  func send(_ bytes: [UInt8]) throws -> JSONValue? {
    let limit = MonotonicClock.now() + 60_000_000_000
    let socket = try connect()
    try socket.write(bytes, until: limit)
    let line = try #require(try Control.readLine(socket, until: limit))
    return try JSONDocument(parsing: SourceText(name: "answer", bytes: line)).root["error"]
  }
}

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
    let emit = try app.ask("emit", "didBecomeActive")
    #expect(emit.status == 4 && emit.errors.contains("nothing stays running with the state directory"))
    let never = try CommandLineTool("status").run()
    #expect(never.status == 4)
    #expect(never.errors.contains("help: `appboot run --stay` starts it"))
  }

  @Test("ends at once by a second TERM, and by INT", arguments: [Signals.terminate, Signals.interrupt])
  func atOnce(signal: Int32) throws {
    let stubborn = Entry.shell("echo told; while kill -0 $PPID; do sleep 0.2 & wait; done", id: "slow")
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
    let other = try CommandLineTool("emit", "openURL", "--url", "a:b", "--state", app.state).start()
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
    let socket = try app.connect()
    try socket.write(Array(#"{"version":1,"request":"emit","event":"openURL","url":"a:b"}"#.utf8 + [10]))
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

  @Test("is active after its first screen was shown, as UIKit has it")
  func active() throws {
    let tool = try CommandLineTool("run", "--stay", "--format", "jsonl").manifest(
      #"[{ "command": "InitialScreen", "with": { "default": "Home" } }]"#,
      members: """
        "name": "Test", "on": { "didShowFirstScreen": [\(Entry.shell("echo shown", id: "shown"))],
          "didBecomeActive": [\(Entry.shell("echo active", id: "active"))] }
        """)
    let running = try tool.start()
    #expect(try running.waitForOutput(#""line":"active""#))
    running.signal(Signals.terminate)
    let output = try running.finish().output
    let (shown, active) = (
      output.firstRange(of: #""line":"shown""#), output.firstRange(of: #""line":"active""#)
    )
    #expect(try #require(shown).lowerBound < #require(active).lowerBound)
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
    let tool = try CommandLineTool("run", "--stay", "--state", ".").manifest("[]").file(
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
    let deadline = MonotonicClock.now() + 60_000_000_000
    while app.running.unreadBytes < 60_000, MonotonicClock.now() < deadline {
      #expect(try app.status()["running"]?.bool == true)
    }
    #expect(app.running.unreadBytes >= 60_000)
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
    let tool = try CommandLineTool("run", "--stay").manifest("[\(Entry.shell("exit 3", id: "a"))]")
    let result = try tool.run()
    #expect(result.status == 1)
    #expect(result.output.contains("Test did not boot"))
  }

  @Test("says where the socket's path is too long, and stays without a socket where nothing can be kept")
  func places() throws {
    let tool = try CommandLineTool("run", "--stay").manifest("[]")
    let long = tool.directory.file(String(repeating: "x", count: 120))
    let result = try tool.with("--state", long).run()
    #expect(result.status == 4)
    #expect(result.errors.contains("the path of the control socket is too long"))
    let app = try CommandLineTool("run", "--stay", "--state", "commands.json/state").manifest("[]").start()
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

@Suite("emit")
struct EmitTests {
  private let lists = """
    { "sceneWillConnect": [{ "command": "InitialScreen", "with": { "default": "Home" } }],
      "didReceiveReload": [\(Entry.shell("exit 3", id: "reload"))] }
    """

  @Test("ends by the answer, and says why")
  func answers() throws {
    let app = try Staying.start(lists)
    let cases: [([String], Int32, String)] = [
      (["emit", "sceneWillConnect", "--scene", "left"], 0, ""),
      (["emit", "sceneWillConnect", "--scene", "left"], 4, "the scene \"left\" is connected already"),
      (["emit", "sceneDidBecomeActive", "--scene", "lift"], 4, "did you mean \"left\"?"),
      (["emit", "sceneDidBecomeActive"], 2, "give it with --scene"),
      (["emit", "didReceiveReload"], 1, "reload failed: \"sh\" exited with code 3"),
      (["emit", "openURL", "--url", "a:b"], 1, ""),
      (["emit", "openUrl", "--url", "a:b"], 2, "did you mean \"openURL\"?"),
      (["emit", "didReceiveRemoteNotification", "--payload", "{bad"], 2, "is not JSON"),
      (["emit", "didFinishLaunching"], 4, "launched already"),
      (["emit"], 2, "emit needs an argument: EVENT"),
    ]
    for (arguments, status, words) in cases {
      let result = try CommandLineTool().with(arguments).with("--state", app.state).run()
      #expect(result.status == status, "\(arguments): \(result.errors)")
      #expect(words.isEmpty || result.errors.contains(words), "\(arguments): \(result.errors)")
    }
    let scenes = try app.status()["state"]?["scenes"]
    #expect(scenes?["left"]?["screens"]?.elements.map(\.string) == ["Home"])
    #expect(try app.end().status == 0)
  }

  @Test("says of a scene's name that is too long that it is, and takes the longest")
  func sceneNames() throws {
    let app = try Staying.start()
    let longest = String(repeating: "a", count: 256)
    #expect(try app.ask("emit", "sceneWillConnect", "--scene", longest).status == 0)
    let result = try app.ask("emit", "sceneWillConnect", "--scene", longest + "a")
    #expect(result.status == 2)
    #expect(
      result.errors
        == "appboot: error: the scene's name that came with sceneWillConnect has 257 bytes: give it 1 to 256\n"
    )
    #expect(try app.end().status == 0)
  }

  @Test("says of a status that is too long where it is")
  func longStatus() throws {
    // Each of these is six bytes as JSON.
    let name = String(repeating: #"\u0001"#, count: 180_000)
    let app = try Staying.start(
      commands: #"[{ "command": "InitialScreen", "with": { "default": "\#(name)" } }]"#)
    let result = try app.ask("status")
    #expect(result.status == 4 && result.output.isEmpty)
    #expect(
      result.errors.contains(" bytes, and at most 1048576 are sent: status.json in the state directory"))
    #expect(try app.end().status == 0)
  }

  @Test("waits as long as the clock goes where the time limit is longer")
  func longLimit() throws {
    let app = try Staying.start()
    #expect(try app.ask("emit", "didBecomeActive", "--timeout", "2562047h").status == 0)
    #expect(try app.end().status == 0)
  }

  @Test("takes a payload from standard input, and none that is too long")
  func payloads() throws {
    let app = try Staying.start()
    let fine = try app.ask("emit", "willPresentNotification", "--payload", "-", input: #"{"badge": 1}"#)
    #expect(fine.status == 0)
    let long = try app.ask(
      "emit", "willPresentNotification", "--payload", "-", input: String(repeating: "a", count: 10_000_000))
    #expect(long.status == 2)
    #expect(long.errors.contains("at most 1048576 are taken"))
    #expect(try app.end().status == 0)
  }
}

@Suite("The control socket")
struct ControlSocketTests {
  @Test(
    "answers what is no request with an error",
    arguments: [
      ("nonsense\n", "it is not JSON"), ("[]\n", "it is no object"), ("{}\n", "its version is not 1"),
      (#"{"version":1}"# + "\n", "it asks for nothing"),
      (#"{"version":1,"request":"dance"}"# + "\n", #"it asks for "dance""#),
      (#"{"version":1,"request":"emit"}"# + "\n", "it names no event"),
      (#"{"version":1,"request":"emit","event":"openURL","url":7}"# + "\n", "its url is no string"),
    ])
  func mistakes(line: String, words: String) throws {
    let app = try Staying.start()
    let error = try app.send(Array(line.utf8))
    #expect(error?["kind"]?.string == "malformed")
    #expect(error?["message"]?.string?.contains(words) == true)
    #expect(try app.end().status == 0)
  }

  @Test("takes no more than its limit, and serves others beside one that says nothing")
  func limits() throws {
    let app = try Staying.start()
    let path = FileSystem.join(app.state, "control.sock")
    let idle = try StreamSocket.connect(path: path, until: nil)
    let error = try app.send([UInt8](repeating: UInt8(ascii: "a"), count: Control.limit + 1))
    #expect(error?["message"]?.string?.contains("longer than 1048576 bytes") == true)
    #expect(try app.status()["running"]?.bool == true)
    #expect(try app.end().status == 0)
    #expect(try idle.read(until: MonotonicClock.now() + 60_000_000_000) == [])
  }
}
