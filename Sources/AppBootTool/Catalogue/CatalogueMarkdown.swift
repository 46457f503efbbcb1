import AppBoot

/// A writer of the catalogue of commands as Markdown, as in `Docs/commands.md`.
enum CatalogueMarkdown {
  /// Returns a page with all commands.
  static func page(_ commands: [CommandDescription], tool: String) -> String {
    """
    # Commands

    List the commands that a launch runs in a manifest, and their parameters under `with`. Each example is an entry: put
    it in the list of `{ "commands": [ … ] }`. `\(tool) commands NAME` explains one command.
    `\(tool) commands --format markdown` prints this page.

    """ + commands.map { "\n" + section($0) }.joined()
  }

  /// Returns the sections of the page, one for each command.
  static func sections(_ commands: [CommandDescription]) -> String {
    commands.map(section).joined(separator: "\n")
  }

  private static func section(_ command: CommandDescription) -> String {
    var text = "## \(command.name)\n"
    for paragraph in [command.abstract, command.discussion] where !paragraph.isEmpty {
      text += "\n\(paragraph)\n"
    }
    if let example = command.example { text += "\n```json\n\(example)\n```\n" }
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
