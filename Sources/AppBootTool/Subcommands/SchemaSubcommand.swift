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
