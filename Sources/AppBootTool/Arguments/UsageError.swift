import AppBoot
import AppBootLifecycle

/// A mistake in how the tool was called.
enum UsageError: Error, Equatable {
  case unknownSubcommand(String, known: [String])
  case unknownOption(String, subcommand: String, known: [String])
  case missingValue(option: String, placeholder: String)
  case needlessValue(option: String, value: String)
  case notAChoice(option: String, value: String, choices: [String])
  case notACount(option: String, value: String)
  case notADuration(option: String, DurationTextError)
  case noDuration(option: String)
  case notAPercentage(option: String, value: String)
  case notAURL(String, problem: String)
  case endlessCheck
  case unexpectedArgument(String, subcommand: String)
  case missingArgument(String, subcommand: String)
  case conflict(String, String)
  case sameFile(String, String)
  case unknownCommand(String, known: [String])
  case unknownStep(SelectionError)
  case event(LifecycleEventError)
  case noList(event: String, known: [String])
  case needs(String, option: String)
  case notUTF8(String)

  /// What is wrong, in one line.
  var message: String {
    switch self {
    case .unknownSubcommand(let name, _): "unknown subcommand \"\(name)\""
    case .unknownOption(let name, _, _): "unknown option \"\(name)\""
    case .missingValue(let option, let placeholder): "\(option) needs a value: \(option) \(placeholder)"
    case .needlessValue(let option, let value): "\(option) takes no value, and got \"\(value)\""
    case .notAChoice(let option, let value, _): "\(option) cannot be \"\(value)\""
    case .notACount(let option, let value):
      "\(option) needs a whole number from 1 to \(OptionDeclaration.counts.upperBound), not \"\(value)\""
    case .notADuration(let option, let error): "\(option): \(error)"
    case .noDuration(let option): "\(option) must be greater than zero"
    case .notAPercentage(let option, let value): "\(option) needs a percentage such as 10%, not \"\(value)\""
    case .notAURL(let url, let problem): "--url \"\(url)\" is no URL: it \(problem)"
    case .endlessCheck: "a check started a check that started a check, and so on"
    case .unexpectedArgument(let argument, let subcommand):
      "unexpected argument \"\(argument)\" for \(subcommand)"
    case .missingArgument(let name, let subcommand): "\(subcommand) needs an argument: \(name)"
    case .conflict(let first, let second): "\(first) and \(second) exclude each other"
    case .sameFile(let first, let second): "\(first) and \(second) are one file: give each its own"
    case .unknownCommand(let name, _): "there is no command \"\(name)\""
    case .unknownStep(let error): error.problem
    case .event(let error): error.description
    case .noList(let event, _): "the manifest has no list for \(event)"
    case .needs(let option, let other): "\(option) goes with \(other)"
    case .notUTF8(let argument): "the argument \"\(argument)\" is not UTF-8"
    }
  }

  /// What to do, in one line; `nil` where the message says it.
  func help(tool: String) -> String? {
    switch self {
    case .unknownSubcommand(let name, let known): Self.subcommandHelp(name, known, tool: tool)
    case .unknownOption(let name, let subcommand, let known):
      Self.suggestion(name, known) ?? "`\(Self.help(for: subcommand, tool))` lists the options"
    case .notAChoice(_, let value, let choices):
      Self.suggestion(value, choices) ?? "it is \(Self.either(choices))"
    case .notADuration(_, let error): error.help
    case .unexpectedArgument(_, let subcommand): "`\(Self.help(for: subcommand, tool))` shows what it takes"
    case .unknownCommand(let name, let known):
      Self.suggestion(name, known) ?? "`\(tool) commands` lists the commands"
    case .unknownStep(let error): Self.stepHelp(error, tool)
    case .noList(_, let known):
      known.isEmpty ? "its \"on\" is empty" : "it has lists for \(known.joined(separator: ", "))"
    case .notUTF8: "a manifest or record of such a name comes by standard input: - in its place, and < FILE"
    case .endlessCheck: "an executable that links AppBootTool has to hand it the arguments it was called with"
    case .event, .needs, .missingValue, .needlessValue, .notACount, .noDuration, .notAPercentage,
      .notAURL, .missingArgument, .conflict, .sameFile:
      nil
    }
  }

  private static func stepHelp(_ error: SelectionError, _ tool: String) -> String {
    if let suggestions = error.suggestions { return suggestions }
    guard error.known.count <= 20 else { return "`\(tool) list` shows the steps" }
    return "the steps are \(error.known.map(ParsedArguments.asListed).joined(separator: ", "))"
  }

  private static func subcommandHelp(_ name: String, _ known: [String], tool: String) -> String {
    if let suggestion = suggestion(name, known) { return suggestion }
    if name.hasSuffix(".json") || name == "-" { return "to boot it: \(tool) run \(name)" }
    return "`\(tool) help` lists the subcommands"
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
