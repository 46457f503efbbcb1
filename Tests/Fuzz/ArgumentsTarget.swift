@testable import AppBoot
import AppBootRecords
@testable import AppBootReports
@testable import AppBootTool

/// Parses arguments, one on each line, for the subcommand in the first line.
func fuzzArguments(_ bytes: [UInt8]) {
  let lines = bytes.lines
  let known = Subcommands.all[bytes.choice % Subcommands.all.count]
  let subcommand = lines.first.flatMap(Subcommands.named) ?? known
  do throws(UsageError) {
    let arguments = try ArgumentParser.parse(lines.dropFirst(), for: subcommand)
    let again = try? ArgumentParser.parse(arguments.written(for: subcommand), for: subcommand)
    require(again == arguments, "the arguments have changed: \(arguments)")
    for case let option as Option<[String]> in subcommand.options { checkList(arguments, option) }
    if subcommand == RunSubcommand.self { _ = try LaunchRequest(arguments) }
  } catch {
    let style = TextStyle()
    require(!error.message.isEmpty, "the error has no message")
    requireVisible(style.visible(error.message), "the message")
    requireVisible(style.visible(error.help(tool: "appboot") ?? ""), "the help")
  }
}

/// Requires that the words of a list, escaped, are the same words again.
private func checkList(_ arguments: ParsedArguments, _ option: Option<[String]>) {
  guard case .list = option.kind, let words = arguments[option] else { return }
  var again = ParsedArguments()
  again.values[option.name] = [words.map(StepArgument.listed).joined(separator: ",")]
  require(again[option] == words, "the list has changed: \(words)")
}

extension ParsedArguments {
  /// The arguments on a command line.
  fileprivate func written(for subcommand: any Subcommand.Type) -> [String] {
    var written = wantsHelp ? ["--help"] : []
    for option in subcommand.options {
      for value in values[option.name] ?? [] {
        // A flag, and an option without its optional value, have an empty value.
        written.append(value.isEmpty ? option.spelling : "\(option.spelling)=\(value)")
      }
    }
    if subcommand.takesCommand { return written + operands + (command.map { ["--"] + $0 } ?? []) }
    return written + ["--"] + operands
  }
}
