import AppBoot
import AppBootTool

func tool(_ registry: CommandRegistry, _ catalogue: Catalogue) -> CommandLineTool {
  let export = ToolSubcommand("export", help: "Prints the catalogue as JSON.") { arguments in
    print(try await catalogue.json(of: arguments.first))
    return 0
  }
  return CommandLineTool(name: "shop", version: "1.0.0", registry: registry, subcommands: [export])
}

struct Catalogue {
  func json(of name: String?) async throws -> String { "{}" }
}
