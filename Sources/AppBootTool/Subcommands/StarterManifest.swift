import AppBootSchema
import AppBoot
import AppBootSystem

/// A namespace for functions that write a manifest which can run with the registered commands.
enum StarterManifest {
  private static let smallest = """
    {
      "$schema": "commands.schema.json",
      "version": 1,
      "name": "my-launch",
      "commands": [
        { "command": "CheckEnvironment", "with": { "programs": ["sh"] } },
        { "id": "hello", "run": "echo Hello from $PWD", "timeout": "10s" },
        { "command": "Say", "with": { "text": "It works: `appboot logs` shows the output of the steps." } }
      ]
    }

    """

  /// Returns a manifest with stock commands if these are registered; otherwise one with other registered commands.
  ///
  /// The other commands are those without required parameters.
  static func text(for registry: CommandRegistry) -> String {
    if registry.accepts(smallest) { return smallest }
    let names = registry.commands.filter { !$0.requiresParameters }.map(\.name)
    var json = JSONWriter(pretty: true)
    json.object { json in
      json.member("$schema", "commands.schema.json")
      json.member("version", 1)
      json.member("name", "my-launch")
      json.member("commands", names.prefix(8))
    }
    json.endLine()
    return json.text
  }
}
