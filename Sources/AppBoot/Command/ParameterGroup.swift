/// A struct that is the value of a parameter. Its fields are parameters with their own help and defaults.
public protocol ParameterGroup: ParameterValue {
  /// Creates the group with the default values of its parameters.
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

  /// Returns the type of an object with the group's parameters, or of the value of one parameter in its place.
  ///
  /// - Parameter name: The parameter. Its values are no objects.
  package static func parameterType(orOnly name: String) -> ParameterType<Self> {
    let object = objectType
    return ParameterType(
      schema: { outer in
        let field = ParameterProperties.fields(of: Self(), inside: outer).first { $0.name == name }
        guard var short = field?.schema else { return object.schema(outer) }
        if case .optional(let wrapped) = short { short = wrapped }
        return .anyOf([short, object.schema(outer)])
      }, placeholder: object.placeholder(), variable: object.variable
    ) { json, reader in
      switch json.kind {
      case .string, .number: reader.group(json.wrapped(in: name))
      case .object: reader.group(json)
      case .array, .bool, .null: nil
      }
    }
  }

  private static var objectType: ParameterType<Self> {
    ParameterType(
      schema: { outer in
        let id = ObjectIdentifier(Self.self)
        // A generic group can contain new types without end.
        if outer.contains(id) || outer.count >= 32 { return .any }
        return .ofFields(ParameterProperties.fields(of: Self(), inside: outer + [id]), of: Self.self)
      }, placeholder: Self(),
      variable: { ParameterLayout(of: $0).variables.first?.variable },
      read: { json, reader in reader.group(json) })
  }
}
