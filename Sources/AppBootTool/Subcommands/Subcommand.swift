/// One thing that the tool does: its name, what it takes, and how it is done.
protocol Subcommand {
  /// The name on the command line.
  static var name: String { get }
  /// One sentence that says what it does.
  static var abstract: String { get }
  /// More than the abstract, in paragraphs; may be empty.
  static var discussion: String { get }
  /// The arguments that are no options.
  static var operands: [Operand] { get }
  static var options: [OptionDeclaration] { get }

  /// Does it.
  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit
}

extension Subcommand {
  static var discussion: String { "" }
  static var operands: [Operand] { [] }
  static var options: [OptionDeclaration] { [] }
}

/// An argument of a subcommand that is no option.
struct Operand: Sendable {
  let name: String
  let help: String
  /// Whether the subcommand cannot do without it; it asks for it itself.
  var isRequired = false
  var values = Values.file

  /// What may stand there, for completion.
  enum Values: Sendable, Hashable {
    case file, event, command, subcommand
    case choice([String])
  }

  /// The manifest, which most subcommands read.
  static var manifest: Operand {
    Operand(name: "MANIFEST", help: "The manifest's file; - is standard input. Default: commands.json.")
  }
}

/// The subcommands, in the order in which help lists them.
enum Subcommands {
  static var all: [any Subcommand.Type] {
    [
      RunSubcommand.self, ListSubcommand.self, ValidateSubcommand.self, CheckSubcommand.self,
      ReportSubcommand.self, CompareSubcommand.self, EmitSubcommand.self, StatusSubcommand.self,
      CommandsSubcommand.self, SchemaSubcommand.self, InitSubcommand.self, CompletionsSubcommand.self,
      VersionSubcommand.self, HelpSubcommand.self,
    ]
  }

  static func named(_ name: String) -> (any Subcommand.Type)? { all.first { $0.name == name } }

  static func require(_ name: String) throws(UsageError) -> any Subcommand.Type {
    guard let subcommand = named(name) else { throw .unknownSubcommand(name, known: all.map { $0.name }) }
    return subcommand
  }
}
