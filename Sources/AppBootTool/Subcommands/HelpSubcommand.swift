import AppBoot
import AppBootSystem

/// The subcommand `help`, which prints the help of the tool or of a subcommand.
enum HelpSubcommand: Subcommand {
  static let name = "help"
  static let abstract = "Shows this help, or the help of a subcommand or a topic."
  static var operands: [Operand] {
    let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
    return [
      Operand(
        name: "SUBCOMMAND", help: "The subcommand, a command, a key of the manifest, or a topic: \(topics).",
        values: .subcommand)
    ]
  }
  static var options: [OptionDeclaration] { [format] }

  static let format = OptionDeclaration.format(
    Format.self, "The output format; markdown is the help of all subcommands. Default: text.")

  enum Format: String, CaseIterable {
    case text, markdown
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    if arguments.choice(format, as: Format.self) == .markdown {
      if !arguments.operands.isEmpty { throw UsageError.conflict("SUBCOMMAND", "--format markdown") }
      tool.output.write(HelpMarkdown(tool: tool.name).page)
      return .succeeded
    }
    let help = HelpText(tool: tool.name, style: tool.outputStyle)
    guard let name = arguments.operands.first else {
      tool.output.write(help.overview(tool.ownSubcommands))
      return .succeeded
    }
    if let own = tool.ownSubcommands.first(where: { $0.name == name }) {
      tool.output.write(help.text(of: own))
    } else if let topic = HelpTopic(rawValue: name) {
      tool.output.write(help.text(of: topic))
    } else if let subcommand = Subcommands.named(name) {
      tool.output.write(help.text(of: subcommand))
    } else if let command = tool.registry[name] {
      tool.output.write(CatalogueText(style: tool.outputStyle).page(command))
    } else if HelpTopic.manifest.explains(key: name) {
      tool.output.write(help.text(of: .manifest))
    } else {
      let others = tool.ownSubcommands.map(\.name) + HelpTopic.allCases.map(\.rawValue)
      tool.output.write(help.text(of: try Subcommands.require(name, besides: others)))
    }
    return .succeeded
  }
}
