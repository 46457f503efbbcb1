/// The list of all subcommands, in the order of the help.
enum Subcommands {
  static var all: [any Subcommand.Type] {
    [
      RunSubcommand.self, ListSubcommand.self, ValidateSubcommand.self, CheckSubcommand.self,
      ReportSubcommand.self, CompareSubcommand.self, EmitSubcommand.self, StatusSubcommand.self,
      CommandsSubcommand.self, SchemaSubcommand.self, InitSubcommand.self, CompletionsSubcommand.self,
      VersionSubcommand.self, HelpSubcommand.self,
    ]
  }

  static func named(_ name: String) -> (any Subcommand.Type)? { all.first { $0.name == name } }

  static func require(_ name: String) throws(UsageError) -> any Subcommand.Type {
    guard let subcommand = named(name) else { throw .unknownSubcommand(name, known: all.map { $0.name }) }
    return subcommand
  }
}
