import AppBoot
import AppBootRecords
import AppBootSchema
import AppBootSystem

/// The subcommand `schema`, which prints the JSON Schema of manifests or records.
enum SchemaSubcommand: Subcommand {
  static let name = "schema"
  static let abstract = "Prints the JSON Schema of this executable's manifests, or of records."
  static let operands = [
    Operand(name: "DOCUMENT", help: "manifest or record. Default: manifest.", value: .choice(documents))
  ]

  static var options: [any OptionDeclaration] { [install] }

  static let install = Option(
    "install", .flag, "Write the schema of manifests to \(fileName), as `init` does, for editors.")

  /// The name of the file that the manifests of `init` refer to.
  static let fileName = "commands.schema.json"

  private static let documents = Document.allCases.map(\.rawValue)

  private enum Document: String, CaseIterable {
    case manifest, record
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let name = arguments.operands.first ?? Document.manifest.rawValue
    guard let document = Document(rawValue: name) else {
      throw UsageError.notAChoice(option: "DOCUMENT", value: name, choices: documents)
    }
    if arguments.isSet(install) {
      guard document == .manifest else { throw UsageError.conflict(install.spelling, name) }
      try ResultFile(fileName).write(tool.registry.jsonSchema(), tool)
      tool.output.write("wrote \(fileName); a manifest refers to it with \"$schema\": \"\(fileName)\"\n")
      return .succeeded
    }
    switch document {
    case .manifest: tool.output.write(tool.registry.jsonSchema())
    case .record: tool.output.write(StartupRecord.jsonSchema())
    }
    return .succeeded
  }
}
