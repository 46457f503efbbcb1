import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

import AppBootLibC

@testable import AppBootTool

@Suite("The subcommand mcp", .ownThread)
struct McpTests {
  private func request(_ tool: String, _ arguments: String = "{}") -> String {
    let parameters = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
    return #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(parameters)}"# + "\n"
  }

  /// Returns the text of each answer.
  private func texts(_ result: ToolResult) throws -> [String] {
    try result.jsonLines().map { try #require($0["result"]?["content"]?.elements.first?["text"]?.string) }
  }

  @Test("mcp answers each line until standard input ends, also a last one without a line end")
  func lines() throws {
    let result = try ToolProcess("mcp").manifest(#"["Appearance"]"#)
      .input("\n" + request("validate") + "{\r\n" + #"{"id":2,"method":"ping"}"#).run()
    #expect(result.status == 0 && result.errors.isEmpty)
    let answers = try result.jsonLines()
    #expect(answers.count == 3 && answers[1]["error"]?["code"]?.text == "-32700")
    #expect(
      answers[0]["result"]?["content"]?.elements[0]["text"]?.string == "commands.json: valid, 1 command\n")
  }

  @Test("validate answers with the fix of each mistake, also while the manifest is no JSON")
  func fixes() throws {
    let mistake = try ToolProcess("mcp").manifest(#"[{ "command": "RunProces" }]"#).input(request("validate"))
      .run()
    #expect(try texts(mistake)[0].contains(#"did you mean "RunProcess"?"#))
    let broken = try ToolProcess("mcp", "--state", "state").file("commands.json", "{")
      .input(request("validate") + request("report")).run()
    let answers = try texts(broken)
    #expect(answers[0].contains("commands.json:1:"))
    #expect(answers[1].contains(#"there is no record in "state""#))
  }

  @Test("The tools include only files below the directory of the manifest")
  func includes() throws {
    let outside = try TemporaryDirectory()
    try outside.write("other.json", #"{ "commands": ["Appearance"] }"#)
    let manifest = #"{ "include": ["\#(outside.file("other.json"))", "part.json"], "commands": [] }"#
    let tool = try ToolProcess().file("commands.json", manifest)
      .file("part.json", #"{ "commands": [{ "command": "Appearance", "id": "part" }] }"#)
    #expect(try tool.with("validate").run().status == 0)
    let answers = try texts(tool.with("mcp").input(request("validate") + request("plan")).run())
    for answer in answers {
      #expect(
        answer.contains("other.json\" is not read: it is not below the directory of the manifest"),
        "\(answer)")
    }
    let inside = try tool.file("commands.json", #"{ "include": ["part.json"], "commands": [] }"#)
      .with("mcp").input(request("plan")).run()
    #expect(try texts(inside)[0].contains("part"))
  }

  @Test("compare does not follow a link in the directory of records")
  func linkedRecords() throws {
    let outside = try TemporaryDirectory()
    try outside.write("secret.json", "hunter2hunter2\n")
    let tool = try ToolProcess("run", "--record", "records/a.json").manifest(#"["Appearance"]"#)
    try FileSystem.createDirectory(tool.directory.file("records"))
    #expect(try tool.run().status == 0)
    #expect(symlink(outside.file("secret.json"), tool.directory.file("records/b.json")) == 0)
    let server = try ToolProcess().file("commands.json", #"{ "commands": ["Appearance"] }"#)
      .with("mcp", "--records", tool.directory.file("records"))
    let result = try server.input(request("compare", #"{"base":"a.json","head":"b.json"}"#)).run()
    #expect(try texts(result)[0].contains("it is a symbolic link"), "\(result.output)")
    #expect(!result.output.contains("hunter2"))
    for subcommand in [["report"], ["compare", "records/a.json"]] {
      let result = try ToolProcess().script(#"cd "$FOLDER" && exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
        .environment("FOLDER", tool.directory.path).with(subcommand + ["records/b.json"]).run()
      #expect(result.errors.contains("it is a symbolic link"), "\(result.errors)")
      #expect(!(result.output + result.errors).contains("hunter2"))
    }
  }

  @Test("The tools show the launch of the manifest in the command line, with its secrets masked")
  func launch() throws {
    let tool = try ToolProcess().manifest(
      #"[{ "command": "RunProcess", "id": "say", "with": { "arguments": ["echo", "got {env.KEY}"] } }]"#,
      members: #""name": "Test", "secrets": ["KEY"]"#
    ).environment("KEY", "hunter2hunter2")
    #expect(try tool.with("run").run().status == 0)
    let result = try tool.with("mcp", "commands.json").input(
      request("report") + request("logs", #"{"step":"say"}"#) + request("why", #"{"step":"say"}"#)
        + request("status") + request("history") + request("plan")
    ).run()
    #expect(result.status == 0)
    let answers = try texts(result)
    #expect(answers[0].contains("say") && answers[1] == "got ***\n" && answers[2].contains("say"))
    #expect(answers[3].hasPrefix("no launch or app is running"))
    #expect(!result.output.contains("hunter2"))
  }

  @Test("TERM ends the server at once, while it waits for a message")
  func signal() throws {
    let tool = try ToolProcess("mcp").manifest("[]")
      .script(#"mkfifo in; exec 3<>in; echo '{"id":1,"method":"ping"}' >&3; exec "$0" "$@" <in"#).start()
    #expect(try tool.waitForOutput("\"result\""))
    tool.signal(Signals.terminate)
    #expect(tool.end() == .signalled(Signals.terminate))
  }

  @Test("The manifest on standard input is a usage error")
  func standardInput() throws {
    let result = try ToolProcess("mcp", "-").run()
    #expect(result.status == 2)
    #expect(
      result.errors == "appboot: error: MANIFEST - and messages on standard input cannot be used together\n")
  }
}
