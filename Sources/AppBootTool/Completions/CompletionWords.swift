import AppBoot

/// What a shell may complete, from the declarations that the arguments are parsed by.
struct CompletionWords {
  /// The executable's name.
  let tool: String
  let registry: CommandRegistry

  /// What may stand in one place.
  enum Values: Hashable {
    /// Nothing that is known before.
    case unknown
    case words([String])
    case files
    case directories
  }

  /// A subcommand, with what it takes.
  struct Entry {
    let name: String
    let help: String
    let options: [Option]
    /// What may stand in each place that is no option's.
    let operands: [Values]
  }

  /// An option; without values it takes none.
  struct Option {
    let long: String
    let short: String?
    let help: String
    let values: Values?
  }

  var subcommands: [Entry] { Subcommands.all.map(entry) }

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
    case .none: nil
    case .choice(let words): .words(words)
    case .text("FILE"): .files
    case .text("DIR"): .directories
    case .text("EVENT"): eventNames
    case .text, .list, .count, .duration: .unknown
    }
  }

  private func values(of operand: Operand.Values) -> Values {
    switch operand {
    case .file: .files
    case .choice(let words): .words(words)
    case .event: eventNames
    case .command: .words(registry.names)
    case .subcommand: .words(Subcommands.all.map { $0.name })
    }
  }

  private var eventNames: Values { .words(LifecycleEventName.all + registry.events.map(\.name)) }

  /// The name as a part of a shell function's name.
  var identifier: String {
    String(tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

/// Quotes text for the shells.
enum ShellText {
  /// In single quotes, as POSIX shells read it.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// In single quotes, as fish reads it: `\` and `'` are escaped.
  static func fish(_ text: String) -> String {
    "'" + text.reduce(into: "") { $0 += $1 == "'" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "'"
  }
}
