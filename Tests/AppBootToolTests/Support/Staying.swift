import AppBoot
import AppBootSystem
import Testing
import AppBootTestSupport

@testable import AppBootTool

/// A tool with `--stay`, and further tools that use its state directory.
struct Staying {
  let tool: ToolProcess
  let running: RunningTool

  static func start(
    _ lists: String = "{}", commands: String = "[]", arguments: [String] = [], script: String? = nil
  ) throws -> Staying {
    var tool = try ToolProcess("run", "--stay", "--format", "jsonl").with(arguments)
      .manifest(commands, members: #""name": "Test", "on": \#(lists)"#)
    if let script { tool = tool.script(script) }
    return try Staying(tool: tool, running: again(tool))
  }

  /// Starts the tool, and waits for the end of its launch.
  static func again(_ tool: ToolProcess) throws -> RunningTool {
    let running = try tool.start()
    guard try running.waitForOutput(#""kind":"launchEnded""#) else {
      throw Missing(errors: try running.finish().errors)
    }
    return running
  }

  struct Missing: Error { let errors: String }

  var state: String { tool.directory.file(".appboot") }

  func ask(_ arguments: String..., input: String? = nil) throws -> ToolResult {
    var other = try ToolProcess().with(arguments).with("--state", state)
    if let input { other = other.input(input) }
    return try other.run()
  }

  func status() throws -> JSONValue { try ask("status", "--format", "json").json() }

  /// Waits until the app has a phase; returns false after a minute.
  ///
  /// The app becomes active some time after its launch has ended.
  func waitForPhase(_ phase: String) throws -> Bool {
    try Patience.wait { try status()["state"]?["phase"]?.string == phase }
  }

  /// Ends the app with TERM.
  func end() throws -> ToolResult {
    running.signal(Signals.terminate)
    return try running.finish()
  }

  func connect() throws -> StreamSocket {
    try StreamSocket.connect(
      path: FileSystem.join(state, "control.sock"), until: Patience.end)
  }

  /// Emits `openURL` without waiting for the answer. The caller keeps the socket open.
  func emitOpenURL() throws -> StreamSocket {
    let socket = try connect()
    try socket.write(Array(#"{"version":1,"request":"emit","event":"openURL","url":"a:b"}"#.utf8 + [10]))
    return socket
  }

  /// Sends raw bytes, and returns the error of the answer.
  func send(_ bytes: [UInt8]) throws -> JSONValue? {
    let limit = Patience.end
    let socket = try connect()
    try socket.write(bytes, until: limit)
    let line = try #require(try Control.readLine(socket, until: limit))
    return try JSONDocument(parsing: SourceText(name: "answer", bytes: line)).root["error"]
  }
}
