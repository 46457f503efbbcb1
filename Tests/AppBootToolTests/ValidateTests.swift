import AppBoot
import AppBootSystem
import Testing

@Suite("validate and init")
struct ValidateTests {
  private let bad = """
    [
      { "command": "RunProces" },
      { "command": "RunProcess", "timeout": 3, "with": { "arguments": ["true"] } },
      { "command": "RunProcess", "id": "c", "after": ["d"], "with": { "argumnts": [] } }
    ]
    """

  @Test("reports every problem at once, with code 3")
  func problems() throws {
    let result = try ToolProcess("validate").manifest(bad).run()
    #expect(result.status == 3 && result.errors.isEmpty)
    #expect(result.output.contains("commands.json:3:16: error: unknown command \"RunProces\""))
    #expect(result.output.contains("help: did you mean \"RunProcess\"?"))
    #expect(result.output.hasSuffix(" errors\n"))
  }

  @Test("writes JSON for editors and commands for GitHub")
  func formats() throws {
    let json = try ToolProcess("validate", "--format", "json").manifest(bad).run()
    #expect(json.status == 3)
    #expect(try json.json().elements.first?["line"]?.text == "3")
    let github = try ToolProcess("validate", "--format", "github").manifest(bad).run()
    #expect(
      github.output.split(separator: "\n").allSatisfy { $0.hasPrefix("::error file=commands.json,line=") })
    let fine = try ToolProcess("validate", "--format", "json").manifest("[]").run()
    #expect(try fine.status == 0 && fine.json().elements.isEmpty)
  }

  @Test("says that a manifest is valid")
  func valid() throws {
    let result = try ToolProcess("validate").manifest("[\(Entry.shell("true", id: "a"))]").run()
    #expect(result.status == 0)
    #expect(result.output == "commands.json: valid, 1 command\n")
  }

  @Test("refuses what is no UTF-8 text with code 3", arguments: ["validate", "run", "list", "check"])
  func invalidText(subcommand: String) throws {
    let bytes = Array(#"{ "commands": ["#.utf8) + [0xFF, 0xFE] + Array("]}".utf8)
    let result = try ToolProcess(subcommand).file("commands.json", bytes: bytes).run()
    #expect(result.status == 3)
    #expect((result.output + result.errors).contains("commands.json:1:"))
    if subcommand != "validate" { #expect(result.output.isEmpty) }
  }

  @Test(
    "ends with 4 where the file is missing or a directory", arguments: ["validate", "run", "list", "check"])
  func unreadable(subcommand: String) throws {
    let missing = try ToolProcess(subcommand).run()
    #expect(missing.status == 4 && missing.output.isEmpty)
    #expect(
      missing.errors.hasPrefix(#"appboot: error: cannot open "commands.json": no such file or directory"#))
    #expect(missing.errors.contains("help: `appboot init` writes a commands.json to start from"))
    let directory = try ToolProcess(subcommand, ".").run()
    #expect(directory.status == 4 && directory.errors.contains("is a directory"))
  }

  @Test(
    "shows each line of the manifest in one line of the terminal", arguments: [20, 40, 60, 80],
    ["C.UTF-8", "C"])
  func narrow(width: Int, locale: String) throws {
    let names = String(repeating: "abcdefgh ", count: 30)
    let entries = [
      #"{ "command": "Appearance", "comment": "\#(names)", "with": { "theme": "drak" }, "x-more": "\#(names)" }"#,
      #"{ "command": "Appearance", "id": "b", "comment": "\#(names)", "with": { "theme": "drak" } }"#,
      #"{ "with": {}, "comment": "\#(names)", "command": "Apearance" }"#,
    ]
    let lines = String(repeating: "\n", count: 123_456)
    let result = try ToolProcess("validate").manifest("[\(lines)\(entries.joined(separator: ",\n"))]")
      .environment("COLUMNS", "\(width)").environment("LC_ALL", locale).run()
    let excerpts = result.output.split(separator: "\n").filter { $0.contains(" |") }
    #expect(excerpts.count == 6)
    // Less than ten columns of the manifest would say nothing, whatever the terminal.
    let limit = max(width, locale == "C" ? 26 : 22)
    #expect(excerpts.filter { DisplayWidth.of(String($0)) > limit } == [])
  }

  @Test("refuses an argument that is not UTF-8 with code 2, and says what to do")
  func notUTF8() throws {
    let script =
      #"mv commands.json "$(printf 'caf\351.json')"; "$0" "$@" "$(printf 'caf\351.json')" 2>"$APPBOOT_TEST_ERRORS""#
    let result = try ToolProcess("validate").manifest("[]").script(script).run()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(
      result.errors == """
        appboot: error: the argument "caf\u{FFFD}.json" is not UTF-8
        help: a manifest or record of such a name comes by standard input: - in its place, and < FILE

        """)
  }

  @Test("ends with 4 where the file has no end")
  func endless() throws {
    let result = try ToolProcess("validate", "/dev/zero").run()
    #expect(result.status == 4 && result.output.isEmpty)
    #expect(
      result.errors == "appboot: error: cannot read more than 256 MiB of \"/dev/zero\": file too large\n")
  }

  @Test("init writes a manifest that validates and boots, and never over a file")
  func starter() throws {
    let tool = try ToolProcess("init")
    let first = try tool.run()
    #expect(first.status == 0 && first.output.contains("wrote commands.json"))
    let text = try FileSystem.readFile(tool.directory.file("commands.json"))
    #expect(
      try ToolProcess("validate", "-").input(String(decoding: text, as: UTF8.self)).run().status == 0)
    #expect(
      try ToolProcess("run", "-", "--no-state").input(String(decoding: text, as: UTF8.self)).run().status
        == 0)
    let second = try tool.run()
    #expect(second.status == 4 && second.output.isEmpty)
    #expect(second.errors.contains("exists already"))
    #expect(try FileSystem.readFile(tool.directory.file("commands.json")) == text)
  }
}
