/// A command or a parameter group that requires exactly one of its parameters. The ``shared`` ones do not count.
///
/// The parameters are optional. The type's `validate(_:)` calls ``ParameterValidation/requireExactlyOne(of:)``.
package protocol ExclusiveParameters {
  /// The names of the optional parameters that do not count as that one.
  static var shared: [String] { get }
}

/// A parameter group that requires at least one of its parameters. The ``shared`` ones do not count.
package protocol InclusiveParameters {
  /// The names of the parameters that do not count.
  static var shared: [String] { get }
}

extension ParameterSchema {
  /// Returns the schema of the object with the fields of a type.
  static func ofFields(_ fields: [ParameterField], of type: Any.Type) -> ParameterSchema {
    switch type {
    case let type as any ExclusiveParameters.Type: .oneOf(fields.map { $0.shared(type.shared) })
    case let type as any InclusiveParameters.Type: .nonEmpty(.object(fields.map { $0.shared(type.shared) }))
    default: .object(fields)
    }
  }
}

extension ParameterField {
  fileprivate func shared(_ names: [String]) -> ParameterField {
    var field = self
    field.isShared = names.contains(name)
    return field
  }
}

extension ParameterValidation {
  /// Rejects the parameters unless exactly one of them has a value.
  ///
  /// - Parameter parameters: The name of each parameter, and whether it has a value.
  package mutating func requireExactlyOne(of parameters: [(name: String, hasValue: Bool)]) {
    let given = parameters.filter { $0.hasValue || !isReadable($0.name) }.map(\.name)
    if given.isEmpty {
      let names = parameters.map { "\"\($0.name)\"" }.joined(separator: ", ")
      reject("give exactly one of \(names)")
    }
    for name in given.dropFirst() {
      reject("give only one of \"\(given[0])\" and \"\(name)\"", at: .key(name))
    }
  }
}
