import AppBoot
import AppBootSystem

/// `schema`: the JSON Schema of the manifests.
enum SchemaSubcommand: Subcommand {
  static let name = "schema"
  static let abstract = "Prints the JSON Schema of this executable's manifests."

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let schema = tool.registry.jsonSchema()
    tool.output.write(schema.hasSuffix("\n") ? schema : schema + "\n")
    return .succeeded
  }
}

/// `version`: the executable's version.
enum VersionSubcommand: Subcommand {
  static let name = "version"
  static let abstract = "Prints the version."

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    tool.output.write("\(tool.name) \(tool.version)\n")
    return .succeeded
  }
}

/// `help`: the tool's help, or a subcommand's.
enum HelpSubcommand: Subcommand {
  static let name = "help"
  static let abstract = "Shows this help, or that of a subcommand."
  static var operands: [Operand] {
    [Operand(name: "SUBCOMMAND", help: "The subcommand to explain.", values: .subcommand)]
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let help = HelpText(tool: tool.name, style: tool.outputStyle())
    guard let name = arguments.operands.first else {
      tool.output.write(help.overview())
      return .succeeded
    }
    tool.output.write(help.text(of: try Subcommands.require(name)))
    return .succeeded
  }
}
