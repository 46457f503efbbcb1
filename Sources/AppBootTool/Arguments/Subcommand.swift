/// A subcommand: its name, its help, its arguments and its implementation.
protocol Subcommand {
  /// The name on the command line.
  static var name: String { get }
  /// A one-sentence summary.
  static var abstract: String { get }
  /// Further paragraphs of the help; may be empty.
  static var discussion: String { get }
  /// The declarations of the positional arguments.
  static var operands: [Operand] { get }
  static var options: [any OptionDeclaration] { get }
  /// True if a command line may follow `--`.
  static var takesCommand: Bool { get }
  /// The exit codes that scripts can rely on, with what each means. The number of a signal is not used.
  static var exits: KeyValuePairs<ToolExit, String> { get }

  /// Runs the subcommand.
  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit
}

extension Subcommand {
  static var discussion: String { "" }
  static var operands: [Operand] { [] }
  static var options: [any OptionDeclaration] { [] }
  static var takesCommand: Bool { false }
  static var exits: KeyValuePairs<ToolExit, String> { [:] }
}

/// The declaration of a positional argument.
struct Operand: Sendable {
  let name: String
  let help: String
  /// True if the argument is required. The subcommand reports an error if it is missing.
  var isRequired = false
  /// The kind of the argument's value, for completions.
  var value = ValueKind.file("FILE")

  /// The declaration of the manifest's path, which most subcommands take.
  static var manifest: Operand {
    Operand(
      name: "MANIFEST",
      help: "The manifest; - reads standard input. Default: commands.json, or commands.jsonc.")
  }
}
