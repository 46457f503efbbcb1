public import AppBoot
import AppBootCommands

/// What this app's manifest may name: its own commands, the stock ones, and the library it starts in code.
public func notesRegistry() -> CommandRegistry {
  var registry = CommandRegistry(OpenNotes.self, IndexNotes.self)
  registry.register(StockCommands.all)
  registry.thirdParty("WordFilter") { options in
    try WordFilter.start(language: options["language"] ?? "en")
  }
  return registry
}
