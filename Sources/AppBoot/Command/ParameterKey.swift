/// A key of an object that is read into a value: its help, its type, and the property that it sets.
package struct ParameterKey<Target: Sendable>: Sendable {
  package let name: String
  let isRequired: Bool
  private let makeField: @Sendable () -> ParameterField
  let read: @Sendable (JSONValue, inout Target, inout ParameterReader) -> Void

  /// Creates a key.
  ///
  /// - Parameter set: A function that stores a value.
  init<Value>(
    _ name: String, _ help: String, _ type: ParameterType<Value>, isRequired: Bool = false,
    _ set: @escaping @Sendable (inout Target, Value) -> Void
  ) {
    (self.name, self.isRequired) = (name, isRequired)
    makeField = { ParameterField(name: name, schema: type.schema([]), help: help, isRequired: isRequired) }
    read = { json, target, reader in
      if let value = reader.read(type, json, at: .key(name)) { set(&target, value) }
    }
  }

  /// Creates a key of a value from a key of a part of the value.
  init<Part>(
    _ key: ParameterKey<Part>, in part: @escaping @Sendable (inout Target, (inout Part) -> Void) -> Void
  ) {
    (name, isRequired, makeField) = (key.name, key.isRequired, key.makeField)
    read = { json, target, reader in part(&target) { key.read(json, &$0, &reader) } }
  }

  /// The key as a field of a schema.
  package var field: ParameterField { makeField() }
}

/// The known keys of an object. It makes the messages about unknown and missing keys.
struct ObjectKeys {
  /// The name of the object in messages; `nil` for its path.
  var name: String?
  let required: [String]
  var unknownKey: Unknown?
  let fields: () -> [ParameterField]

  /// A function that returns the error for an unknown key among the known ones; `nil` for the usual error.
  typealias Unknown = @Sendable (_ key: String, SourceRange, _ known: [String]) -> Diagnostic?

  func unknown(_ key: String, _ range: SourceRange, of path: ParameterPath) -> Diagnostic {
    let known = fields().map(\.name)
    return unknownKey?(key, range, known) ?? .unknownKey(key, range, among: known, of: name(at: path))
  }

  func missing(_ key: String, _ range: SourceRange, of path: ParameterPath) -> Diagnostic {
    let field = fields().first { $0.name == key }
    let help = field.map { field in
      "add \"\(key)\", \(field.schema.description)" + (field.help.isEmpty ? "" : ": \(field.help)")
    }
    return .error("\(name(at: path)) needs \"\(key)\"", at: range, help: help)
  }

  private func name(at path: ParameterPath) -> String { name ?? "\"\(path.name.excerpt)\"" }
}
