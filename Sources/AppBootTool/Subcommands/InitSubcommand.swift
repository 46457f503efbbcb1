import AppBoot
import AppBootSystem

/// `init`: writes a starter manifest.
enum InitSubcommand: Subcommand {
  static let name = "init"
  static let abstract =
    "Writes a starter manifest that is valid and runs. It never overwrites a file."
  static var operands: [Operand] {
    [Operand(name: "FILE", help: "The file to write; - is standard output. Default: commands.json.")]
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let path = arguments.manifest()
    let text = StarterManifest.text(for: tool.registry)
    if path == "-" {
      tool.output.write(text)
      return .succeeded
    }
    if FileSystem.kind(of: path, followingLinks: false) != nil { throw FileExistsError(path: path) }
    try FileSystem.writeFile(atomically: Array(text.utf8), to: path)
    // A name with a leading dash would be an option.
    let name = path.hasPrefix("-") ? "./\(path)" : path
    let argument = path == "commands.json" ? "" : " \(name)"
    tool.output.write("wrote \(path); run it with `\(tool.name) run\(argument)`\n")
    return .succeeded
  }
}

/// The error for an existing file with the path of the starter manifest.
struct FileExistsError: ReportableError {
  let path: String

  var message: String { "\"\(path)\" already exists; it was not changed" }

  func help(tool: String) -> String? { "name another file: \(tool) init FILE" }
}
