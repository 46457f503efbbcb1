/// A struct that is the value of a parameter. Its fields are parameters with their own help and defaults.
public protocol ParameterGroup: ParameterValue {
  /// Creates the group with the default values of its parameters.
  ///
  /// Each call must create new parameters. If groups share the storage of a parameter, the value that is read last
  /// replaces those of the others.
  init()

  /// Rejects values of parameters that are invalid, alone or in combination. The default implementation rejects
  /// nothing.
  func validate(_ validation: inout ParameterValidation)
}

extension ParameterGroup {
  /// Rejects nothing.
  public func validate(_ validation: inout ParameterValidation) {}

  /// An object with the group's parameters.
  public static var parameterType: ParameterType<Self> { objectType }

  /// The type of an object with the group's parameters.
  package static var objectType: ParameterType<Self> {
    ParameterType(
      schema: { outer in
        let id = ObjectIdentifier(Self.self)
        // A generic group can contain new types without end.
        if outer.contains(id) || outer.count >= 32 { return .any }
        return .ofFields(ParameterProperties.fields(of: Self(), inside: outer + [id]), of: Self.self)
      }, placeholder: Self(), isIncomplete: { ParameterProperties.isIncomplete($0) },
      read: { json, reader in reader.group(json) })
  }
}

/// A command or a parameter group that requires one of its optional parameters. The ``shared`` ones do not count.
///
/// The type's `validate(_:)` must check that.
package protocol ParameterChoice {
  /// True if exactly one of them must be given; false if at least one.
  static var isExclusive: Bool { get }
  /// The names of the optional parameters that do not count as that one.
  static var shared: [String] { get }
}

extension ParameterChoice {
  package static var isExclusive: Bool { true }
}

extension ParameterSchema {
  /// Returns the schema of the object with the fields of a type.
  static func ofFields(_ fields: [ParameterField], of type: Any.Type) -> ParameterSchema {
    guard let type = type as? any ParameterChoice.Type else { return .object(fields) }
    let marked = fields.map { field in
      var field = field
      field.isShared = type.shared.contains(field.name)
      return field
    }
    return type.isExclusive ? .oneOf(marked) : .nonEmpty(.object(marked))
  }
}

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
