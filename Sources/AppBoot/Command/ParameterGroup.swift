/// A struct as the value of a parameter: its fields are parameters with help and defaults of their own.
///
/// Conform to it if the fields are `@Parameter`s. A plain `Decodable` struct works as well.
public protocol ParameterGroup: Decodable, Sendable, ParameterPlaceholderProviding {
  /// Creates the group with its defaults.
  init()

  /// Rejects parameter values that are invalid, alone or in combination; the default implementation rejects no value.
  func validate(_ validation: inout ParameterValidation)
}

extension ParameterGroup {
  /// The group with its defaults.
  public static var parameterPlaceholder: Self { Self() }

  /// Accepts every value.
  public func validate(_ validation: inout ParameterValidation) {}

  /// Decodes the group's parameters by their names.
  ///
  /// - Throws: `DecodingError` for a missing, wrong or rejected value.
  public init(from decoder: any Decoder) throws {
    if decoder is ShapeProbe {
      self.init()
    } else {
      self = try ParameterFilling.make(from: decoder, Self.init) { $0.validate(&$1) }
    }
  }
}
