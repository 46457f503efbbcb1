import AppBoot
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
  /// An entry that shows the command, as JSON: its own, or its name; `nil` if only its own could have the parameters.
  var example: String? {
    type.example.isEmpty
      ? requiresParameters ? nil : "{ \"command\": \(JSONWriter.quoted(name)) }" : type.example
  }
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

extension CommandRegistry {
  /// Returns whether a manifest is valid with the registered commands.
  func accepts(_ manifest: String) -> Bool {
    guard let manifest = try? Manifest(parsing: SourceText(name: "commands.json", text: manifest)) else {
      return false
    }
    return StartupCommandsBuilder(manifest: manifest, registry: self).checked().problems.errorCount == 0
  }
}
