import AppBoot
import AppBootLibC
import AppBootLifecycle
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("InitialScreen", .ownThread)
struct InitialScreenTests {
  private func launch(_ parameters: String, before: String = "") -> TestLaunch {
    TestLaunch(#"[ \#(before) { "command": "InitialScreen", "with": \#(parameters) } ]"#)
  }

  private let notes = #"""
    {
      "default": "Home",
      "routes": [ { "url": "notes://note/{id}", "screen": "Note" }, { "launch": ["notification"], "screen": "Inbox" } ],
      "screens": {
        "Home": { "title": "Hello {env.USER}", "text": ["one", "", "two {{x}}"] },
        "Note": { "text": "{screen} {id} {query.tab} {launch.reason} {launch.url} {context.theme} {context.accent}" },
        "Inbox": { "file": "inbox.txt" }
      }
    }
    """#

  @Test("The default screen is shown with its placeholders filled in")
  func defaultScreen() throws {
    let window = RecordingWindow()
    var launch = launch(notes)
    launch.window = window
    launch.environment = ["USER": "Ada"]
    let record = try launch.run()
    #expect(record.succeeded)
    let screen = AppScreen(name: "Home", title: "Hello Ada", text: "one\n\ntwo {x}")
    #expect(window.calls == [.show(Navigation(screen))])
    #expect(record[0].details.note == "Home")
    #expect(record[0].details.provides == ["screen"])
    #expect(record[0].details.emitted.map(\.name) == ["didShowFirstScreen"])
    #expect(record[0].details.emitted.map(\.payload) == ["Home"])
  }

  @Test("A screen that replaces the others is the only one on the window")
  func replaces() throws {
    let window = RecordingWindow()
    let coordinator = ScreenCoordinator(window: window)
    try coordinator.start(AppScreen(name: "Migrating"))
    try coordinator.push(AppScreen(name: "Help"))
    for (text, names) in [("", ["Migrating", "Help", "Home"]), (#", "replaces": true"#, ["Home"])] {
      var launch = launch(#"{ "default": "Home"\#(text) }"#)
      launch.window = coordinator
      #expect(try launch.run().succeeded)
      #expect(coordinator.screens.map(\.name) == names)
    }
  }

  @Test("A step whose screen file is a pipe fails without waiting")
  func pipe() throws {
    let directory = try TemporaryDirectory()
    #expect(mkfifo(directory.file("inbox.txt"), 0o600) == 0)
    var launch = launch(#"{ "default": "Inbox", "screens": { "Inbox": { "file": "inbox.txt" } } }"#)
    launch.directory = directory.path
    let failure = try launch.run().failures.first?.state.failure
    #expect(failure?.message.contains("it is a pipe, not a file") == true)
  }

  @Test("A URL's screen is shown with values from URL, launch and context")
  func url() throws {
    let window = RecordingWindow()
    var launch = launch(notes, before: #"{ "command": "Appearance", "with": { "theme": "dark" } }, "#)
    launch.window = window
    launch.options = LaunchOptions(url: "notes://note/42?tab=a%26b")
    let record = try launch.run()
    let text = "Note 42 a&b url notes://note/42?tab=a%26b dark #0A84FF"
    let parameters = ["id": "42", "query.tab": "a&b"]
    #expect(
      window.screens == [AppScreen(name: "Note", title: "Note", text: text, parameters: parameters)])
    #expect(record[1].details.note == "Note, by notes://note/{id}")
  }

  @Test("A screen's text can be in a file")
  func file() throws {
    let directory = try TemporaryDirectory()
    try directory.write("inbox.txt", "For {launch.payload}.\n")
    let window = RecordingWindow()
    var launch = launch(notes)
    launch.window = window
    launch.options = LaunchOptions(reason: .notification, payload: "you")
    launch.directory = directory.path
    let record = try launch.run()
    #expect(window.screens == [AppScreen(name: "Inbox", title: "Inbox", text: "For you.")])
    #expect(record[0].details.note == "Inbox, by route 2")
    launch.directory = "/no/such"
    let message = try launch.run().failures.first?.state.failure?.message ?? ""
    #expect(message.hasPrefix(#"the text of the screen: cannot open "/no/such/inbox.txt": "#))
  }

  @Test("Without a window the screen is provided, not shown")
  func withoutWindow() throws {
    var launch = launch(#"{ "default": "Home" }"#)
    launch.commands = #"[ { "command": "InitialScreen", "with": { "default": "Ho{me" } } ]"#
    let record = try launch.run()
    #expect(record[0].details.note == "Ho{me, without a window")
    #expect(record[0].details.provides == ["screen"])
    #expect(record[0].details.emitted.isEmpty)
  }

  @Test("A window's error fails the step")
  func refusal() throws {
    var launch = launch(#"{ "default": "Home" }"#)
    launch.window = RecordingWindow(refusing: Failure(message: "no room", type: "Test"))
    let record = try launch.run()
    #expect(record.failures.first?.state.failure?.message == "no room")
    #expect(record[0].details.emitted.isEmpty)
  }

  @Test("An unknown placeholder fails the step with its name")
  func unknownPlaceholder() throws {
    let appearance = #"{ "command": "Appearance" }, "#
    let home = #"{ "default": "Home", "screens": { "Home": { "text": "{context.thme}" } } }"#
    let message = try launch(home, before: appearance).run().failures.first?.state.failure?.message ?? ""
    #expect(
      message.hasPrefix(
        "unknown placeholder {context.thme}: did you mean {context.theme}? the placeholders are "))
  }

  @Test(
    "A placeholder without a value fails the step, and the error names its provider",
    arguments: [
      (
        "{context.theme}",
        "the placeholder {context.theme} has no value: run Appearance, which provides it, before this command"
      ),
      ("{query.a}", "the placeholder {query.a} has no value: the launch has no URL with \"a\" in its query"),
    ])
  func valueless(text: String, words: String) throws {
    let home = #"{ "default": "Home", "screens": { "Home": { "text": "\#(text)" } } }"#
    #expect(try launch(home).run().failures.first?.state.failure?.message == words)
  }

  @Test("A placeholder without a value on one of its routes is an error before the launch")
  func placeholders() throws {
    func problems(_ text: String, routes: String, home: String = "") throws -> [String] {
      let screens = #""screens": { "Home": { "text": "\#(home)" }, "Note": { "title": "\#(text)" } }"#
      return try launch(#"{ "default": "Home", "routes": [\#(routes)], \#(screens) }"#).problems()
    }
    let byURL = #"{ "url": "notes://note/{id}", "screen": "Note" }"#
    #expect(try problems("{id} {query.x} {env.HOME} {context.theme} {screen}", routes: byURL).isEmpty)
    #expect(
      try problems("{idd} {idd}", routes: byURL) == [
        #""screens.Note.title": unknown placeholder {idd}: did you mean {id}? the placeholders are {screen}, "#
          + "{launch.reason}, {launch.url}, {launch.payload}, {id}, {query.NAME}, {context.NAME}, {env.NAME}"
      ])
    #expect(try problems("{query.}", routes: byURL).first?.contains("unknown placeholder {query.}") == true)
    let alsoPlain = #"\#(byURL), { "launch": "notification", "screen": "Note" }"#
    #expect(
      try problems("{id}", routes: alsoPlain) == [
        #""screens.Note.title": {id} has no value if routes[1] leads to it: "#
          + "only a URL pattern with {id} provides it"
      ])
    let toHome = #"{ "url": "notes://home/{id}", "screen": "Home" }"#
    #expect(
      try problems("", routes: toHome, home: "{id}").first?.contains("if the screen is the default")
        == true)
  }

  @Test("A route that no launch can take needs no value")
  func unreachable() throws {
    let screens = #""screens": { "Main": {}, "Home": {}, "Note": { "text": "{id}" } }"#
    func problems(default name: String = "Note", _ routes: String) throws -> Int {
      try launch(#"{ "default": "\#(name)", "routes": [\#(routes)], \#(screens) }"#).problems().count
    }
    #expect(try problems("") == 1)
    #expect(try problems(#"{ "screen": "Main" }"#) == 0)
    #expect(
      try problems(
        #"{ "firstLaunch": true, "screen": "Main" }, { "firstLaunch": false, "screen": "Home" }"#) == 0)
    #expect(try problems(#"{ "firstLaunch": true, "screen": "Main" }"#) == 1)
    let shadowed = #"{ "launch": "url", "screen": "Home" }, { "launch": ["url"], "screen": "Note" }"#
    #expect(try problems(default: "Home", shadowed) == 0)
    #expect(try problems(default: "Home", #"{ "launch": ["url", "normal"], "screen": "Note" }"#) == 1)
    #expect(try problems(default: "Home", #"{ "url": "n://{id}", "screen": "Note" }"#) == 0)
    #expect(try problems(default: "Home", "") == 0)
  }

  @Test("A screen that shows a context value before its provider is an error before the launch")
  func contextOrder() throws {
    let with = #""with": { "default": "Home", "screens": { "Home": { "text": "{context.theme}" } } }"#
    let screen = #"{ "command": "InitialScreen", \#(with) }"#
    let unordered = #"{ "command": "InitialScreen", "after": [], \#(with) }"#
    #expect(try TestLaunch(#"["Appearance", \#(screen)]"#).problems().isEmpty)
    #expect(try TestLaunch("[\(screen)]").problems().isEmpty)
    let message = #""screens.Home.text": {context.theme} has no value before "Appearance" provides it"#
    #expect(try TestLaunch(#"[\#(screen), "Appearance"]"#).problems() == [message])
    #expect(try TestLaunch(#"["Appearance", \#(unordered)]"#).problems() == [message])
    do {
      _ = try TestLaunch("[\n\(screen),\n\"Appearance\"]").plan()
    } catch let error as PlanError {
      let problem = try #require(error.diagnostics.first)
      #expect(error.source?.text(in: problem.range) == #""{context.theme}""#)
      #expect(problem.help == [#"run "InitialScreen" after "Appearance""#])
    }
  }

  @Test("All missing screens and wrong texts are reported together")
  func everything() throws {
    let unknown =
      #"{ "default": "A", "routes": [ { "screen": "B" }, { "screen": "C" } ], "screens": { "Home": {} } }"#
    #expect(try launch(unknown).problems().count == 3)
    let wrongScreen =
      #"{ "default": "Home", "routes": [{ "screen": "Nope" }], "screens": { "Home": { "text": 7 } } }"#
    #expect(
      try launch(wrongScreen).problems() == [
        #""routes[0].screen": there is no screen "Nope": "screens" has "Home""#,
        #""screens.Home.text" must be a string, or a list of strings, not a number"#,
      ])
    let texts =
      #"{ "default": "H", "screens": { "H": { "title": "{", "text": "}", "file": 1 }, "N": { "title": "{}" } } }"#
    #expect(
      try launch(texts).problems() == [
        #""screens.H.title": "{" has no "}": write "{{" for the brace itself"#,
        #""screens.H.text": a "}" has no "{": write "}}" for the brace itself"#,
        #""screens.H.file" must be a string, not a number"#,
        #""screens.N.title": "{}" names nothing: write "{{}}" for the braces themselves"#,
      ])
  }

  @Test("A missing screen or an unclosed brace is an error before the launch")
  func refused() throws {
    let home = #""screens": { "Home": {}, "Note": {} }"#
    #expect(
      try launch(#"{ "default": "Hom", \#(home) }"#).problems()
        == [#""default": there is no screen "Hom": did you mean "Home"? "screens" has "Home", "Note""#])
    let route = #""routes": [ { "screen": "Home" }, { "screen": "X" } ]"#
    #expect(
      try launch(#"{ "default": "Home", \#(route), \#(home) }"#).problems()
        == [#""routes[1].screen": there is no screen "X": "screens" has "Home", "Note""#])
    let pattern = #""routes": [ { "url": "note/{id}", "screen": "Home" } ]"#
    #expect(
      try launch(#"{ "default": "Home", \#(pattern), \#(home) }"#).problems().first?
        .hasPrefix(#""routes[0].url": "note/{id}" is not a URL pattern"#) == true)
    let brace = #"{ "default": "Home", "screens": { "Home": { "text": "{" } } }"#
    #expect(try launch(brace).problems().first?.hasPrefix(#""screens.Home.text": "{" has no "}""#) == true)
    let both = #"{ "default": "Home", "screens": { "Home": { "text": "", "file": "x" } } }"#
    #expect(
      try launch(both).problems() == [#""screens.Home.file": a screen has a "text" or a "file", not both"#])
  }

  @Test("An app's coordinators use the routes of InitialScreen")
  func coordinatorRoutes() throws {
    let window = RecordingWindow()
    let source = SourceText(
      name: "commands.json",
      text: #"{ "version": 1, "commands": [{ "command": "InitialScreen", "with": \#(routed) }] }"#)
    let plan = try StartupCommandsBuilder(
      manifest: try Manifest(parsing: source), registry: CommandRegistry(InitialScreen.self)
    ).window(window).build()
    let host = LifecycleHost(plan)
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    try host.coordinator?.open(LaunchOptions(url: "notes://note/7?tab=a"))
    #expect(window.screens.map(\.title) == ["Home", "Note 7 a"])
    #expect(throws: ScreenError.noRoute("other://x")) {
      try host.coordinator?.open(LaunchOptions(url: "other://x"))
    }
  }

  private let routed = #"""
    { "default": "Home", "routes": [{ "url": "notes://note/{id}", "screen": "Note" }],
      "screens": { "Home": {}, "Note": { "title": "Note {id} {query.tab}" } } }
    """#

  @Test("InitialScreen describes its parameters")
  func catalogue() {
    let fields = CommandDescription(of: InitialScreen.self).parameters
    #expect(fields.map(\.name) == ["default", "routes", "replaces", "screens"])
    guard case .array(.object(let route)) = fields[1].schema else {
      Issue.record("\(fields[1].schema)")
      return
    }
    #expect(route.map(\.name) == ["launch", "type", "url", "firstLaunch", "screen"])
    #expect(route.map(\.isRequired) == [false, false, false, false, true])
  }
}
