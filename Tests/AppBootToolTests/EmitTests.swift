import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("The emit subcommand", .ownThread)
struct EmitTests {
  private let lists = """
    { "sceneWillConnect": [{ "command": "InitialScreen", "with": { "default": "Home" } }],
      "didReceiveReload": [\(Entry.shell("exit 3", id: "reload"))] }
    """

  @Test("The answer to emit decides its exit code and its message")
  func answers() throws {
    let app = try Staying.start(lists)
    let cases: [([String], Int32, String)] = [
      (["emit", "sceneWillConnect", "--scene", "left"], 0, ""),
      (["emit", "sceneWillConnect", "--scene", "left"], 4, "the scene \"left\" is already connected"),
      (["emit", "sceneDidBecomeActive", "--scene", "lift"], 4, "did you mean \"left\"?"),
      (["emit", "sceneDidBecomeActive"], 2, "give it with --scene"),
      (["emit", "didReceiveReload"], 1, "reload failed: \"sh\" exited with code 3"),
      (["emit", "openURL", "--url", "a:b"], 1, ""),
      (["emit", "openUrl", "--url", "a:b"], 2, "did you mean \"openURL\"?"),
      (["emit", "didReceiveRemoteNotification", "--payload", "{bad"], 2, "is not JSON"),
      (["emit", "didFinishLaunching"], 4, "the app has already launched"),
      (["emit"], 2, "emit needs an argument: EVENT"),
    ]
    for (arguments, status, words) in cases {
      let result = try ToolProcess().with(arguments).with("--state", app.state).run()
      #expect(result.status == status, "\(arguments): \(result.errors)")
      #expect(words.isEmpty || result.errors.contains(words), "\(arguments): \(result.errors)")
    }
    let scenes = try app.status()["state"]?["scenes"]
    #expect(scenes?["left"]?["screens"]?.elements.map(\.string) == ["Home"])
    #expect(try app.end().status == 0)
  }

  @Test("emit rejects a scene's name over 256 bytes")
  func sceneNames() throws {
    let app = try Staying.start()
    let longest = String(repeating: "a", count: 256)
    #expect(try app.ask("emit", "sceneWillConnect", "--scene", longest).status == 0)
    let result = try app.ask("emit", "sceneWillConnect", "--scene", longest + "a")
    #expect(result.status == 2)
    #expect(
      result.errors
        == "appboot: error: the scene's name for sceneWillConnect has 257 bytes: it must have 1 to 256\n"
    )
    #expect(try app.end().status == 0)
  }

  @Test("status names the file of a status over the limit")
  func longStatus() throws {
    // Each of these is six bytes as JSON.
    let name = String(repeating: #"\u0001"#, count: 180_000)
    let app = try Staying.start(
      commands: #"[{ "command": "InitialScreen", "with": { "default": "\#(name)" } }]"#)
    let result = try app.ask("status")
    #expect(result.status == 4 && result.output.isEmpty)
    #expect(
      result.errors.contains(
        " bytes, more than the limit of 1048576: read status.json in the state directory"))
    #expect(try app.end().status == 0)
  }

  @Test("emit accepts a timeout beyond the range of the clock")
  func longLimit() throws {
    let app = try Staying.start()
    #expect(try app.ask("emit", "didBecomeActive", "--timeout", "2562047h").status == 0)
    #expect(try app.end().status == 0)
  }

  @Test("emit reads a payload from standard input, and rejects one over the limit")
  func payloads() throws {
    let app = try Staying.start()
    let fine = try app.ask("emit", "willPresentNotification", "--payload", "-", input: #"{"badge": 1}"#)
    #expect(fine.status == 0)
    let long = try app.ask(
      "emit", "willPresentNotification", "--payload", "-", input: String(repeating: "a", count: 10_000_000))
    #expect(long.status == 2)
    #expect(long.errors.contains("more than the limit of 1048576"))
    #expect(try app.end().status == 0)
  }
}

@Suite("The control socket", .ownThread)
struct ControlSocketTests {
  @Test(
    "A malformed request gets an error",
    arguments: [
      ("nonsense\n", "it is not JSON"), ("[]\n", "it is not an object"), ("{}\n", "its version must be 1"),
      (#"{"version":1}"# + "\n", "it has no \"request\""),
      (#"{"version":1,"request":"dance"}"# + "\n", #"unknown request "dance""#),
      (#"{"version":1,"request":"emit"}"# + "\n", "it has no \"event\""),
      (#"{"version":1,"request":"emit","event":"openURL","url":7}"# + "\n", "its url must be a string"),
    ])
  func mistakes(line: String, words: String) throws {
    let app = try Staying.start()
    let error = try app.send(Array(line.utf8))
    #expect(error?["kind"]?.string == "malformed")
    #expect(error?["message"]?.string?.contains(words) == true)
    #expect(try app.end().status == 0)
  }

  @Test("The server rejects a request over the limit, and serves others while a connection is idle")
  func limits() throws {
    let app = try Staying.start()
    let path = FileSystem.join(app.state, "control.sock")
    let idle = try StreamSocket.connect(path: path, until: nil)
    let error = try app.send([UInt8](repeating: UInt8(ascii: "a"), count: Control.limit + 1))
    #expect(error?["message"]?.string?.contains("longer than 1048576 bytes") == true)
    #expect(try app.status()["running"]?.bool == true)
    #expect(try app.end().status == 0)
    #expect(try idle.read(until: Patience.end) == [])
  }
}
