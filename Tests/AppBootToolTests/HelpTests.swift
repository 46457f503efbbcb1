import Testing

@Suite("Help")
struct HelpTests {
  @Test("is shown on standard error, as a mistake, where nothing is asked for")
  func nothing() throws {
    let result = try ToolProcess().run()
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("usage: appboot SUBCOMMAND"))
  }

  @Test("is a result where it is asked for", arguments: [["help"], ["--help"], ["-h"]])
  func asked(arguments: [String]) throws {
    let result = try ToolProcess().with(arguments).run()
    #expect(result.status == 0)
    #expect(result.output.contains("  validate     Reports every problem"))
    #expect(result.errors.isEmpty)
  }

  @Test(
    "exists for each subcommand, in both forms",
    arguments: [
      "run", "list", "validate", "check", "report", "compare", "commands", "schema", "init", "version",
      "help",
    ])
  func subcommand(name: String) throws {
    let first = try ToolProcess("help", name).run()
    let second = try ToolProcess(name, "--help").run()
    #expect(first.status == 0 && first.output.hasPrefix("usage: appboot \(name)"))
    #expect(first.output == second.output)
  }

  @Test("tells an argument that is needed from one that may be left out")
  func needed() throws {
    let emit = try ToolProcess("help", "emit").run()
    #expect(emit.output.hasPrefix("usage: appboot emit EVENT [MANIFEST] [options]\n"))
  }

  @Test("of list does not say that it runs anything")
  func listRunsNothing() throws {
    let list = try ToolProcess("help", "list").run()
    #expect(list.output.contains("  --only ID,…"))
    #expect(!list.output.contains("Run ") && !list.output.contains("Keep "))
  }

  @Test("fits into 60 columns")
  func narrow() throws {
    let result = try ToolProcess("help", "run").environment("COLUMNS", "60").run()
    let widest = result.output.split(separator: "\n").filter { !$0.contains("|") }.map(\.count).max()
    #expect(widest ?? 0 <= 60)
  }

  @Test("says the version")
  func version() throws {
    let result = try ToolProcess("version").run()
    #expect(result.output.hasPrefix("appboot "))
    #expect(try ToolProcess("--version").run().output == result.output)
  }

  @Test("of a mistyped subcommand or option is the closest one, on standard error, with code 2")
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

  @Test("of a command that does not exist is the closest one")
  func command() throws {
    let result = try ToolProcess("commands", "RunProces").run()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(#"help: did you mean "RunProcess"?"#))
  }
}
