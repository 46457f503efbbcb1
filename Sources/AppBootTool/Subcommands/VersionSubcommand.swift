import AppBootSystem

/// The subcommand `version`, which prints the executable's version.
enum VersionSubcommand: Subcommand {
  static let name = "version"
  static let abstract = "Prints the version."

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    tool.output.write("\(tool.name) \(tool.version)\n")
    return .succeeded
  }
}
