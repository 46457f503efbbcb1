public import AppBoot
import AppBootCommands

/// Returns this app's commands, the stock commands, and the library that the app starts in code.
public func notesRegistry() -> CommandRegistry {
  var registry = CommandRegistry(OpenNotes.self, IndexNotes.self)
  registry.register(StockCommands.all)
  registry.thirdParty("WordFilter") { options in
    try WordFilter.start(language: options["language"] ?? "en")
  }
  return registry
}
