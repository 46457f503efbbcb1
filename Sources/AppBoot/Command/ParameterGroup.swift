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
