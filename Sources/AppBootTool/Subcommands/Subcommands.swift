/// A namespace for the list of all subcommands, in the order of the help.
enum Subcommands {
  static var all: [any Subcommand.Type] {
    [
      RunSubcommand.self, ListSubcommand.self, ValidateSubcommand.self, CheckSubcommand.self,
      ReportSubcommand.self, CompareSubcommand.self, HistorySubcommand.self, WhatIfSubcommand.self,
      EmitSubcommand.self, StatusSubcommand.self, LogsSubcommand.self, StartSubcommand.self,
      StopSubcommand.self, RestartSubcommand.self, KillSubcommand.self,
      CommandsSubcommand.self, SchemaSubcommand.self, InitSubcommand.self, CompletionsSubcommand.self,
      VersionSubcommand.self, HelpSubcommand.self,
    ]
  }

  /// The subcommands that only the tool starts. The help does not list them.
  private static var own: [any Subcommand.Type] { [LeftoverOutput.self, GroupWatch.self] }

  static func named(_ name: String) -> (any Subcommand.Type)? { (all + own).first { $0.name == name } }

  static func require(
    _ name: String, besides own: [ToolSubcommand]
  ) throws(UsageError) -> any Subcommand.Type {
    guard let subcommand = named(name) else {
      throw .unknownSubcommand(name, known: all.map { $0.name } + own.map(\.name))
    }
    return subcommand
  }
}
