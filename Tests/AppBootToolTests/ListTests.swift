import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The list subcommand", .ownThread)
struct ListTests {
  private let good = "[\(Entry.shell("true", id: "a")), \(Entry.shell("true", id: "b"))]"

  @Test("list --format json includes order, place and dependencies")
  func list() throws {
    let result = try ToolProcess("list", "--format", "json", "--skip", "b").manifest(good).run()
    let steps = try #require(try result.json()["steps"]).elements.map { $0 }
    #expect(steps.map { $0["id"]?.string } == ["a", "b"])
    #expect(steps.last?["after"]?.elements.first?.string == "a")
    #expect(steps.first?["line"]?.text == "2")
    #expect(steps.last?["reason"]?["text"]?.string == "--skip b")
  }

  @Test("list shows the steps in run order")
  func order() throws {
    let entries = [
      Entry.shell("true", id: "last", #""after": ["first"]"#),
      Entry.shell("true", id: "first", #""after": []"#),
    ]
    let result = try ToolProcess("list").manifest("[\(entries.joined(separator: ", "))]").run()
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "Test: 2 steps")
    #expect(lines.dropFirst().first == "1  first (RunProcess)  background  at once")
    #expect(lines.last == "2  last (RunProcess)   background  after first")
    let ids = try ToolProcess("list", "--format", "ids").manifest("[\(entries.joined(separator: ", "))]")
      .run()
    #expect(ids.output == "first\nlast\n")
  }

  @Test("list shows the limits that a service sets, and list --all shows all")
  func serviceLimits() throws {
    let entry = #"""
      { "command": "RunService", "id": "web", "timeout": "10s", "with": { "arguments": ["serve"],
        "stop": { "signal": "INT" }, "restart": { "when": "always", "attempts": 3 } } }
      """#
    let tool = try ToolProcess("list").manifest("[\(entry)]")
    #expect(
      try tool.run().output == """
        Test: 1 step
        1  web (RunService)  background  at once; timeout 10s; stop.signal INT; restart.when always; \
        restart.attempts 3

        """)
    #expect(
      try tool.with("--all").run().output == """
        Test: 1 step
        1  web (RunService)  background  at once; timeout 10s; stop.signal INT; stop.grace 10s; onExit fail; \
        restart.when always; restart.attempts 3; restart.backoff 500ms; restart.maxBackoff 30s; \
        restart.resetAfter 1m

        """)
    let json = try tool.with("--format", "json").run().json()
    let limits = try #require(json["steps"]?.elements.first?["limits"])
    #expect(limits["stop.signal"]?.string == "INT")
    #expect(try limits["stop.grace"]?.integer(as: Int64.self) == 10_000_000_000)
    #expect(try limits["restart.attempts"]?.integer(as: Int.self) == 3)
    #expect(json["grace"] == nil)
  }

  @Test("list prints graphs for Graphviz and Mermaid")
  func graphs() throws {
    let odd = try ToolProcess("list", "--format", "dot").manifest(
      "[\(Entry.shell("true", id: #"a\"b"#))]"
    ).run()
    #expect(odd.output.contains(#"s0 [label="a\"b""#))
    // A quote and a mark are one character.
    let marked = try ToolProcess("list", "--format", "dot").manifest(
      "[\(Entry.shell("true", id: #"a\"\u0301b"#))]"
    ).run()
    #expect(marked.output.contains("s0 [label=\"a\\\"\u{301}b\""))
    let command = try ToolProcess("list", "--format", "dot").manifest("[\(Entry.shell("true", id: "##[a]"))]")
      .run()
    #expect(command.output.contains("s0 [label=\"##\\[a]\""))
    let dot = try ToolProcess("list", "--format", "dot").manifest(good).run()
    #expect(dot.output.hasPrefix("digraph \"Test\" {") && dot.output.contains("  s0 -> s1;\n"))
    let mermaid = try ToolProcess("list", "--format", "mermaid").manifest(good).run()
    #expect(mermaid.output.hasPrefix("flowchart LR\n") && mermaid.output.contains("  s0 --> s1\n"))
  }

  @Test("list --format ids shows the control characters of an id, and escapes a comma")
  func ids() throws {
    let steps = [#"a\u001b[2Jb"#, "c,d", "é"].map { Entry.shell("true", id: $0) }
    let result = try ToolProcess("list", "--format", "ids").manifest("[\(steps.joined(separator: ", "))]")
      .run()
    #expect(result.output == "a<U+001B>[2Jb\nc\\,d\né\n")
  }

  @Test("The list of a step without another attempt has one attempt")
  func attempt() throws {
    let step = Entry.shell("true", id: "a", #""retry": 1"#)
    let result = try ToolProcess("list", "--no-state").manifest("[\(step)]").run()
    #expect(result.output.contains("; 1 attempt\n"), "\(result.output)")
  }

  @Test("A narrow list continues a step's details on the next line", arguments: [60, 200])
  func narrowList(columns: Int) throws {
    let step = Entry.shell(
      "true", id: "migrate-the-database",
      #""timeout": "30s", "retry": { "attempts": 3 }, "budget": "2s", "comment": "only once""#)
    let result = try ToolProcess("list", "--no-state").environment("COLUMNS", "\(columns)").manifest(
      "[\(step)]"
    ).run()
    let lines = result.output.split(separator: "\n").dropFirst()
    let words = lines.flatMap { $0.split(separator: " ") }.joined(separator: " ")
    #expect(words.hasSuffix(" at once; budget 2s; timeout 30s; 3 attempts; only once"))
    // A line ends between two details.
    #expect(lines.dropLast().allSatisfy { $0.hasSuffix(";") })
    #expect(lines.count == (columns == 60 ? 3 : 1))
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= columns })
  }
}
