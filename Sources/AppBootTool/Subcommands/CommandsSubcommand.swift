import AppBoot
import AppBootSystem

/// The subcommand `commands`, which prints the catalogue of the registered commands.
enum CommandsSubcommand: Subcommand {
  static let name = "commands"
  static let abstract = "Lists the commands that a manifest may name, or explains one of them."
  static let operands = [
    Operand(name: "NAME", help: "The command to explain.", value: .command)
  ]
  static var options: [any OptionDeclaration] { [format, .color] }

  static let format = Option<Format>.format()

  enum Format: String, CaseIterable {
    case text, json, markdown
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let format = arguments[format] ?? .text
    let name = arguments.operands.first
    let commands = try name.map { [try command(named: $0, tool.registry)] } ?? tool.registry.commands
    switch format {
    case .text:
      let text = CatalogueText(style: tool.outputStyle)
      tool.output.write(name == nil ? text.overview(commands) : commands.map(text.page).joined())
    case .json: tool.output.write(CatalogueJSON.text(commands))
    case .markdown:
      let text = CatalogueMarkdown.self
      tool.output.write(name == nil ? text.page(commands, tool: tool.name) : text.sections(commands))
    }
    return .succeeded
  }

  private static func command(named name: String, _ registry: CommandRegistry) throws(UsageError)
    -> CommandDescription
  {
    guard let command = registry[name] else { throw .unknownCommand(name, known: registry.names) }
    return command
  }
}
