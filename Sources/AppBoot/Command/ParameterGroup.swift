/// A struct that is the value of a parameter. Its fields are parameters with their own help and defaults.
///
/// Conform to it if the fields are `@Parameter`s. A plain `Decodable` struct can be a value too.
public protocol ParameterGroup: Decodable, Sendable, ParameterPlaceholderProviding {
  /// Creates the group with the default values of its parameters.
  init()

  /// Rejects values of parameters that are invalid, alone or in combination. The default implementation rejects
  /// nothing.
  func validate(_ validation: inout ParameterValidation)
}

extension ParameterGroup {
  /// The group with the default values of its parameters.
  public static var parameterPlaceholder: Self { Self() }

  /// Rejects nothing.
  public func validate(_ validation: inout ParameterValidation) {}

  /// Decodes the group's parameters by their names.
  ///
  /// - Throws: `DecodingError` if a value is missing, wrong or rejected.
  public init(from decoder: any Decoder) throws {
    // Row start-up: a cast would search all conformances of the program, which takes 500,000 instructions at a start.
    if type(of: decoder) == ShapeProbe.self {
      self.init()
    } else {
      self = try ParameterFilling.make(from: decoder, Self.init) { $0.validate(&$1) }
    }
  }
}
