import AppBoot

/// The words that a shell can complete. They are taken from the declarations of the subcommands.
struct CompletionWords {
  /// The executable's name.
  let tool: String
  let registry: CommandRegistry
  let declarations: [any Subcommand.Type]
  var own: [ToolSubcommand] = []

  /// The kind of values of an option or of a positional argument.
  enum Values: Hashable {
    /// Values that the shell cannot complete.
    case unknown
    case words([String])
    case files
    case directories
    /// A comma-separated list of the manifest's step ids.
    case steps
  }

  /// The words for one subcommand: its name, options and arguments.
  struct Entry {
    let name: String
    let help: String
    let options: [Option]
    /// The kinds of values of the positional arguments, in order.
    let operands: [Values]
  }

  /// An option with the kind of its values. A flag has none.
  struct Option {
    let long: String
    let short: String?
    let help: String
    let values: Values?
  }

  var subcommands: [Entry] {
    declarations.map(entry) + own.map { Entry(name: $0.name, help: $0.help, options: [], operands: [.files]) }
  }

  private func entry(_ subcommand: any Subcommand.Type) -> Entry {
    let help = Option(long: "--help", short: "-h", help: "Shows the help of \(subcommand.name).", values: nil)
    return Entry(
      name: subcommand.name, help: subcommand.abstract, options: subcommand.options.map(option) + [help],
      operands: subcommand.operands.map { values(of: $0.values) })
  }

  private func option(_ declaration: OptionDeclaration) -> Option {
    Option(
      long: declaration.spelling, short: declaration.short.map { "-\($0)" }, help: declaration.help,
      values: values(of: declaration))
  }

  private func values(of option: OptionDeclaration) -> Values? {
    switch option.value {
    case .flag, .optionalCount: nil
    case .choice(let words): .words(words)
    case .file: .files
    case .directory: .directories
    case .event: eventNames
    case .list, .step: .steps
    case .text, .count, .duration: .unknown
    }
  }

  private func values(of operand: Operand.Values) -> Values {
    switch operand {
    case .file: .files
    case .choice(let words): .words(words)
    case .event: eventNames
    case .command: .words(registry.names)
    case .subcommand:
      .words(declarations.map { $0.name } + own.map(\.name) + HelpTopic.allCases.map(\.rawValue))
    case .step: .steps
    case .text: .unknown
    }
  }

  /// The arguments of the tool that print the ids of the steps, one on each line. The path of a manifest may follow.
  var stepsCommand: String { "\(ListSubcommand.name) --format \(ListSubcommand.Format.ids.rawValue)" }

  private var eventNames: Values { .words(EventName.standardNames + registry.events.map(\.name)) }

  /// The tool's name in a form that can be a part of a shell function's name.
  var identifier: String {
    String(tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
