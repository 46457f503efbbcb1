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
