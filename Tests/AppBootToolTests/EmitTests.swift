import AppBoot
import AppBootSystem
import Testing

@testable import AppBootTool

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
