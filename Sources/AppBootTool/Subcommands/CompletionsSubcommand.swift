import AppBoot
import AppBootSystem

/// `completions`: a script for the shell that completes what the tool takes.
enum CompletionsSubcommand: Subcommand {
  static let name = "completions"
  static let abstract = "Prints a script that completes subcommands, options and their values in a shell."
  static var discussion: String {
    "bash: source <(appboot completions bash), in ~/.bashrc. zsh: appboot completions zsh > _appboot, in a directory of "
      + "$fpath. fish: appboot completions fish > ~/.config/fish/completions/appboot.fish."
  }
  static var operands: [Operand] {
    [Operand(name: "SHELL", help: "bash, zsh or fish.", values: .choice(shells))]
  }

  static let shells = Shell.allCases.map(\.rawValue)

  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    guard let name = arguments.operands.first else {
      throw UsageError.missingArgument("SHELL", subcommand: Self.name)
    }
    guard let shell = Shell(rawValue: name) else {
      throw UsageError.notAChoice(option: "SHELL", value: name, choices: shells)
    }
    let words = CompletionWords(tool: tool.name, registry: tool.registry)
    switch shell {
    case .bash: tool.output.write(BashCompletions(words: words).text)
    case .zsh: tool.output.write(ZshCompletions(words: words).text)
    case .fish: tool.output.write(FishCompletions(words: words).text)
    }
    return .succeeded
  }
}
