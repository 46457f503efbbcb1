import AppBoot
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("Help", .ownThread)
struct HelpTests {
  @Test("A call without arguments prints help on standard error and exits with 2")
  func nothing() throws {
    let result = try ToolProcess().run()
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("usage: appboot SUBCOMMAND"))
  }

  @Test("help prints on standard output and exits with 0", arguments: [["help"], ["--help"], ["-h"]])
  func asked(arguments: [String]) throws {
    let result = try ToolProcess().with(arguments).run()
    #expect(result.status == 0)
    #expect(result.output.contains("  validate     Reports every problem"))
    #expect(result.errors.isEmpty)
  }

  @Test(
    "Each subcommand has the same help in both forms", arguments: Subcommands.all.map { $0.name })
  func subcommand(name: String) throws {
    let first = try ToolProcess("help", name).run()
    let second = try ToolProcess(name, "--help").run()
    #expect(first.status == 0 && first.output.hasPrefix("usage: appboot \(name)"))
    #expect(first.output == second.output)
  }

  @Test("Each topic has help, and the overview lists it", arguments: HelpTopic.allCases)
  func topic(topic: HelpTopic) throws {
    let help = try ToolProcess("help", topic.rawValue).run()
    #expect(help.status == 0 && help.errors.isEmpty)
    let lines = topic.text.split(separator: "\n").drop { !$0.hasPrefix("  {") }
    var text = lines.prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
    if !text.contains("\"commands\"") { text = "{ \"commands\": [\(text)] }" }
    let example = SourceText(name: "commands.json", text: text)
    let problems = try Manifest(parsing: example).problems
    #expect(problems.total == 0, "\(problems.shown)")
    #expect(try ToolProcess("help").run().output.contains("\n  \(topic.rawValue)  "))
  }

  @Test("help manifest explains every key")
  func manifest() throws {
    let help = try ToolProcess("help", "manifest").run().output
    for key in ManifestReader.keys.map(\.name) + ManifestEntry.keys.map(\.name) + ["run"] {
      #expect(help.contains("\n  \(key) "), "\(key)")
    }
  }

  @Test("The help of a key is that of the manifest, and the help of a command is its page")
  func names() throws {
    let manifest = try ToolProcess("help", "manifest").run().output
    for key in ["retry", "when", "firstLaunch", "maxBackoff"] {
      #expect(try ToolProcess("help", key).run().output == manifest)
    }
    let service = try ToolProcess("help", "RunService").run().output
    #expect(try service == ToolProcess("commands", "RunService").run().output)
  }

  @Test("The help of a key with one possible number shows the number")
  func onlyNumber() throws {
    #expect(try ToolProcess("help", "manifest").run().output.contains("The manifest's version. (1)\n"))
  }

  @Test("The help of a subcommand lists its exit codes, and rare options after the common ones")
  func exits() throws {
    let run = try ToolProcess("help", "run").run().output
    #expect(run.contains("exit codes:\n  0      The launch succeeded."))
    #expect(run.contains("  128+n  Ended by signal"))
    let advanced = try #require(run.firstRange(of: "\nadvanced options:\n")?.lowerBound)
    #expect(try #require(run.firstRange(of: "  --only ID")).lowerBound < advanced)
    #expect(try #require(run.firstRange(of: "  --safe-mode")).lowerBound > advanced)
  }

  @Test("help --format man prints a manual page, in which no text is a request")
  func manual() throws {
    let result = try ToolProcess("help", "--format", "man").run()
    #expect(result.status == 0 && result.output.hasPrefix(".TH APPBOOT 1 "))
    let requests = result.output.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
      .map { $0.prefix { $0 != " " } }
    #expect(Set(requests) == [".TH", ".SH", ".SS", ".PP", ".TP", ".B"])
    #expect(result.output.contains(".SS appboot run [MANIFEST] [STEP...] [options]"))
    #expect(!result.output.contains(" --") && result.output.contains("\\-\\-detach"))
  }

  @Test("help --format markdown prints the help of all subcommands")
  func markdown() throws {
    let page = try ToolProcess("help", "--format", "markdown").run()
    #expect(page.status == 0)
    for subcommand in Subcommands.all { #expect(page.output.contains("\n### \(subcommand.name)\n")) }
    #expect(try ToolProcess("help", "run", "--format", "markdown").run().status == 2)
  }

  @Test("Help shows optional arguments in brackets")
  func needed() throws {
    let emit = try ToolProcess("help", "emit").run()
    #expect(emit.output.hasPrefix("usage: appboot emit EVENT [SOURCE] [options]\n"))
  }

  @Test("The help of list does not mention running")
  func listRunsNothing() throws {
    let list = try ToolProcess("help", "list").run()
    #expect(list.output.contains("  --only ID,…"))
    #expect(!list.output.contains("Run ") && !list.output.contains("Keep "))
  }

  @Test("Help fits into 60 columns")
  func narrow() throws {
    for arguments in [["help"], ["help", "run"]] {
      let result = try ToolProcess().with(arguments).environment("COLUMNS", "60").run()
      let widest = result.output.split(separator: "\n").filter { !$0.contains("|") }.map(\.count).max()
      #expect(widest ?? 0 <= 60)
    }
  }

  @Test("version and --version print the version")
  func version() throws {
    let result = try ToolProcess("version").run()
    #expect(result.output.hasPrefix("appboot "))
    #expect(try ToolProcess("--version").run().output == result.output)
  }

  @Test(
    "help suggests a subcommand, a topic, a command or a key for a mistyped one",
    arguments: [("runn", "run"), ("variabels", "variables"), ("RunServic", "RunService"), ("retri", "retry")])
  func mistypedTopic(name: String, close: String) throws {
    let result = try ToolProcess("help", name).run()
    #expect(result.status == 2 && result.errors.hasSuffix("help: did you mean \"\(close)\"?\n"))
  }

  @Test("A mistyped subcommand or option exits with 2 and suggests the closest one")
  func suggestions() throws {
    let subcommand = try ToolProcess("lst").run()
    #expect(subcommand.status == 2 && subcommand.output.isEmpty)
    #expect(
      subcommand.errors == """
        appboot: error: unknown subcommand "lst"
        help: did you mean "list"?

        """)
    let option = try ToolProcess("run", "--formt").run()
    #expect(option.status == 2 && option.output.isEmpty)
    #expect(
      option.errors == """
        appboot: error: unknown option "--formt"
        help: did you mean "--format"?

        """)
  }

  @Test("An unknown command exits with 2 and suggests the closest one")
  func command() throws {
    let result = try ToolProcess("commands", "RunProces").run()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(#"help: did you mean "RunProcess"?"#))
  }
}
