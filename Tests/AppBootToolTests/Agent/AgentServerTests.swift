import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("The server for agents")
struct AgentServerTests {
  /// The command lines that the server ran.
  private let lines = Lock<[[String]]>([])

  private func server(
    control: Bool = false, output: String = "the output\n", end: ProcessEnd = .exited(0)
  ) -> AgentServer {
    AgentServer(
      name: "appboot", version: "1.2.3", tools: McpSubcommand.tools(control: control),
      place: AgentPlace(manifest: "app.json", state: "state", records: "records"),
      run: { [lines] line in
        lines.withLock { $0.append(line) }
        return (Array(output.utf8), end)
      })
  }

  private func answer(_ line: String, by server: AgentServer? = nil) throws -> JSONValue {
    let text = try #require(try (server ?? self.server()).answer(to: Array(line.utf8)))
    #expect(text.hasSuffix("\n") && text.count { $0 == "\n" } == 1)
    return try JSONDocument(parsing: SourceText(name: "answer", text: text)).root
  }

  private func call(
    _ tool: String, _ arguments: String = "{}", by server: AgentServer? = nil
  ) throws -> JSONValue {
    let parameters = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
    return try answer(
      #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":\#(parameters)}"#, by: server)
  }

  /// Returns the code and the message of an answer's error.
  private func error(_ answer: JSONValue) throws -> String {
    let error = try #require(answer["error"])
    return "\(try #require(error["code"]).text) \(try #require(error["message"]?.string))"
  }

  // MARK: - JSON-RPC

  @Test(
    "initialize answers with the client's version of the protocol, or else with the newest known one",
    arguments: [("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2031-01-01", "2025-06-18")])
  func version(asked: String, answered: String) throws {
    let answer = try answer(
      #"{"jsonrpc":"2.0","id":"a\n1","method":"initialize","params":{"protocolVersion":"\#(asked)"}}"#)
    #expect(answer["jsonrpc"]?.string == "2.0" && answer["id"]?.string == "a\n1")
    #expect(answer["result"]?["protocolVersion"]?.string == answered)
    #expect(answer["result"]?["serverInfo"]?["version"]?.string == "1.2.3")
    #expect(answer["result"]?["capabilities"]?["tools"]?.kind == .object)
  }

  @Test("ping has an empty result, and a notification has no answer")
  func ping() throws {
    #expect(try answer(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)["result"]?.text == "{}")
    for method in ["notifications/initialized", "notifications/cancelled", "unknown"] {
      #expect(try server().answer(to: Array(#"{"jsonrpc":"2.0","method":"\#(method)"}"#.utf8)) == nil)
    }
  }

  @Test(
    "A message that is no request gets the error of JSON-RPC and the id null",
    arguments: [
      ("{", "-32700 not JSON: "), ("\u{FF}x", "-32700 not JSON: "),
      ("[]", "-32600 a message must be an object"), (#"{"id":1}"#, "-32600 a message must be an object"),
      (#"{"id":null,"method":"ping"}"#, #"-32600 the "id" must be a string or a number"#),
    ])
  func malformed(line: String, expected: String) throws {
    let answer = try answer(line)
    #expect(try error(answer).hasPrefix(expected))
    #expect(answer["id"]?.isNull == true && answer["result"] == nil)
  }

  @Test("An unknown method is an error with the id of the request")
  func unknownMethod() throws {
    let answer = try answer(#"{"jsonrpc":"2.0","id":3,"method":"resources/list"}"#)
    #expect(try error(answer) == #"-32601 unknown method "resources/list""#)
    #expect(answer["id"]?.text == "3")
  }

  // MARK: - Tools

  @Test("The tools that change services are listed only with --allow-control, and none runs steps")
  func list() throws {
    let request = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    let tools = try #require(try answer(request, by: server(control: true))["result"]?["tools"]).elements
    #expect(
      tools.map { $0["name"]?.string } == [
        "plan", "validate", "status", "logs", "report", "why", "whatif", "history", "compare", "restart",
        "stop",
      ])
    #expect(tools.filter { $0["annotations"]?["readOnlyHint"]?.bool == false }.count == 2)
    #expect(try answer(request)["result"]?["tools"]?.elements.count == 9)
    #expect(try error(call("restart", #"{"service":"web"}"#)).contains(#"-32602 unknown tool "restart""#))
  }

  @Test("The schema of a tool's arguments comes from the declarations of its subcommand")
  func schema() throws {
    let tools = try #require(try answer(#"{"id":1,"method":"tools/list"}"#)["result"]?["tools"]).elements
    let whatif = try #require(tools.first { $0["name"]?.string == "whatif" }?["inputSchema"])
    #expect(whatif["properties"]?["set"]?["items"]?["type"]?.string == "string")
    #expect(whatif["properties"]?["jobs"]?["type"]?.string == "integer")
    #expect(whatif["properties"]?["format"]?["enum"]?.elements.compactMap(\.string) == ["text", "json"])
    let why = try #require(tools.first { $0["name"]?.string == "why" }?["inputSchema"])
    #expect(why["properties"]?["step"]?["type"]?.string == "string")
    #expect(why["required"]?.elements.compactMap(\.string) == ["step"])
    #expect(tools.allSatisfy { $0["inputSchema"]?["properties"]?["offset"]?["type"]?.string == "integer" })
  }

  @Test("No tool has an argument for a file, a directory or standard input")
  func noPaths() {
    for tool in McpSubcommand.tools(control: true) {
      for argument in tool.arguments {
        switch argument.value {
        case .file, .directory, .event: Issue.record("\(tool.name) has \(argument.name)")
        case .flag, .text, .step, .choice, .list, .count, .optionalCount, .duration, .command, .subcommand:
          continue
        }
        #expect(argument.name != Option<String>.payload.name)
      }
    }
  }

  @Test("A call becomes a command line with the manifest and the state of the server")
  func commandLines() throws {
    _ = try call("plan", #"{"only":["a","b,c"],"all":true,"format":null,"offset":0}"#)
    _ = try call("whatif", #"{"set":["a=-50%","b=x2"],"jobs":3}"#)
    _ = try call("why", #"{"step":"--output=x"}"#)
    _ = try call("logs", #"{"step":"-f"}"#)
    _ = try call("logs")
    _ = try call("validate")
    _ = try call("restart", #"{"service":"web"}"#, by: server(control: true))
    let state = ["--color=never", "--state=state"]
    #expect(
      lines.withLock(\.self) == [
        ["list"] + state + ["--all", "--only=a", "--only=b,c", "--", "app.json"],
        ["whatif"] + state + ["--set=a=-50%", "--set=b=x2", "--jobs=3", "--"],
        ["report"] + state + ["--why=--output=x", "--"],
        ["logs"] + state + ["--", "-f", "app.json"],
        ["logs"] + state + ["--"],
        ["validate", "--color=never", "--", "app.json"],
        ["restart", "--color=never", "--timeout=55s", "--state=state", "--", "web", "app.json"],
      ])
  }

  @Test(
    "A wrong argument is an error that names it, and runs nothing",
    arguments: [
      (
        "plan", #"{"state":"/etc"}"#,
        #"plan has no argument "state": it has format, all, only, to, skip, offset"#
      ),
      ("plan", #"{"manifest":"/etc/passwd"}"#, #"plan has no argument "manifest""#),
      ("plan", #"{"only":"a"}"#, #"the argument "only" of plan must not be a string"#),
      ("plan", #"{"all":1}"#, #"the argument "all" of plan must not be a number"#),
      ("plan", #"{"format":"html"}"#, #"--format must be text, json, dot, mermaid or ids, not "html""#),
      ("plan", #"{"offset":"1"}"#, #"the argument "offset" must be a whole number"#),
      ("plan", "[]", #"the "arguments" must be an object"#),
      ("why", "{}", #"why needs the argument "step""#),
      ("whatif", #"{"jobs":0}"#, "--jobs needs a whole number from 1"),
      ("run", "{}", #"unknown tool "run": the tools are plan, validate"#),
    ])
  func wrongArguments(tool: String, arguments: String, expected: String) throws {
    let message = try error(call(tool, arguments))
    #expect(message.hasPrefix("-32602 \(expected)"), "\(message)")
    #expect(lines.withLock(\.isEmpty))
  }

  @Test("compare takes the names of files in the directory of records, and no paths")
  func compare() throws {
    let directory = try TemporaryDirectory()
    for name in ["base.jsonl", "head.jsonl"] {
      try FileSystem.writeFile(atomically: [], to: directory.file(name))
    }
    let place = AgentPlace(manifest: "app.json", state: "state", records: directory.path)
    #expect(try place.record("base.jsonl") == directory.file("base.jsonl"))
    for name in ["../base.jsonl", directory.file("base.jsonl"), "-", ".", ""] {
      let error = #expect(throws: RPCError.self) { try place.record(name) }
      #expect(error?.message.hasSuffix("the files are base.jsonl, head.jsonl") == true)
    }
  }

  // MARK: - Answers

  @Test("The answer has the output of the subcommand, and is an error if the subcommand failed")
  func outputs() throws {
    let answer = try call("report")["result"]
    #expect(answer?["content"]?.elements.first?["text"]?.string == "the output\n")
    #expect(answer?["isError"]?.bool == false)
    #expect(try call("report", by: server(end: .exited(4)))["result"]?["isError"]?.bool == true)
    let killed = try call("report", by: server(output: "", end: .signalled(9)))["result"]
    #expect(killed?["content"]?.elements.first?["text"]?.string == "report was killed by SIGKILL\n")
    #expect(killed?["isError"]?.bool == true)
  }

  @Test("Mistakes in the manifest, and that nothing runs, are answers and no errors")
  func answersOfFailures() throws {
    #expect(try call("validate", by: server(end: .exited(3)))["result"]?["isError"]?.bool == false)
    #expect(try call("validate", by: server(end: .exited(4)))["result"]?["isError"]?.bool == true)
    #expect(try call("status", by: server(end: .exited(4)))["result"]?["isError"]?.bool == false)
  }

  @Test("A page has at most 8192 bytes, ends with a line, and says where the next one begins")
  func pages() throws {
    let text = (0..<2000).map { "line \($0) ✓\n" }.joined()
    var (read, offset, count) = ("", 0, 0)
    while true {
      let page = AnswerPage.text(of: Array(text.utf8), from: offset)
      #expect(page.utf8.count <= AnswerPage.limit)
      count += 1
      guard let note = page.firstRange(of: "… ") else {
        read += page
        break
      }
      let body = page[..<note.lowerBound]
      #expect(body.hasSuffix("\n"))
      read += body
      let next = try #require(page[note.upperBound...].split(separator: "=").last.flatMap { Int($0) })
      #expect(next > offset && page.hasSuffix("… \(text.utf8.count - next) more bytes: offset=\(next)"))
      offset = next
    }
    #expect(read == text && count == 4)
  }

  @Test("A page of one long line ends between two characters")
  func longLine() {
    let text = String(repeating: "✓", count: 5000)
    let page = AnswerPage.text(of: Array(text.utf8), from: 0)
    #expect(page.hasPrefix("✓✓") && page.utf8.count <= AnswerPage.limit && !page.contains("\u{FFFD}"))
    #expect(AnswerPage.text(of: Array(text.utf8), from: 1).hasPrefix("✓"))
  }

  @Test("A negative offset shows the last lines, and an offset after the end shows nothing")
  func ends() {
    let bytes = Array("one\ntwo\nthree\n".utf8)
    #expect(AnswerPage.text(of: bytes, from: -8) == "three\n")
    #expect(AnswerPage.text(of: bytes, from: -100) == "one\ntwo\nthree\n")
    #expect(AnswerPage.text(of: bytes, from: 100) == "")
    #expect(AnswerPage.text(of: [], from: -1) == "")
    #expect(AnswerPage.text(of: [0xFF, 0x0A], from: 0) == "\u{FFFD}\n")
  }

  @Test("A signal during a call ends the server")
  func interruption() throws {
    var server = server()
    server = AgentServer(
      name: server.name, version: server.version, tools: server.tools, place: server.place,
      run: { _ in throw Interruption(signal: 15) })
    let request = #"{"id":1,"method":"tools/call","params":{"name":"status"}}"#
    #expect(throws: Interruption.self) { try server.answer(to: Array(request.utf8)) }
  }
}
