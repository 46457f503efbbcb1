import AppBoot
import AppBootSystem

/// The subcommand `init`, which writes a starter manifest and the files that belong to it.
enum InitSubcommand: Subcommand {
  static let name = "init"
  static let abstract =
    "Writes a starter manifest that is valid and runs. It never overwrites a file."
  static let discussion = """
    The templates:

    basic: two steps, a check for a program and a shell command.

    machine: a development machine, with its tools, variables, dependencies, database and services.

    service: a wait for a database, and a server that keeps running until Control-C.

    container: a service, and a Dockerfile with appboot as the first process.

    systemd: a service, and a unit that starts it, with sandboxing.

    kubernetes: a service, a Dockerfile, and a pod that waits for the launch.

    ci: steps with a budget, and a job for GitHub Actions or GitLab that runs `appboot check`.

    app: the first screen of an app. It is for Swift apps that build their own tool, with their own commands.
    """
  static let operands: [Operand] = [
    Operand(
      name: "FILE",
      help:
        "The manifest to write; other files go next to it. - prints the manifest only. Default: commands.json."
    )
  ]
  static var options: [OptionDeclaration] { [template] }

  static let template = OptionDeclaration(
    "template", .choice(StarterTemplate.allCases.map(\.rawValue)),
    "The kind of manifest to write. Default: basic.")

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let path = arguments.manifest()
    let template = arguments.choice(template, as: StarterTemplate.self) ?? .basic
    let files = try template.files(manifest: path, for: tool.registry)
    if path == "-" {
      tool.output.write(files[0].text)
      return .succeeded
    }
    if template.namesManifest, !Self.isPlain(path) {
      throw ToolError(
        "the files of this template cannot name \"\(path)\"; no file was written", exit: .usage,
        help: "use letters, digits and the characters . _ / - in the name")
    }
    if let file = files.dropFirst().first(where: { $0.path == path }) {
      throw UsageError.conflict("FILE", "the template's \(FileSystem.lastComponent(file.path))")
    }
    let present = files.filter { FileSystem.kind(of: $0.path, followingLinks: false) != nil }
    if let file = present.first(where: { !$0.isShared }) {
      throw ToolError("\"\(file.path)\" already exists; no file was written") { tool in
        file.path == path
          ? "name another file: \(tool) init FILE" : "move it away, or name a manifest in another directory"
      }
    }
    for file in files {
      if present.contains(where: { $0.path == file.path }) {
        let isHere = file.path == SchemaSubcommand.fileName
        let schema = isHere ? "schema --install` replaces it" : "schema` prints the current one"
        let advice = file.path.hasSuffix(".json") ? "; `\(tool.name) \(schema)" : ""
        tool.output.write("kept \(file.path)\(advice)\n")
        continue
      }
      let directory = FileSystem.directory(of: file.path)
      if !FileSystem.isDirectory(directory) {
        try FileSystem.createDirectory(directory, mode: 0o755, parents: true)
      }
      try FileSystem.writeFile(atomically: Array(file.text.utf8), to: file.path)
      let next = file.next.map { "; \($0.replacingTool(with: tool.name))" } ?? ""
      tool.output.write("wrote \(file.path)\(next)\n")
    }
    return .succeeded
  }

  /// Returns whether a path needs no quotes in a systemd unit, YAML, a Dockerfile and a shell, and is not an option.
  private static func isPlain(_ path: String) -> Bool {
    !FileSystem.lastComponent(path).hasPrefix("-")
      && path.utf8.allSatisfy { byte in
        "._/-".utf8.contains(byte) || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
      }
  }
}

extension String {
  /// Returns the text with `appboot` replaced by the name of the tool.
  fileprivate func replacingTool(with name: String) -> String {
    split(separator: "`appboot ", omittingEmptySubsequences: false).joined(separator: "`\(name) ")
  }
}
