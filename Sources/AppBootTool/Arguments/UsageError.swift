import AppBoot
import AppBootBase
import AppBootRecords
import AppBootSystem

/// An error in the arguments of the tool.
enum UsageError: ReportableError, Equatable {
  case unknownSubcommand(String, known: [String])
  /// An app's own subcommand has the name of another one.
  case takenSubcommand(String)
  case unknownOption(String, subcommand: String, known: [String])
  case missingValue(option: String, placeholder: String)
  case needlessValue(option: String, value: String)
  case notAChoice(option: String, value: String, choices: [String])
  case notACount(option: String, value: String)
  case tooFew(option: String, value: Int, least: Int, reason: String)
  case notADuration(option: String, DurationTextError)
  case zeroDuration(option: String)
  case notAPercentage(option: String, value: String)
  case notAURL(String, problem: String)
  case notAnExpression(option: String, value: String, problem: String)
  case notALabel(option: String, value: String, problem: String)
  case repeatedLabel(String)
  /// A value of `--env` is not `NAME=VALUE`. It may be a secret.
  case notAVariable
  case notAChange(option: String, value: String)
  case notAnEdge(option: String, value: String)
  case circle([String])
  case endlessCheck
  case unexpectedArgument(String, subcommand: String)
  case missingArgument(String, subcommand: String)
  /// An argument is the id of a step, and the name of a file or directory.
  case stepOrManifest(String)
  case conflict(String, String)
  case sameFile(String, String)
  case inputAsResult(String, input: String)
  case unknownCommand(String, known: [String])
  case noHandlers(event: String, known: [String])
  case needs(String, option: String)
  case notUTF8(String)
  case missingCommand
  case servicesBeforeCommand([String], command: String)

  var exit: ToolExit { .usage }

  var message: String {
    switch self {
    case .unknownSubcommand(let name, _): "unknown subcommand \"\(name)\""
    case .takenSubcommand(let name): "two subcommands have the name \"\(name)\""
    case .unknownOption(let name, _, _): "unknown option \"\(name)\""
    case .missingValue(let option, let placeholder): "\(option) needs a value: \(option) \(placeholder)"
    case .needlessValue(let option, let value): "\(option) takes no value: remove \"=\(value)\""
    case .notAChoice(let option, let value, let choices):
      "\(option) must be \(Self.either(choices)), not \"\(value)\""
    case .notACount(let option, let value):
      "\(option) needs a whole number from 1 to \(ValueKind.counts.upperBound), not \"\(value)\""
    case .tooFew(let option, let value, let least, _): "\(option) must be at least \(least), not \(value)"
    case .notADuration(let option, let error): "\(option): \(error)"
    case .zeroDuration(let option): "\(option) must be greater than zero"
    case .notAPercentage(let option, let value): "\(option) needs a percentage such as 10%, not \"\(value)\""
    case .notAURL(let url, let problem): "--url \"\(url)\" is not a URL: it \(problem)"
    case .notAnExpression(let option, let value, let problem):
      "\(option) \"\(value)\" is not a regular expression: \(problem)"
    case .notALabel(let option, let value, let problem):
      "\(option) needs NAME=VALUE, not \"\(value)\": \(problem)"
    case .notAVariable: "--env needs NAME=VALUE; \(EnvironmentFile.nameRule)"
    case .repeatedLabel(let name): "the label \"\(name)\" is given twice"
    case .notAChange(let option, let value): "\(option) needs STEP=CHANGE, not \"\(value)\""
    case .notAnEdge(let option, let value): "\(option) needs STEP=ID,…, not \"\(value)\""
    case .circle(let steps):
      "with --after, \"\(steps.first ?? "")\" comes after itself: \((steps + steps.prefix(1)).joined(separator: " → "))"
    case .endlessCheck: "a check started a check that started another check"
    case .unexpectedArgument(let argument, let subcommand):
      "unexpected argument \"\(argument)\" for \(subcommand)"
    case .missingArgument(let name, let subcommand): "\(subcommand) needs an argument: \(name)"
    case .stepOrManifest(let name):
      "\"\(name)\" can be a step or the manifest: a file or directory has this name"
    case .conflict(let first, let second): "\(first) and \(second) cannot be used together"
    case .sameFile(let first, let second): "\(first) and \(second) name the same file: use two files"
    case .inputAsResult(let option, let input):
      "\(option) names \(input), which it would replace: use another file"
    case .unknownCommand(let name, _): "unknown command \"\(name)\""
    case .noHandlers(let event, _): "the manifest has no \"on\" handlers for \(event)"
    case .needs(let option, let other): "\(option) needs \(other)"
    case .missingCommand: "-- needs a command: -- COMMAND ARGS"
    case .servicesBeforeCommand(let services, let command):
      "the plan has services (\(services.joined(separator: ", "))), and nothing would keep them once \"\(command)\" "
        + "has replaced the launch"
    case .notUTF8(let argument): "the argument \"\(argument)\" is not UTF-8"
    }
  }

  func help(tool: String) -> String? {
    switch self {
    case .unknownSubcommand(let name, let known): Self.subcommandHelp(name, known, tool: tool)
    case .takenSubcommand: "rename the one that is passed to CommandLineTool"
    case .unknownOption(let name, let subcommand, let known):
      Self.help(forOtherOption: name, tool) ?? Self.suggestion(name, known)
        ?? "`\(Self.help(for: subcommand, tool))` lists the options"
    case .notAChoice(_, let value, let choices):
      Self.suggestion(value, choices)
    case .tooFew(_, _, _, let reason): reason
    case .notAChange: "a change is a time (50ms), a percentage (-20%) or a factor (x2)"
    case .notAnEdge: "to start a step with the launch, write STEP="
    case .notADuration(_, let error): error.help
    case .unexpectedArgument(_, let subcommand): "`\(Self.help(for: subcommand, tool))` shows its arguments"
    case .unknownCommand(let name, let known):
      Self.suggestion(name, known) ?? "`\(tool) commands` lists the commands"
    case .noHandlers(_, let known):
      known.isEmpty ? "its \"on\" is empty" : "it has handlers for \(known.joined(separator: ", "))"
    case .notUTF8: "rename the file, or use - in its place and redirect it: < FILE"
    case .stepOrManifest(let name):
      "for the step, write -f MANIFEST \(ShellText.word(name)), or \(StepArgument.option("--to", [name])); "
        + "for the manifest, -f \(ShellText.word(name))"
    case .endlessCheck: "pass the arguments of the process to CommandLineTool unchanged"
    case .servicesBeforeCommand(let services, _):
      "make the command a RunService of its own, or leave the services out: "
        + StepArgument.option("--skip", services)
    case .missingCommand: "name the command, or remove --"
    case .needs, .missingValue, .needlessValue, .notACount, .zeroDuration, .notAPercentage,
      .notAURL, .notAnExpression, .notALabel, .notAVariable, .repeatedLabel, .circle, .missingArgument,
      .conflict, .sameFile,
      .inputAsResult:
      nil
    }
  }

  private static func subcommandHelp(_ name: String, _ known: [String], tool: String) -> String {
    if let help = help(forOtherSubcommand: name, tool) { return help }
    if let suggestion = suggestion(name, known) { return suggestion }
    if name.hasSuffix(".json") || name == "-" { return "to run it: \(tool) run \(name)" }
    return "`\(tool) help` lists the subcommands"
  }

  /// Returns the help for a subcommand of another tool; `nil` for other words.
  private static func help(forOtherSubcommand name: String, _ tool: String) -> String? {
    switch name {
    case "ps": "`\(tool) status` shows the running steps"
    case "tasks": "`\(tool) list` shows the steps"
    case "test": "`\(tool) check` launches several times, for CI"
    case "exec", "task": "`\(tool) run STEP` runs one step and what it needs"
    default: nil
    }
  }

  /// Returns the help for an option of another tool; `nil` for other words.
  private static func help(forOtherOption name: String, _ tool: String) -> String? {
    switch name {
    case "--step", "--task", "--target":
      "`\(tool) run STEP` runs one step and what it needs; --only STEP leaves that out"
    case "-l", "--list", "--tasks", "--summary": "`\(tool) list` shows the steps"
    case "-f", "--file", "--manifest", "--makefile", "--justfile":
      "the manifest is an argument: write the path without the option"
    case "-C", "--chdir", "--directory", "--working-directory":
      "write it before the subcommand: \(tool) -C DIR run"
    case "--parallel", "--concurrency", "--max-parallel": "--jobs N limits the steps that run at once"
    case "--daemon", "--background":
      "`\(tool) run --detach` returns when the launch has booted; for a unit: `\(tool) init --template systemd`"
    case "-e", "--env", "--env-file", "--dotenv":
      "`\(tool) run` has --env NAME=VALUE and --env-file FILE; the manifest has \"environment\""
    case "--junit", "--markdown", "--html", "--json":
      "`\(tool) report --format \(name.dropFirst(2))` writes the last launch in that format"
    case "--tail", "--lines": "use a pipe: \(tool) logs | tail"
    case "-k", "--keep-going": #"write it in the entry: "onFailure": "keepGoing""#
    default: nil
    }
  }

  private static func help(for subcommand: String, _ tool: String) -> String {
    subcommand.isEmpty ? "\(tool) help" : "\(tool) help \(subcommand)"
  }

  private static func suggestion(_ name: String, _ known: [String]) -> String? {
    ClosestName.to(name, among: known).map { "did you mean \"\($0)\"?" }
  }

  private static func either(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return "\(words.dropLast().joined(separator: ", ")) or \(last)"
  }
}

extension ManifestUnreadable: ReportableError {
  func help(tool: String) -> String? {
    let inside = FileSystem.join(path, ParsedArguments.defaultManifest)
    if FileSystem.exists(inside) { return "name the manifest in it: \(inside)" }
    guard isMissing else { return nil }
    if path == ParsedArguments.defaultManifest {
      return "`\(tool) init` writes a \(ParsedArguments.defaultManifest) to start from"
    }
    return nil
  }
}

extension SelectionError: ReportableError {
  var message: String { problem }
  var exit: ToolExit { .usage }

  func help(tool: String) -> String? {
    if let suggestions { return suggestions }
    if let text = unknown.first, text.contains("=") { return "to set a variable, write --env \(text)" }
    guard known.count <= 20 else { return "`\(tool) list` shows the steps" }
    let ids = areArguments ? known : known.map(StepArgument.listed)
    return "the steps are \(ids.joined(separator: ", "))"
  }
}
