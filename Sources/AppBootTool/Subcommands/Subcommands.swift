import AppBoot
import AppBootRecords
import AppBootSchema
import AppBootSystem

/// A namespace for the list of all subcommands, in the order of the help.
enum Subcommands {
  /// The subcommands in groups, each for one kind of work.
  static var groups: KeyValuePairs<String, [any Subcommand.Type]> {
    [
      "get started": [InitSubcommand.self, RunSubcommand.self, ListSubcommand.self, ValidateSubcommand.self],
      "in CI": [CheckSubcommand.self, CompareSubcommand.self],
      "look back": [
        ReportSubcommand.self, LogsSubcommand.self, HistorySubcommand.self, WhatIfSubcommand.self,
      ],
      "a running app": [
        StatusSubcommand.self, UISubcommand.self, EmitSubcommand.self, StartSubcommand.self,
        StopSubcommand.self, RestartSubcommand.self, KillSubcommand.self, DownSubcommand.self,
        WaitSubcommand.self,
      ],
      "reference": [
        CommandsSubcommand.self, SchemaSubcommand.self, McpSubcommand.self, CompletionsSubcommand.self,
        HelpSubcommand.self, VersionSubcommand.self,
      ],
    ]
  }

  static var all: [any Subcommand.Type] { groups.flatMap(\.value) }

  /// The subcommands that only the tool starts. The help does not list them.
  private static var own: [any Subcommand.Type] { [LeftoverOutput.self, TraceExport.self] }

  static func named(_ name: String) -> (any Subcommand.Type)? {
    // As in other tools for services.
    name == "up" ? RunSubcommand.self : (all + own).first { $0.name == name }
  }

  static func require(
    _ name: String, besides others: [String]
  ) throws(UsageError) -> any Subcommand.Type {
    guard let subcommand = named(name) else {
      throw .unknownSubcommand(name, known: all.map { $0.name } + others)
    }
    return subcommand
  }
}

/// The subcommand `version`, which prints the executable's version.
enum VersionSubcommand: Subcommand {
  static let name = "version"
  static let abstract = "Prints the version."

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    tool.output.write("\(tool.name) \(tool.version)\n")
    return .succeeded
  }
}

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
    case .record: tool.output.write(LaunchRecord.jsonSchema())
    }
    return .succeeded
  }
}

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

/// The subcommand `completions`, which prints the completion script of a shell.
enum CompletionsSubcommand: Subcommand {
  static let name = "completions"
  static let abstract = "Prints a completion script for a shell: subcommands, options and their values."
  static let discussion = """
    bash: add `source <(appboot completions bash)` to ~/.bashrc.

    zsh: run `appboot completions zsh > _appboot` in a directory of $fpath.

    fish: run `appboot completions fish > ~/.config/fish/completions/appboot.fish`.
    """
  static let operands = [
    Operand(name: "SHELL", help: "bash, zsh or fish.", isRequired: true, value: .choice(shells))
  ]

  static let shells = Shell.allCases.map(\.rawValue)

  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    guard let name = arguments.operands.first else {
      throw UsageError.missingArgument("SHELL", subcommand: Self.name)
    }
    guard let shell = Shell(rawValue: name) else {
      throw UsageError.notAChoice(option: "SHELL", value: name, choices: shells)
    }
    let words = CompletionWords(
      tool: tool.name, registry: tool.registry, declarations: Subcommands.all, own: tool.ownSubcommands)
    switch shell {
    case .bash: tool.output.write(BashCompletions(words: words).text)
    case .zsh: tool.output.write(ZshCompletions(words: words).text)
    case .fish: tool.output.write(FishCompletions(words: words).text)
    }
    return .succeeded
  }
}
