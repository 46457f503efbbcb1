import AppBoot
import AppBootLifecycle
import AppBootRecords
import Testing

@testable import AppBootTool

@Suite("Arguments")
struct UsageTests {
  private func parse(_ arguments: String...) throws -> ParsedArguments {
    try ArgumentParser.parse(arguments, for: RunSubcommand.self)
  }

  private func message(_ arguments: String...) -> String {
    do {
      _ = try ArgumentParser.parse(arguments, for: RunSubcommand.self)
      return "no error"
    } catch {
      return error.message + (error.help(tool: "appboot").map { " | \($0)" } ?? "")
    }
  }

  @Test("A value follows a space or an equals sign")
  func values() throws {
    #expect(try parse("--format", "json")[RunSubcommand.format] == .json)
    #expect(try parse("--format=json")[RunSubcommand.format] == .json)
    #expect(try parse("--url=a=b")[.url] == "a=b")
    #expect(try parse("--jobs", "4")[.jobs] == 4)
    #expect(try parse("--timeout", "1m30s")[.timeout] == .seconds(90))
  }

  @Test("A value may begin with a combining mark")
  func combiningMarks() throws {
    #expect(try parse("--to=\u{34B}a")[.to] == ["\u{34B}a"])
    #expect(try parse("--to=a,\u{34B}b")[.to] == ["a", "\u{34B}b"])
    #expect(try parse("--url=\u{34B}:b")[.url] == "\u{34B}:b")
    #expect(try parse("-j=4")[.jobs] == 4)
  }

  @Test("Repeated lists add up, and the last of other values counts")
  func repetition() throws {
    #expect(try parse("--only", "a,b", "--only=c")[.only] == ["a", "b", "c"])
    #expect(try parse("--skip", #"a\,b,c\\,\d,,e\"#)[.skip] == ["a,b", #"c\"#, #"\d"#, #"e\"#])
    for id in ["a,b", #"c\"#, #"\,"#, "plain", ",\u{34B}a", "\\\u{34B}a"] {
      #expect(try parse("--skip", StepArgument.listed(id))[.skip] == [id])
    }
    #expect(try parse("--jobs", "1", "--jobs", "2")[.jobs] == 2)
    #expect(try parse()[.only] == nil)
  }

  @Test("A step's id in a printed command line is read back as the same step")
  func stepArguments() throws {
    #expect(StepArgument.option("--only", ["a", "b,c"]) == #"--only 'a,b\,c'"#)
    #expect(StepArgument.option("--only", ["--x"]) == "--only=--x")
    #expect(try parse("--only=--x")[.only] == ["--x"])
    #expect(StepArgument.option("--only", ["-x"]) == "--only -x")
    #expect(try parse("--only", "-x")[.only] == ["-x"])
    #expect(StepArgument.operand("-x y") == "-- '-x y'")
    #expect(StepArgument.operand("a,b") == "a,b")
  }

  @Test(
    "A URL without a scheme is rejected", arguments: ["note/7", "://x", "1a:b", "a b:c", "n:/ /"])
  func urls(text: String) throws {
    let problem = try #require(URLText.problem(with: text))
    #expect(throws: UsageError.notAURL(text, problem: problem)) { try LaunchRequest(parse("--url", text)) }
  }

  @Test("A URL may have any scheme", arguments: ["mailto:a@b", "NOTES://Note/7", "tel:1", "x+y-1.z:é"])
  func schemes(text: String) throws {
    #expect(try LaunchRequest(parse("--url", text)).options.url == text)
  }

  @Test("Options end at two dashes, and one dash is standard input")
  func operands() throws {
    #expect(try parse("a.json", "-q").operands == ["a.json"])
    let list = try ArgumentParser.parse(["--", "--odd.json"], for: ListSubcommand.self)
    #expect(list.operands == ["--odd.json"])
    #expect(try parse("-").operands == ["-"])
  }

  @Test("All arguments after two dashes are the command, including options")
  func command() throws {
    let parsed = try parse("a.json", "-q", "--", "serve", "--", "-v")
    #expect(parsed.operands == ["a.json"] && parsed.isSet(.quiet) && !parsed.isSet(.verbose))
    #expect(parsed.command == ["serve", "--", "-v"])
    #expect(try parse().command == nil)
    #expect(message("a.json", "--") == "-- needs a command: -- COMMAND ARGS | name the command, or remove --")
  }

  @Test("Short options combine, and -h works anywhere")
  func letters() throws {
    let parsed = try parse("-qv")
    #expect(parsed.isSet(.quiet) && parsed.isSet(.verbose))
    #expect(try parse("--jobs", "2", "-h").wantsHelp)
    for arguments in [["-j", "4"], ["-j4"], ["-j=4"], ["-nj4"], ["-j4", "-n"]] {
      #expect(try ArgumentParser.parse(arguments, for: RunSubcommand.self)[.jobs] == 4)
    }
    #expect(try parse("-nj4").isSet(RunSubcommand.dryRun))
    #expect(message("-jn") == #"--jobs needs a whole number from 1 to 1000000, not "n""#)
    #expect(message("-j") == "--jobs needs a value: --jobs N")
  }

  @Test("An unknown option gets a suggestion")
  func unknown() {
    #expect(message("--formt", "json") == #"unknown option "--formt" | did you mean "--format"?"#)
    #expect(message("--zzz") == #"unknown option "--zzz" | `appboot help run` lists the options"#)
    #expect(message("-x") == #"unknown option "-x" | `appboot help run` lists the options"#)
  }

  @Test(
    "The error for another tool's option shows AppBoot's option",
    arguments: [
      ("--step", "`appboot run STEP`"), ("--parallel", "--jobs N"), ("-C", "appboot -C DIR run"),
      ("--dotenv", "--env-file FILE"), ("--daemon", "`appboot run --detach`"),
      ("--list", "`appboot list`"), ("--html", "`appboot report --format html`"),
    ])
  func otherTools(option: String, help: String) {
    #expect(message(option).contains(help))
  }

  @Test("A wrong value is an error that names the values")
  func wrongValues() {
    #expect(
      message("--format", "jsn") == #"--format must be text, json or jsonl, not "jsn" | did you mean "json"?"#
    )
    #expect(message("--format", "xml") == #"--format must be text, json or jsonl, not "xml""#)
    #expect(message("--format") == "--format needs a value: --format text|json|jsonl")
    #expect(message("--only", "--skip") == "--only needs a value: --only ID,…")
    #expect(message("--only=,") == "--only needs a value: --only ID,…")
    #expect(message("--jobs", "0") == #"--jobs needs a whole number from 1 to 1000000, not "0""#)
    #expect(message("--jobs", "1000001").hasPrefix("--jobs needs a whole number from 1 to 1000000"))
    #expect(message("--jobs", "-1") == #"--jobs needs a whole number from 1 to 1000000, not "-1""#)
    #expect(message("--quiet=yes") == #"--quiet takes no value: remove "=yes""#)
    #expect(message("--timeout", "0s") == "--timeout must be greater than zero")
    #expect(
      message("--timeout", "5")
        == #"--timeout: "5" has no unit | write "5s" or "5ms"; the units are h, m, s, ms, us, ns"#)
  }

  @Test("An argument too many is named")
  func tooMany() {
    let error = #expect(throws: UsageError.self) {
      try ArgumentParser.parse(["a", "b"], for: ValidateSubcommand.self)
    }
    #expect(error?.message == #"unexpected argument "b" for validate"#)
    #expect(error?.help(tool: "appboot") == "`appboot help validate` shows its arguments")
  }

  @Test("Contradicting options are rejected")
  func conflicts() throws {
    #expect(throws: UsageError.conflict("--quiet", "--verbose")) { try LaunchRequest(parse("-q", "-v")) }
    #expect(throws: UsageError.conflict("--url", "--launch normal")) {
      try LaunchRequest(parse("--url", "a:b", "--launch", "normal"))
    }
    #expect(
      try LaunchRequest(parse("--url", "a:b", "--launch", "notification")).options.reason == .notification)
    #expect(throws: UsageError.conflict("--state", "--no-state")) {
      try LaunchRequest(parse("--state", "x", "--no-state"))
    }
  }

  @Test("An unknown subcommand gets a suggestion, or the call that runs a file")
  func subcommands() {
    let known = Subcommands.all.map { $0.name }
    let help = { UsageError.unknownSubcommand($0, known: known).help(tool: "appboot") }
    #expect(help("rn") == #"did you mean "run"?"#)
    #expect(help("app.json") == "to run it: appboot run app.json")
    #expect(help("ps") == "`appboot status` shows the running steps")
    #expect(help("qqqqqqq") == "`appboot help` lists the subcommands")
  }
}
