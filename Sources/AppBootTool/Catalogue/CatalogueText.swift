import AppBoot
import AppBootReports

/// A writer of the catalogue of commands as text.
struct CatalogueText {
  let style: TextStyle
  private var width: Int { min(style.width ?? 100, 100) }

  /// Returns the names and abstracts of all commands.
  func overview(_ commands: [CommandDescription]) -> String {
    let rows = commands.map { (style.visible($0.name), $0.abstract) }
    return style.definitions(rows, most: 32, width: width, .heading)
  }

  /// Returns the full description of a command.
  func page(_ command: CommandDescription) -> String {
    var text = style.paint(style.visible(command.name), .heading) + "\n"
    if !command.abstract.isEmpty {
      text += style.wrap(command.abstract, to: width).joined(separator: "\n") + "\n"
    }
    if !command.discussion.isEmpty {
      text += "\n" + style.wrap(command.discussion, to: width).joined(separator: "\n") + "\n"
    }
    if let example = command.example {
      text += "\n\(style.paint("example:", .heading))\n"
      text += example.split(separator: "\n").map { "  \(style.visible(String($0)))\n" }.joined()
    }
    text += "\n\(style.paint("runs:", .heading)) \(CatalogueFacts.kind(command))\n"
    for (heading, keys) in [("requires:", command.requires), ("provides:", command.provides)]
    where !keys.isEmpty {
      text += "\(style.paint(heading, .heading)) \(style.visible(keys.joined(separator: ", ")))\n"
    }
    guard !command.parameters.isEmpty else { return text + "\nIt has no parameters.\n" }
    text += "\n\(style.paint("parameters:", .heading))\n"
    return text + command.parameters.map { field($0, depth: 1) }.joined()
  }

  private func field(_ field: ParameterField, depth: Int) -> String {
    let indent = String(repeating: "  ", count: depth)
    let need = field.isRequired ? "required" : field.defaultText.map { "default \($0)" } ?? "optional"
    var text = "\(indent)\(style.paint(style.visible(field.name), .accent))  (\(style.visible(need)))\n"
    let shape = CatalogueFacts.shape(of: field)
    text += style.wrap(shape, to: width - indent.count - 4).map { "\(indent)    \($0)\n" }.joined()
    if !field.help.isEmpty {
      text += style.wrap(field.help, to: width - indent.count - 4).map { "\(indent)    \($0)\n" }.joined()
    }
    return text + CatalogueFacts.fields(of: field.schema).map { self.field($0, depth: depth + 2) }.joined()
  }
}
