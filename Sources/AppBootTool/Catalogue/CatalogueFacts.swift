import AppBoot

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

  /// Returns the fields of the objects that a schema describes, directly or in lists and dictionaries.
  ///
  /// Returns an empty array if the schema describes no object.
  static func fields(of schema: ParameterSchema) -> [ParameterField] {
    switch schema {
    case .object(let fields), .oneOf(let fields): fields
    case .array(let inner), .dictionary(let inner, _), .optional(let inner), .nonEmpty(let inner),
      .definition(_, let inner):
      fields(of: inner)
    case .anyOf(let shapes): shapes.lazy.map { fields(of: $0) }.first { !$0.isEmpty } ?? []
    case .string, .secret, .pattern, .integer, .number, .boolean, .duration, .timeout, .enumeration, .any: []
    }
  }
}

extension CommandDescription {
  /// The one-line description of the command.
  var abstract: String { type.abstract }
  /// Further details of the command.
  var discussion: String { type.discussion }
  /// The lane of the command type.
  var lane: Lane { type.lane }
  /// True if the command is not synchronous: it runs as a task, or the engine watches its work.
  var isAsynchronous: Bool { type._execution.kind != .synchronous }
  /// True if the command can be undone.
  var isUndoable: Bool { type is any UndoableCommand.Type }
  /// The names of the context values that the command provides.
  var provides: [String] { type.provides.names }
  /// The names of the context values that the command requires.
  var requires: [String] { type.requires.names }
}

extension CommandDescription {
  /// Returns an entry that shows the command, as JSON: its own, or one with the required parameters if that is valid.
  func example(for registry: CommandRegistry) -> String? {
    if !type.example.isEmpty { return type.example }
    let example = exampleWithRequiredParameters
    return registry.accepts("{ \"commands\": [\(example)] }") ? example : nil
  }

  private var exampleWithRequiredParameters: String {
    let required = parameters.filter(\.isRequired)
    let parameters = required.isEmpty ? "" : ", \"with\": \(ParameterSchema.object(required).example)"
    return "{ \"command\": \(JSONWriter.quoted(name))\(parameters) }"
  }
}

extension ParameterSchema {
  /// A short value of the schema, as JSON. A string with a pattern of its own may not match it.
  fileprivate var example: String {
    switch self {
    case .string, .secret, .pattern: "\"…\""
    case .integer(let minimum, let maximum): "\(minimum <= 1 && maximum >= 1 ? 1 : minimum)"
    case .number: "1"
    case .boolean: "true"
    case .duration, .timeout: "\"1s\""
    case .enumeration(let cases): JSONWriter.quoted(cases.first ?? "")
    case .array(let element): "[\(element.example)]"
    case .dictionary: "{}"
    case .object(let fields): Self.object(fields.filter(\.isRequired))
    case .oneOf(let fields): Self.object(Array(fields.prefix(1)))
    case .optional(let inner), .nonEmpty(let inner), .definition(_, let inner): inner.example
    case .anyOf(let shapes): shapes.first?.example ?? "null"
    case .any: "null"
    }
  }

  private static func object(_ fields: [ParameterField]) -> String {
    let members = fields.map { "\(JSONWriter.quoted($0.name)): \($0.schema.example)" }
    return members.isEmpty ? "{}" : "{ \(members.joined(separator: ", ")) }"
  }
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
