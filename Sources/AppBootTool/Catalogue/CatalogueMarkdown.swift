import AppBoot

/// The catalogue of commands as Markdown, as in `Docs/commands.md`.
enum CatalogueMarkdown {
  static func text(_ commands: [CommandDescription], isWhole: Bool) -> String {
    var text = isWhole ? "# Commands\n\nPrinted by `appboot commands --format markdown`.\n" : ""
    for command in commands { text += (text.isEmpty ? "" : "\n") + section(command) }
    return text
  }

  private static func section(_ command: CommandDescription) -> String {
    var text = "## \(command.name)\n"
    for paragraph in [command.abstract, command.discussion] where !paragraph.isEmpty {
      text += "\n\(paragraph)\n"
    }
    text += "\nRuns \(CatalogueFacts.kind(command)).\n"
    if !command.provides.isEmpty {
      text += "\nProvides \(command.provides.map { "`\($0)`" }.joined(separator: ", ")).\n"
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
    case .optional(let inner), .nonEmpty(let inner): isList(inner)
    case .string, .pattern, .integer, .number, .boolean, .duration, .limit, .enumeration, .object, .oneOf,
      .anyOf, .any:
      false
    }
  }

  /// Returns the text of a table's cell, with escaped bars and joined lines.
  private static func cell(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "|": result += "\\|"
      case _ where character.isNewline: result += " "
      default: result.append(character)
      }
    }
  }
}
