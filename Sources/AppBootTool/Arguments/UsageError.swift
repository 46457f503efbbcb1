import AppBoot
import AppBootBase
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
  case notALabel(option: String, value: String, problem: String)
  case repeatedLabel(String)
  case notAChange(option: String, value: String)
  case notAnEdge(option: String, value: String)
  case circle([String])
  case endlessCheck
  case unexpectedArgument(String, subcommand: String)
  case missingArgument(String, subcommand: String)
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
    case .notALabel(let option, let value, let problem):
      "\(option) needs NAME=VALUE, not \"\(value)\": \(problem)"
    case .repeatedLabel(let name): "the label \"\(name)\" is given twice"
    case .notAChange(let option, let value): "\(option) needs STEP=CHANGE, not \"\(value)\""
    case .notAnEdge(let option, let value): "\(option) needs STEP=ID,…, not \"\(value)\""
    case .circle(let steps):
      "with --after, \"\(steps.first ?? "")\" comes after itself: \((steps + steps.prefix(1)).joined(separator: " → "))"
    case .endlessCheck: "a check started a check that started another check"
    case .unexpectedArgument(let argument, let subcommand):
      "unexpected argument \"\(argument)\" for \(subcommand)"
    case .missingArgument(let name, let subcommand): "\(subcommand) needs an argument: \(name)"
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
    case .endlessCheck: "pass the arguments of the process to CommandLineTool unchanged"
    case .servicesBeforeCommand(let services, _):
      "make the command a RunService of its own, or leave the services out: --skip "
        + services.map(ParsedArguments.asListed).joined(separator: ",")
    case .missingCommand: "name the command, or remove --"
    case .needs, .missingValue, .needlessValue, .notACount, .zeroDuration, .notAPercentage,
      .notAURL, .notALabel, .repeatedLabel, .circle, .missingArgument, .conflict, .sameFile,
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
    case "up": "`\(tool) run` starts the steps and the services"
    case "down": "to stop the services: Control-C in the terminal of `\(tool) run`, or kill -TERM PID"
    case "ps": "`\(tool) status` shows the running steps"
    case "tasks": "`\(tool) list` shows the steps"
    case "test": "`\(tool) check` launches several times, for CI"
    case "exec", "task": "`\(tool) run --only ID` runs one step"
    default: nil
    }
  }

  /// Returns the help for an option of another tool; `nil` for other words.
  private static func help(forOtherOption name: String, _ tool: String) -> String? {
    switch name {
    case "--step", "--task", "--target": "--only ID runs one step, --to ID also the steps that it needs"
    case "-l", "--list", "--tasks", "--summary": "`\(tool) list` shows the steps"
    case "-f", "--file", "--manifest", "--makefile", "--justfile":
      "the manifest is an argument: \(tool) run FILE"
    case "-C", "--chdir", "--directory", "--working-directory":
      "name the manifest in the directory: \(tool) run DIR/\(ParsedArguments.defaultManifest)"
    case "--parallel", "--concurrency", "--max-parallel": "--jobs N limits the steps that run at once"
    case "-d", "--detach", "--daemon", "--background":
      "a launch stays in the foreground: end the line with &, or write a unit: `\(tool) init --template systemd`"
    case "-e", "--env", "--env-file", "--dotenv":
      "set a variable before the tool: NAME=VALUE \(tool) run; for a file: `\(tool) help variables`"
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
    if path.contains("=") { return "set a variable before the tool: \(path) \(tool) run" }
    guard isStep else { return nil }
    return
      "\"\(path)\" is a step of \(ParsedArguments.defaultManifest): --only \(ParsedArguments.asListed(path))"
  }

  /// True if the path is the id of a step in the default manifest.
  private var isStep: Bool {
    guard let manifest = try? Manifest(reading: ParsedArguments.defaultManifest)
    else {
      return false
    }
    return manifest.commands.contains { $0.id == path }
  }
}

extension SelectionError: ReportableError {
  var message: String { problem }
  var exit: ToolExit { .usage }

  func help(tool: String) -> String? {
    if let suggestions { return suggestions }
    guard known.count <= 20 else { return "`\(tool) list` shows the steps" }
    return "the steps are \(known.map(ParsedArguments.asListed).joined(separator: ", "))"
  }
}
