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
        StatusSubcommand.self, EmitSubcommand.self, StartSubcommand.self, StopSubcommand.self,
        RestartSubcommand.self, KillSubcommand.self,
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

  static func named(_ name: String) -> (any Subcommand.Type)? { (all + own).first { $0.name == name } }

  static func require(
    _ name: String, besides others: [String]
  ) throws(UsageError) -> any Subcommand.Type {
    guard let subcommand = named(name) else {
      throw .unknownSubcommand(name, known: all.map { $0.name } + others)
    }
    return subcommand
  }
}
