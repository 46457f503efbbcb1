import AppBootSchema
import AppBoot
import AppBootSystem

/// A namespace for functions that write a manifest which can run with the registered commands.
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
            "screens": { "Home": { "title": "Home", "text": "It works." } }
          }
        },
        { "command": "RegisterRemoteNotifications", "onFailure": "continue" }
      ]
    }

    """

  /// Returns a manifest with stock commands if these are registered; otherwise one with other registered commands.
  ///
  /// The other commands are those without required parameters.
  static func text(for registry: CommandRegistry) -> String {
    if isValid(stock, registry) { return stock }
    let names = registry.commands.filter { !$0.requiresParameters }.map(\.name)
    var json = JSONWriter(pretty: true)
    json.object { json in
      json.member("version", 1)
      json.member("name", "MyApp")
      json.member("commands", names.prefix(8))
    }
    json.endLine()
    return json.text
  }

  /// Returns whether a manifest is valid with the registered commands.
  static func isValid(_ text: String, _ registry: CommandRegistry) -> Bool {
    guard let manifest = try? Manifest(parsing: SourceText(name: "commands.json", text: text)) else {
      return false
    }
    return StartupCommandsBuilder(manifest: manifest, registry: registry).checked().problems.errorCount == 0
  }
}
