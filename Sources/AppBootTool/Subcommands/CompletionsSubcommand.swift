import AppBoot
import AppBootSystem

/// The subcommand `completions`, which prints the completion script of a shell.
enum CompletionsSubcommand: Subcommand {
  static let name = "completions"
  static let abstract = "Prints a completion script for a shell: subcommands, options and their values."
  static let discussion = """
    bash: add `source <(appboot completions bash)` to ~/.bashrc.

    zsh: run `appboot completions zsh > _appboot` in a directory of $fpath.

    fish: run `appboot completions fish > ~/.config/fish/completions/appboot.fish`.
    """
  static let operands = [
    Operand(name: "SHELL", help: "bash, zsh or fish.", isRequired: true, value: .choice(shells))
  ]

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
    let words = CompletionWords(
      tool: tool.name, registry: tool.registry, declarations: Subcommands.all, own: tool.ownSubcommands)
    switch shell {
    case .bash: tool.output.write(BashCompletions(words: words).text)
    case .zsh: tool.output.write(ZshCompletions(words: words).text)
    case .fish: tool.output.write(FishCompletions(words: words).text)
    }
    return .succeeded
  }
}
