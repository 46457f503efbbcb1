import AppBoot

/// A writer of the catalogue of commands as Markdown, as in `Docs/commands.md`.
enum CatalogueMarkdown {
  /// Returns a page with all commands. It begins with an example.
  static func page(_ commands: [CommandDescription], tool: String) -> String {
    let example = example(from: commands).map { entry in
      """
       For example, save this as `commands.json`:

      ```json
      { "commands": [\(entry)] }
      ```

      Check it and run it:

      ```
      $ \(tool) validate
      $ \(tool) run
      ```

      """
    }
    return """
      # Commands

      List the commands that a launch runs in a manifest, and their parameters under `with`.\(example ?? "\n")
      `\(tool) commands NAME` explains one command. `\(tool) commands --format markdown` prints this page.

      """ + commands.map { "\n" + section($0) }.joined()
  }

  /// Returns the sections of the page, one for each command.
  static func sections(_ commands: [CommandDescription]) -> String {
    commands.map(section).joined(separator: "\n")
  }

  /// Returns an example of a manifest's entry: a command without required parameters, with a default value.
  ///
  /// Returns `nil` if no command has a simple default value.
  private static func example(from commands: [CommandDescription]) -> String? {
    for command in commands where !command.parameters.contains(where: \.isRequired) {
      for field in command.parameters {
        guard let value = field.defaultText, !value.hasPrefix("["), !value.hasPrefix("{") else { continue }
        return "{ \"command\": \"\(command.name)\", \"with\": { \"\(field.name)\": \(value) } }"
      }
    }
    return nil
  }

  private static func section(_ command: CommandDescription) -> String {
    var text = "## \(command.name)\n"
    for paragraph in [command.abstract, command.discussion] where !paragraph.isEmpty {
      text += "\n\(paragraph)\n"
    }
    text += "\nRuns \(CatalogueFacts.kind(command)).\n"
    for (verb, keys) in [("Requires", command.requires), ("Provides", command.provides)] where !keys.isEmpty {
      text += "\n\(verb) \(keys.map { "`\($0)`" }.joined(separator: ", ")).\n"
    }
    guard !command.parameters.isEmpty else { return text + "\nIt has no parameters.\n" }
    text += "\n| parameter | value | default | |\n|---|---|---|---|\n"
    return text + rows(command.parameters, prefix: "")
  }

  private static func rows(_ fields: [ParameterField], prefix: String) -> String {
    fields.map { field in
      let need = field.isRequired ? "required" : field.defaultText.map { "`\($0)`" } ?? ""
      let name = prefix + field.name
      let cells = ["`\(name)`", CatalogueFacts.shape(of: field), need, field.help].map(cell)
      let separator = isList(field.schema) ? "[]." : "."
      return "| \(cells.joined(separator: " | ")) |\n"
        + rows(CatalogueFacts.fields(of: field.schema), prefix: name + separator)
    }.joined()
  }

  private static func isList(_ schema: ParameterSchema) -> Bool {
    switch schema {
    case .array, .dictionary: true
    case .optional(let inner), .nonEmpty(let inner), .definition(_, let inner): isList(inner)
    case .string, .secret, .pattern, .integer, .number, .boolean, .duration, .timeout, .enumeration, .object,
      .oneOf, .anyOf, .any:
      false
    }
  }

  /// Returns the text of a table's cell. Bars are escaped, and lines are joined.
  static func cell(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "|": result += "\\|"
      case _ where character.isNewline: result += " "
      default: result.append(character)
      }
    }
  }
}
