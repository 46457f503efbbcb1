import AppBoot
import AppBootRecords
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Event handlers in a run without --stay", .ownThread)
struct EventHandlerTests {
  private let screen = #"{ "command": "InitialScreen", "with": { "default": "Home" } }"#

  private func tool(_ lists: String, _ arguments: String..., more: String = "") throws -> ToolProcess {
    try ToolProcess().with(arguments)
      .manifest("[\(screen)\(more)]", members: #""name": "Test", "on": \#(lists)"#)
  }

  @Test("Handlers run after the launch for the events that its commands emitted")
  func deferred() throws {
    let lists = """
      { "didShowFirstScreen": [\(Entry.shell("echo deferred", id: "later"))],
        "willTerminate": [\(Entry.shell("touch ended", id: "never"))] }
      """
    let tool = try tool(lists, "run", "-v")
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(result.errors == "later | deferred\n")
    #expect(result.output.contains("\non didShowFirstScreen\n"))
    #expect(result.output.contains("\ndidShowFirstScreen done in "))
    #expect(!FileSystem.exists(tool.directory.file("ended")))
  }

  @Test("The processes of a launch and of its event handlers have the same launch id, the name of the record")
  func launchID() throws {
    let lists = #"{ "didShowFirstScreen": [\#(Entry.shell("echo $APPBOOT_LAUNCH > second", id: "later"))] }"#
    let tool = try tool(lists, "run", more: ", " + Entry.shell("echo $APPBOOT_LAUNCH > first", id: "first"))
    #expect(try tool.run().status == 0)
    let first = try FileSystem.readFile(tool.directory.file("first"))
    #expect(try first == FileSystem.readFile(tool.directory.file("second")))
    let names = try FileSystem.list(tool.directory.file(".appboot/records"))
    #expect(names == [String(decoding: first.dropLast(), as: UTF8.self) + ".jsonl"])
  }

  @Test("The launch's record includes the handlers, with the time of their event")
  func record() throws {
    let lists = #"{ "didShowFirstScreen": [\#(Entry.shell("true", id: "later"))] }"#
    let result = try tool(lists, "run", "--format", "json").run()
    let record = try LaunchRecord(json: SourceText(name: "stdout", text: result.output))
    #expect(record.events.map(\.event) == ["didShowFirstScreen"])
    let event = try #require(record.events.first)
    #expect(event.time >= record.elapsedTime)
    #expect(event.record["later"]?.state == .succeeded)
    #expect(event.record.outline.name == "didShowFirstScreen")
    let again = try LaunchRecord(json: SourceText(name: "again", text: record.json()))
    #expect(again.json() == record.json())
  }

  @Test("The journal of a killed process names the event whose handlers were running")
  func killed() throws {
    let lists = """
      { "didShowFirstScreen": [\(Entry.shell("true", id: "quick")), \(Entry.shell(Crash.handler, id: "slow"))] }
      """
    let tool = try tool(lists, "run")
    #expect(try tool.start().end() == .signalled(Signals.kill))
    let state = tool.directory.file(".appboot")
    let path = try #require(try RecordArchive.list(state).last)
    let journal = try Journal(SourceText(name: path, bytes: try FileSystem.readFile(path)))
    #expect(journal.hasEnded && journal.record.succeeded)
    #expect(journal.runningHandlers.map(\.event) == ["didShowFirstScreen"])
    let event = try #require(journal.record.events.first)
    #expect(event.record.map(\.id) == ["quick", "slow"])
    let report = try ToolProcess("report", state).run()
    #expect(report.output.contains("\non didShowFirstScreen\n"))
    #expect(report.output.contains("didShowFirstScreen is still running"))
    func rendered(_ format: String) throws -> String {
      try ToolProcess("report", state, "--format", format).run().output
    }
    let words = "<code>didShowFirstScreen</code> was still running"
    #expect(try rendered("markdown").hasPrefix("### ❌ <code>Test</code> booted, but \(words)\n"))
    #expect(try rendered("html").contains("After the launch, didShowFirstScreen was still running."))
    let place = try #require(
      try rendered("github").firstMatch(
        of: /^::error file=commands.json,line=\d+,col=\d+,.*::didShowFirstScreen was still running\n$/
      ))
    #expect(!place.output.isEmpty)
    // The launch itself had ended, so the kill does not count as its crash.
    #expect(GuardState.reading(state).crashes == 0)
    #expect(try tool.start().end() == .signalled(Signals.kill))
    #expect(GuardState.reading(state, crashLimit: 1).safeMode == nil)
  }

  @Test("The record in the state directory has the same handlers as the one of --record")
  func kept() throws {
    let lists = """
      { "didShowFirstScreen": [\(Entry.shell("echo hi; exit 3", id: "later")), \(Entry.shell("true", id: "last"))] }
      """
    let tool = try tool(lists, "run", "--record", "r.json")
    #expect(try tool.run().status == 1)
    let written = try RecordArchive.read(tool.directory.file("r.json")).record
    let kept = try RecordArchive.read(
      try #require(try RecordArchive.list(tool.directory.file(".appboot")).last))
    let (first, second) = (try #require(written.events.first), try #require(kept.record.events.first))
    #expect(first.time == second.time && first.event == second.event)
    #expect(first.record.map(\.execution) == second.record.map(\.execution))
    #expect(first.record.map(\.details) == second.record.map(\.details))
    #expect(kept.record.events.count == 1 && !kept.record.succeededWithEvents)
  }

  @Test("A failed handler decides the exit code, and no handler runs after a failed launch")
  func failures() throws {
    let failing = #"{ "didShowFirstScreen": [\#(Entry.shell("exit 3", id: "later"))] }"#
    let result = try tool(failing, "run").run()
    #expect(result.status == 1)
    #expect(result.output.contains("Test booted in "))
    #expect(result.output.contains("didShowFirstScreen failed: later failed at "))
    let quiet = try tool(failing, "run", "--quiet").run()
    #expect(quiet.status == 1 && quiet.output.isEmpty)
    #expect(quiet.errors.contains("exited with code 3"))
    let lists = #"{ "didShowFirstScreen": [\#(Entry.shell("touch ran", id: "later"))] }"#
    let broken = try tool(lists, "run", more: ", \(Entry.shell("exit 4", id: "bad"))")
    #expect(try broken.run().status == 1)
    #expect(!FileSystem.exists(broken.directory.file("ran")))
  }

  @Test("Records include only the beginning of a device's token")
  func secrets() throws {
    let token = String(repeating: "0123456789abcdef", count: 4)
    let list = #"{ "didRegisterForRemoteNotifications": [\#(Entry.shell("true", id: "send"))] }"#
    let alone = try tool(list, "run", "--event", "didRegisterForRemoteNotifications", "--payload", token)
      .with("--format", "json").run()
    #expect(try alone.json()["launch"]?["payload"]?.string == "01234567… (32 bytes)")
    let app = try tool(list, "run", "--format", "json", more: #", "RegisterRemoteNotifications""#)
    let record = try app.run().json()
    let payload = try #require(record["events"]?.elements.first?["launch"]?["payload"]?.string)
    #expect(payload.hasSuffix("… (32 bytes)"))
    let kept = try RecordArchive.read(
      try #require(try RecordArchive.list(app.directory.file(".appboot")).last))
    #expect(kept.record.events.first?.record.outline.options.payload == payload)
  }

  @Test("A failed handler is in the JUnit file, the annotations, the Markdown and the page, with its place")
  func reports() throws {
    let lists = #"{ "didShowFirstScreen": [\#(Entry.shell("exit 3", id: "later"))] }"#
    let tool = try tool(lists, "run", "-q", "--no-state", "--record", "r.json", "--junit", "j.xml")
    #expect(try tool.run().status == 1)
    let xml = String(decoding: try FileSystem.readFile(tool.directory.file("j.xml")), as: UTF8.self)
    #expect(xml.contains(#"<testsuites name="Test" tests="2" failures="1" errors="0" skipped="0""#))
    #expect(xml.contains(#"<testsuite name="Test" tests="1" failures="0""#))
    #expect(xml.contains(#"<testsuite name="Test: on didShowFirstScreen" tests="1" failures="1""#))
    let place = try #require(
      xml.firstMatch(of: /name="later" time="[0-9.]+" file="commands.json" line="(\d+)"/))
    func report(_ format: String) throws -> String {
      try ToolProcess("report", tool.directory.file("r.json"), "--format", format).run().output
    }
    #expect(try report("github").hasPrefix("::error file=commands.json,line=\(place.1),col="))
    #expect(try report("github").contains("::later on didShowFirstScreen failed: "))
    #expect(
      try report("markdown").hasPrefix(
        "### ❌ <code>Test</code> booted, but <code>didShowFirstScreen</code> failed\n"))
    #expect(
      try report("markdown").contains("**<code>later</code> on <code>didShowFirstScreen</code> failed**"))
    #expect(try report("html").contains("<h3>later on didShowFirstScreen failed"))
    #expect(try report("html").contains("After the launch, didShowFirstScreen failed."))
  }

  @Test("--event runs the event's handlers alone, with its URL")
  func alone() throws {
    let routed = """
      { "openURL": [{ "command": "InitialScreen", "with": { "default": "Home",
          "routes": [{ "url": "notes://note/{id}", "screen": "Note" }],
          "screens": { "Home": {}, "Note": { "title": "Note {id}" } } } }] }
      """
    let tool = try tool(routed, "run", "--event", "openURL", "--url", "notes://note/7")
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("Note 7\n"))
    #expect(!FileSystem.exists(tool.directory.file(".appboot")))
  }

  @Test("--event runs no other handlers, and --timeout bounds it, as its dry run shows")
  func agreement() throws {
    let lists = #"{ "didShowFirstScreen": [\#(Entry.shell("sleep 60", id: "later"))] }"#
    let launch = try tool(lists, "run", "--event", "didFinishLaunching")
    #expect(try !launch.with("--dry-run").run().output.contains("on didShowFirstScreen"))
    #expect(try launch.run().status == 0)
    let list = try tool(lists, "run", "--event", "didShowFirstScreen", "--timeout", "50ms")
    #expect(try list.with("--dry-run").run().output.contains("timeout 50ms"))
    #expect(try list.run().status == 124)
  }

  @Test(
    "--skip and --only select among the handlers of an event, after a launch and with --event",
    arguments: [["--skip", "b"], ["--only", "a"]], [[], ["--event", "didShowFirstScreen"]])
  func selection(option: [String], event: [String]) throws {
    let handlers = ["a", "b"].map { Entry.shell("touch \($0)", id: $0) }.joined(separator: ", ")
    let only = option + (option[0] == "--only" && event.isEmpty ? ["InitialScreen"] : [])
    let tool = try tool(#"{ "didShowFirstScreen": [\#(handlers)] }"#, "run").with(event)
      .with(only[0], only[1...].joined(separator: ","))
    let result = try tool.run()
    #expect(result.status == 0, "\(result.errors)")
    #expect(FileSystem.exists(tool.directory.file("a")))
    #expect(!FileSystem.exists(tool.directory.file("b")))
  }

  @Test("--event writes no record, but state that commands save persists")
  func traces() throws {
    let lists = #"{ "didReceiveReload": ["RegisterRemoteNotifications"] }"#
    let tool = try tool(lists, "run", "--event", "didReceiveReload")
    #expect(try tool.run().status == 0)
    #expect(
      try FileSystem.list(tool.directory.file(".appboot")) == [".gitignore", ".state.lock", "device-token"])
  }

  @Test("--event rejects a payload that is not UTF-8")
  func brokenPayload() throws {
    let lists = #"{ "didReceiveRemoteNotification": [] }"#
    let arguments = ["--event", "didReceiveRemoteNotification", "--payload", "-"]
    let payload = Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
    let result = try tool(lists, "run").with(arguments).input(payload).run()
    #expect(result.status == 2)
    #expect(result.errors.contains("is not JSON: it is not UTF-8"))
  }

  @Test(
    "A wrong event is an error that names the mistake",
    arguments: [
      (["--event", "openUrl"], "unknown event \"openUrl\": did you mean \"openURL\"?"),
      (["--event", "openURL"], "openURL needs a url: give it with --url"),
      (["--event", "willTerminate"], "the manifest has no \"on\" handlers for willTerminate"),
      (["--payload", "{}"], "--payload needs --event"),
      (["--scene", "a"], "--scene needs --event"),
      (["--event", "openURL", "--launch", "url"], "--event and --launch cannot be used together"),
      (["--event", "openURL", "--url", "a:b", "--stay"], "--stay and --event cannot be used together"),
      (
        ["--event", "openURL", "--url", "a:b", "--stay", "--record", "/no/such/place"],
        "--stay and --event cannot be used together"
      ),
    ])
  func mistakes(arguments: [String], words: String) throws {
    let result = try tool(#"{ "openURL": [] }"#, "run").with(arguments).run()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("appboot: error: \(words)\n"))
  }

  @Test("Handlers that emit each other stop after 1000 events, and the launch's record is written")
  func endless() throws {
    let lists = #"{ "didRegisterForRemoteNotifications": ["RegisterRemoteNotifications"] }"#
    let tool = try tool(
      lists, "run", "--quiet", "--record", "out.json", more: #", "RegisterRemoteNotifications""#)
    let result = try tool.run()
    #expect(result.status == 1)
    #expect(result.errors.contains("stopped at didRegisterForRemoteNotifications, after 1000 events\nhelp: "))
    let bytes = try FileSystem.readFile(tool.directory.file("out.json"))
    let record = try LaunchRecord(json: SourceText(name: "out.json", bytes: bytes))
    #expect(record.succeeded && record.events.count == 1000)
  }

  @Test("A handler's \"when\" is evaluated for its event")
  func conditions() throws {
    let lists = """
      { "openURL": [\(Entry.shell("echo by url", id: "a", #""when": { "launch": "url" }"#)),
          \(Entry.shell("echo by tap", id: "b", #""when": { "launch": "notification" }"#))] }
      """
    let result = try tool(lists, "run", "--event", "openURL", "--url", "a:b", "-v").run()
    #expect(result.errors == "a | by url\n")
    #expect(result.output.contains("skipped: launch is url, not notification"))
  }

  @Test("list shows the handlers with their steps, order and conditions")
  func listing() throws {
    let lists = #"{ "openURL": [\#(Entry.shell("true", id: "a", #""when": { "launch": "url" }"#))] }"#
    let text = try tool(lists, "list").run()
    #expect(
      text.output.hasSuffix("\non openURL: 1 step\n1  a (RunProcess)  background  at once; when launch url\n")
    )
    let json = try tool(lists, "list", "--format", "json").run().json()
    #expect(json["events"]?["openURL"]?["steps"]?.elements.first?["when"]?.string == "launch url")
  }
}
