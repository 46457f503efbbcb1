import AppBoot
import AppBootSystem

/// `schema`: the JSON Schema of manifests or records.
enum SchemaSubcommand: Subcommand {
  static let name = "schema"
  static let abstract = "Prints the JSON Schema of this executable's manifests, or of records."
  static var operands: [Operand] {
    [Operand(name: "DOCUMENT", help: "manifest or record. Default: manifest.", values: .choice(documents))]
  }

  private static let documents = Document.allCases.map(\.rawValue)

  private enum Document: String, CaseIterable {
    case manifest, record
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let name = arguments.operands.first ?? Document.manifest.rawValue
    guard let document = Document(rawValue: name) else {
      throw UsageError.notAChoice(option: "DOCUMENT", value: name, choices: documents)
    }
    switch document {
    case .manifest: tool.output.write(tool.registry.jsonSchema())
    case .record: tool.output.write(StartupRecord.jsonSchema())
    }
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
