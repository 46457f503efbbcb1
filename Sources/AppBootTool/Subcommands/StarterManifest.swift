import AppBoot
import AppBootSystem

/// A manifest that runs with the registered commands.
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

  /// Returns a manifest of stock commands if these are registered, or else of registered commands without required
  /// parameters.
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

  /// Returns whether a manifest has no errors with the registered commands.
  static func isValid(_ text: String, _ registry: CommandRegistry) -> Bool {
    guard let manifest = try? Manifest(parsing: SourceText(name: "commands.json", text: text)) else {
      return false
    }
    let problems = StartupCommandsBuilder(manifest: manifest, registry: registry).problems()
    return !problems.contains { $0.severity == .error }
  }
}
