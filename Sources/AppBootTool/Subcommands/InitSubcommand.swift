import AppBoot
import AppBootSystem

/// `init`: a manifest to start from.
enum InitSubcommand: Subcommand {
  static let name = "init"
  static let abstract =
    "Writes a starter manifest that validates and boots; an existing file is left as it is."
  static var operands: [Operand] {
    [Operand(name: "FILE", help: "The file to write. Default: commands.json.")]
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let path = arguments.manifest()
    if FileSystem.kind(of: path, followingLinks: false) != nil { throw ToolError.exists(path: path) }
    try FileSystem.writeFile(atomically: Array(StarterManifest.text(for: tool.registry).utf8), to: path)
    // A name that begins with a dash reads as an option, or as standard input.
    let name = path.hasPrefix("-") ? "./\(path)" : path
    let argument = path == "commands.json" ? "" : " \(name)"
    tool.output.write("wrote \(path); boot it with `\(tool.name) run\(argument)`\n")
    return .succeeded
  }
}

/// A manifest that boots with the commands there are.
enum StarterManifest {
  private static let stock = """
    {
      "version": 1,
      "name": "MyApp",
      "budget": "250ms",
      "commands": [
        { "command": "InitializeThirdParties", "with": { "libraries": [] } },
        { "command": "Appearance", "with": { "theme": "auto", "accent": "#0A84FF" } },
        {
          "command": "InitialScreen",
          "with": {
            "default": "Home",
            "screens": { "Home": { "title": "Home", "text": "It boots." } }
          }
        },
        { "command": "RegisterRemoteNotifications", "onFailure": "continue" }
      ]
    }

    """

  /// The stock commands where they fit, else the commands that need no parameters.
  static func text(for registry: CommandRegistry) -> String {
    if isValid(stock, registry) { return stock }
    let names = registry.commands.filter { !$0.parameters.contains(where: \.isRequired) }.map(\.name)
    var json = JSONWriter(pretty: true)
    json.object { json in
      json.member("version", 1)
      json.member("name", "MyApp")
      json.member("commands", names.prefix(8))
    }
    json.endLine()
    return json.text
  }

  private static func isValid(_ text: String, _ registry: CommandRegistry) -> Bool {
    guard let manifest = try? Manifest(parsing: SourceText(name: "commands.json", text: text)) else {
      return false
    }
    let problems = StartupCommandsBuilder(manifest: manifest, registry: registry).problems()
    return !problems.contains { $0.severity == .error }
  }
}
