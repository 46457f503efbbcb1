import AppBoot
import AppBootReports
import AppBootSystem
import AppBootTestSupport
import Testing

import AppBootLibC

@Suite("The validate and init subcommands", .ownThread)
struct ValidateTests {
  private let bad = """
    [
      { "command": "RunProces" },
      { "command": "RunProcess", "timeout": 3, "with": { "arguments": ["true"] } },
      { "command": "RunProcess", "id": "c", "after": ["d"], "with": { "argumnts": [] } }
    ]
    """

  @Test("check --dry-run reports the same problems as validate, and launches nothing")
  func dryRun() throws {
    let wrong = try ToolProcess("check", "--dry-run").manifest("[\"Sya\"]")
    let (checked, validated) = (try wrong.run(), try ToolProcess("validate").manifest("[\"Sya\"]").run())
    #expect(checked.status == 3 && checked.output == validated.output && !checked.output.isEmpty)
    let right = try ToolProcess("check", "--dry-run").manifest("[\(Entry.shell("touch x", id: "a"))]")
    #expect(try right.run().status == 0 && !FileSystem.exists(right.directory.file("x")))
    #expect(try right.with("--format", "json").run().status == 2)
  }

  @Test("validate reports every problem at once, and exits with 3")
  func problems() throws {
    let result = try ToolProcess("validate").manifest(bad).run()
    #expect(result.status == 3 && result.errors.isEmpty)
    #expect(result.output.contains("commands.json:3:16: error: unknown command \"RunProces\""))
    #expect(result.output.contains("help: did you mean \"RunProcess\"?"))
    #expect(result.output.hasSuffix(" errors\n"))
  }

  @Test("validate prints JSON for editors and workflow commands for GitHub")
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

  @Test("validate reports a valid manifest")
  func valid() throws {
    let result = try ToolProcess("validate").manifest("[\(Entry.shell("true", id: "a"))]").run()
    #expect(result.status == 0)
    #expect(result.output == "commands.json: valid, 1 command\n")
  }

  @Test("A warning exits with 0, and with --strict with 3")
  func warnings() throws {
    let entry = Entry.shell("true", id: "a", #""timeout": "1s", "budget": "2s""#)
    let result = try ToolProcess("validate").manifest("[\(entry)]").run()
    #expect(result.status == 0)
    #expect(result.output.contains("warning: the budget of \"a\", 2s, is longer than its timeout, 1s\n"))
    #expect(result.output.contains("help: the timeout comes first: lower the budget\n"))
    #expect(result.output.hasSuffix("\ncommands.json: valid, 1 warning, 1 command\n"))
    let strict = try ToolProcess("validate", "--strict").manifest("[\(entry)]").run()
    #expect(strict.status == 3 && strict.output == result.output)
    #expect(try ToolProcess("validate", "--strict").manifest("[]").run().status == 0)
    #expect(try ToolProcess("run").manifest("[\(entry)]").run().status == 0)
  }

  @Test("A manifest that is not UTF-8 exits with 3", arguments: ["validate", "run", "list", "check"])
  func invalidText(subcommand: String) throws {
    let bytes = Array(#"{ "commands": ["#.utf8) + [0xFF, 0xFE] + Array("]}".utf8)
    let result = try ToolProcess(subcommand).file("commands.json", bytes: bytes).run()
    #expect(result.status == 3)
    #expect((result.output + result.errors).contains("commands.json:1:"))
    if subcommand != "validate" { #expect(result.output.isEmpty) }
  }

  @Test(
    "A manifest that is missing or a directory exits with 4", arguments: ["validate", "run", "list", "check"])
  func unreadable(subcommand: String) throws {
    let missing = try ToolProcess(subcommand).run()
    #expect(missing.status == 4 && missing.output.isEmpty)
    #expect(
      missing.errors.hasPrefix(#"appboot: error: cannot open "commands.json": no such file or directory"#))
    #expect(missing.errors.contains("help: `appboot init` writes a commands.json to start from"))
    let directory = try ToolProcess(subcommand, ".").run()
    #expect(directory.status == 4 && directory.errors.contains("is a directory"))
    let unreadable = try ToolProcess(subcommand)
    try FileSystem.createDirectory(unreadable.directory.file("commands.json"))
    let named = try unreadable.run()
    #expect(named.status == 4 && named.errors.contains("is a directory") && !named.errors.contains("help:"))
  }

  @Test(
    "validate shows each line of the manifest in one line of the terminal", arguments: [20, 40, 60, 80],
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
    // An excerpt has at least ten columns of the manifest, even in a narrower terminal.
    let limit = max(width, locale == "C" ? 26 : 22)
    #expect(excerpts.filter { DisplayWidth.of(String($0)) > limit } == [])
  }

  @Test("An argument that is not UTF-8 exits with 2 and a hint")
  func notUTF8() throws {
    let script =
      #"mv commands.json "$(printf 'caf\351.json')"; "$0" "$@" "$(printf 'caf\351.json')" 2>"$APPBOOT_TEST_ERRORS""#
    let result = try ToolProcess("validate").manifest("[]").script(script).run()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(
      result.errors == """
        appboot: error: the argument "caf\u{FFFD}.json" is not UTF-8
        help: rename the file, or use - in its place and redirect it: < FILE

        """)
  }

  @Test("A file without an end exits with 4")
  func endless() throws {
    let result = try ToolProcess("validate", "/dev/zero").run()
    #expect(result.status == 4 && result.output.isEmpty)
    #expect(
      result.errors == "appboot: error: cannot read more than 256 MiB of \"/dev/zero\": file too large\n")
  }

  @Test("init writes a manifest that is valid and runs, and never overwrites a file")
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
    #expect(second.errors.contains("already exists"))
    #expect(try FileSystem.readFile(tool.directory.file("commands.json")) == text)
    let piped = try tool.with("-").run()
    #expect(piped.status == 0 && Array(piped.output.utf8) == text)
    #expect(!FileSystem.exists(tool.directory.file("-")))
  }

  @Test(
    "A pipe in place of an included file or of an environment file is an error, and nothing waits for its writer",
    arguments: [#""include": ["pipe"]"#, #""environment": { "files": ["pipe"] }"#])
  func pipe(member: String) throws {
    let result = try ToolProcess("validate").manifest("[]", members: member)
      .script(#"mkfifo pipe; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#).run()
    #expect(result.status == 3, "\(result.output)\(result.errors)")
    #expect(result.output.contains("\"pipe\" cannot be read: it is a pipe, not a file"), "\(result.output)")
  }

  @Test("An included file that is no manifest is an error that shows nothing of it")
  func otherIncludedFiles() throws {
    let outside = try TemporaryDirectory()
    for (path, text) in [
      ("environ", "TOKEN=hunter2hunter2\n"), ("shadow", "root:hunter2hunter2:19000\n"),
      ("credentials", "[default]\nkey = hunter2hunter2\n"),
      ("comment.js", "/* a */ // b\nkey = 'hunter2hunter2'"),
    ] {
      try outside.write(path, text)
      for included in [outside.file(path), path] {
        for format in ["text", "json", "github"] {
          let result = try ToolProcess("validate", "--format", format).file(path, text)
            .manifest("[]", members: #""include": ["\#(included)"]"#).run()
          #expect(result.status == 3)
          #expect(result.output.contains("is not a manifest: it does not begin with {"), "\(result.output)")
          #expect(!(result.output + result.errors).contains("hunter2"))
        }
      }
    }
    let environment = try ToolProcess("list").manifest("[]", members: #""include": ["/proc/self/environ"]"#)
      .environment("TOKEN", "hunter2hunter2").run()
    #expect(environment.status == 3 && !environment.errors.contains("hunter2"), "\(environment.errors)")
  }

  @Test("No line of an included file is shown if the file is not below the manifest's directory")
  func includedFromOutside() throws {
    let outside = try TemporaryDirectory()
    let text = #"{ "auths": "hunter2hunter2" }"#
    try outside.write("config.json", text)
    let tool = try ToolProcess().file("inside.json", text)
    #expect(symlink(outside.file("config.json"), tool.directory.file("link.json")) == 0)
    for (path, isShown) in [
      (outside.file("config.json"), false), ("link.json", false), ("inside.json", true),
    ] {
      for subcommand in ["validate", "list"] {
        let result = try tool.with(subcommand).manifest("[]", members: #""include": ["\#(path)"]"#).run()
        let text = result.output + result.errors
        #expect(result.status == 3 && text.contains("\(path):1:3: error: unknown key \"auths\""), "\(text)")
        #expect(text.contains("hunter2") == isShown)
      }
    }
  }

  @Test(
    "A message for GitHub contains no command of another CI runner",
    arguments: ["TF_BUILD", "TEAMCITY_VERSION"])
  func otherRunners(variable: String) throws {
    let id = "##vso[task.setvariable]x ##[error]y ##teamcity[z]"
    let tool = try ToolProcess().environment(variable, "True")
      .manifest(#"[{ "command": "Appearance", "id": "\#(id)" }, { "command": "\#(id)" }]"#)
    let result = try tool.with("validate", "--format", "github").run()
    #expect(
      result.status == 3 && result.output.contains("##vso\\[task.setvariable]x ##\\[error]y"),
      "\(result.output)")
    let ids = try tool.manifest(#"[{ "command": "Appearance", "id": "\#(id)" }]"#).with(
      "list", "--format", "ids"
    ).run()
    #expect(ids.status == 0)
    for text in [result.output, ids.output] {
      for command in ["##vso[", "##[", "##teamcity["] { #expect(!text.contains(command), "\(text)") }
    }
  }

  @Test("A secretPattern that takes too long to compile is an error")
  func largePattern() throws {
    let result = try ToolProcess("validate").manifest("[]", members: #""secretPattern": "a{1,32767}""#).run()
    #expect(result.status == 3)
    #expect(result.output.contains("more than 255 times"), "\(result.output)")
  }
}
