import AppBoot
import AppBootReports

/// The catalogue of commands for a terminal.
struct CatalogueText {
  let style: TextStyle
  private var width: Int { min(style.width ?? 100, 100) }

  /// A line or more per command: its name and its abstract.
  func overview(_ commands: [CommandDescription]) -> String {
    let column = min(commands.map { DisplayWidth.of($0.name) }.max() ?? 0, 32) + 2
    return commands.map { command in
      let lines = style.wrap(command.abstract, to: max(20, width - column))
      let isLong = DisplayWidth.of(command.name) + 2 > column
      let indent = String(repeating: " ", count: column)
      let name = style.paint(DisplayWidth.pad(style.visible(command.name), to: column), .heading)
      return name + (isLong ? "\n\(indent)" : "") + lines.joined(separator: "\n\(indent)") + "\n"
    }.joined()
  }

  /// Everything that is known of a command.
  func page(_ command: CommandDescription) -> String {
    var text = style.paint(style.visible(command.name), .heading) + "\n"
    if !command.abstract.isEmpty {
      text += style.wrap(command.abstract, to: width).joined(separator: "\n") + "\n"
    }
    if !command.discussion.isEmpty {
      text += "\n" + style.wrap(command.discussion, to: width).joined(separator: "\n") + "\n"
    }
    text += "\n\(style.paint("runs:", .heading)) \(CatalogueFacts.kind(command))\n"
    if !command.provides.isEmpty {
      text +=
        "\(style.paint("provides:", .heading)) \(style.visible(command.provides.joined(separator: ", ")))\n"
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

/// What the catalogue's forms have in common.
enum CatalogueFacts {
  /// Where and how a command runs, in words.
  static func kind(_ command: CommandDescription) -> String {
    let lane = command.lane == .main ? "on the main lane" : "in the background"
    return lane + (command.isAsynchronous ? ", asynchronously" : "")
      + (command.isUndoable ? "; can be undone" : "")
  }

  /// What a field may hold, in words; that an optional one may be null goes without saying.
  static func shape(of field: ParameterField) -> String {
    if case .optional(let inner) = field.schema, !field.isRequired { return inner.description }
    return field.schema.description
  }

  /// The fields of the objects in a value, however deep inside lists.
  static func fields(of schema: ParameterSchema) -> [ParameterField] {
    switch schema {
    case .object(let fields): fields
    case .array(let inner), .dictionary(let inner, _), .optional(let inner), .nonEmpty(let inner):
      fields(of: inner)
    case .anyOf(let shapes): shapes.lazy.map { fields(of: $0) }.first { !$0.isEmpty } ?? []
    case .string, .pattern, .integer, .number, .boolean, .duration, .limit, .enumeration, .any: []
    }
  }
}
