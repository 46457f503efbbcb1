import AppBoot
import AppBootReports
import AppBootSchema

/// A namespace for the words and fields that all formats of the catalogue of commands share.
enum CatalogueFacts {
  /// Returns a command's lane, and whether the command is asynchronous or undoable, in words.
  static func kind(_ command: CommandDescription) -> String {
    let lane = command.lane == .main ? "on the main lane" : "in the background"
    return lane + (command.isAsynchronous ? ", asynchronously" : "")
      + (command.isUndoable ? "; can be undone" : "")
  }

  /// Returns a description of a parameter's values. The `null` of an optional parameter is left out.
  static func shape(of field: ParameterField) -> String {
    if case .optional(let inner) = field.schema, !field.isRequired { return inner.description }
    return field.schema.description
  }

  /// Returns the fields of the objects that a schema describes, and whether these are in a list or dictionary.
  ///
  /// Returns an empty array if the schema describes no object.
  static func objects(in schema: ParameterSchema) -> (fields: [ParameterField], isList: Bool) {
    switch schema {
    case .object(let fields), .oneOf(let fields): (fields, false)
    case .array(let inner), .dictionary(let inner, _): (objects(in: inner).fields, true)
    case .optional(let inner), .nonEmpty(let inner), .definition(_, let inner): objects(in: inner)
    case .anyOf(let shapes): (shapes.lazy.map { objects(in: $0).fields }.first { !$0.isEmpty } ?? [], false)
    case .string, .secret, .pattern, .integer, .number, .boolean, .duration, .timeout, .enumeration, .any:
      ([], false)
    }
  }
}

extension CommandDescription {
  /// An entry that shows the command, as JSON: its own, or its name; `nil` if only its own could have the parameters.
  var example: String? {
    options.example.isEmpty
      ? requiresParameters ? nil : "{ \"command\": \(name.asJSON) }" : options.example
  }
  /// The options of the command's type.
  var options: CommandOptions { type.options }
  /// The lane of the command's type.
  var lane: Lane { type._execution.lane(options) }
  /// True if the command is not synchronous: it runs as a task, or the engine watches its work.
  var isAsynchronous: Bool { type._execution.kind != .synchronous }
  /// True if the command can be undone.
  var isUndoable: Bool { type is any UndoableCommand.Type }
}

extension CommandRegistry {
  /// Returns whether a manifest is valid with the registered commands.
  func accepts(_ manifest: String) -> Bool {
    guard let manifest = try? Manifest(parsing: SourceText(name: "commands.json", text: manifest)) else {
      return false
    }
    return StartupCommandsBuilder(manifest: manifest, registry: self).checked().problems.errorCount == 0
  }
}

/// A writer of the catalogue of commands as text.
struct CatalogueText {
  let style: TextStyle
  private var width: Int { min(style.width ?? 100, 100) }

  /// Returns the names and abstracts of all commands.
  func overview(_ commands: [CommandDescription]) -> String {
    let rows = commands.map { (style.visible($0.name), $0.options.abstract) }
    return style.definitions(rows, most: 32, width: width, .heading)
  }

  /// Returns the full description of a command.
  func page(_ command: CommandDescription) -> String {
    var text = style.paint(style.visible(command.name), .heading) + "\n"
    if !command.options.abstract.isEmpty {
      text += style.wrap(command.options.abstract, to: width).joined(separator: "\n") + "\n"
    }
    if !command.options.discussion.isEmpty {
      text += "\n" + style.wrap(command.options.discussion, to: width).joined(separator: "\n") + "\n"
    }
    if let example = command.example {
      text += "\n\(style.paint("example:", .heading))\n"
      text += example.split(separator: "\n").map { "  \(style.visible(String($0)))\n" }.joined()
    }
    text += "\n\(style.paint("runs:", .heading)) \(CatalogueFacts.kind(command))\n"
    for (heading, keys) in [
      ("requires:", command.options.requires.names), ("provides:", command.options.provides.names),
    ]
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
    return text
      + CatalogueFacts.objects(in: field.schema).fields.map { self.field($0, depth: depth + 2) }.joined()
  }
}

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
    for paragraph in [command.options.abstract, command.options.discussion] where !paragraph.isEmpty {
      text += "\n\(paragraph)\n"
    }
    if let example = command.example { text += "\n```json\n\(example)\n```\n" }
    text += "\nRuns \(CatalogueFacts.kind(command)).\n"
    for (verb, keys) in [
      ("Requires", command.options.requires.names), ("Provides", command.options.provides.names),
    ] where !keys.isEmpty {
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
      let (inner, isList) = CatalogueFacts.objects(in: field.schema)
      return "| \(cells.joined(separator: " | ")) |\n"
        + rows(inner, prefix: name + (isList ? "[]." : "."))
    }.joined()
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

/// A writer of the catalogue of commands as JSON.
enum CatalogueJSON {
  static func text(_ commands: [CommandDescription]) -> String {
    JSONWriter.object(pretty: true) { json in
      json.array("commands") { json in
        for command in commands { write(command, to: &json) }
      }
    } + "\n"
  }

  private static func write(_ command: CommandDescription, to json: inout JSONWriter) {
    json.object { json in
      json.member("name", command.name)
      json.member("abstract", command.options.abstract)
      json.member("discussion", command.options.discussion)
      json.member("lane", command.lane.rawValue)
      json.member("asynchronous", command.isAsynchronous)
      json.member("undoable", command.isUndoable)
      json.member("requires", command.options.requires.names)
      json.member("provides", command.options.provides.names)
      write(command.parameters, as: "parameters", to: &json)
    }
  }

  private static func write(_ fields: [ParameterField], as key: String, to json: inout JSONWriter) {
    json.array(key) { json in
      for field in fields {
        json.object { json in
          json.member("name", field.name)
          json.member("type", field.schema.description)
          json.member("help", field.help)
          json.member("required", field.isRequired)
          if let text = field.defaultText { json.member("default", json: text) }
          let inner = CatalogueFacts.objects(in: field.schema).fields
          if !inner.isEmpty { write(inner, as: "fields", to: &json) }
        }
      }
    }
  }
}

/// A topic of `help` that is not a subcommand: the keys of a manifest, or a concept.
enum HelpTopic: String, CaseIterable {
  case manifest, order, failure, variables, secrets, services

  /// The keys in the tables of the topic.
  var keys: [String] { tables.flatMap { $0.fields.map(\.name) } }

  /// The topic in one line.
  var abstract: String {
    switch self {
    case .manifest: "The keys of a manifest and of its entries."
    case .order: "In which order steps run, and which run in parallel."
    case .failure: "What a failure does: attempts, timeouts, undo."
    case .variables: "Where values come from: the environment, files, other steps."
    case .secrets: "Which values are hidden."
    case .services: "Processes that keep running: readiness, restarts, stopping."
    }
  }

  /// The tables of the topic.
  var tables: [(title: String, fields: [ParameterField])] {
    guard self == .manifest else { return [] }
    return [
      ("keys of the manifest", ManifestReader.keys.map(\.field)),
      ("keys of an entry", ManifestEntry.keys.map(\.field)),
      ("in place of command and with", ManifestEntry.shellKeys.map(\.field).filter(\.isRequired)),
      ("keys of when; all must hold", LaunchCondition.keys.map(\.field)),
      ("keys of unless; exactly one", UnlessCondition.keys.map(\.field)),
      ("keys of retry", RetryPolicy.keys.map(\.field)),
    ]
  }

  /// The text of the topic, with an example: paragraphs, and blocks of indented lines, between empty lines.
  var text: String {
    switch self {
    case .manifest: HelpFiles.manifest
    case .order: HelpFiles.order
    case .failure: HelpFiles.failure
    case .variables: HelpFiles.variables
    case .secrets: HelpFiles.secrets
    case .services: HelpFiles.services
    }
  }
}
