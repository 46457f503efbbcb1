/// A struct of parameters inside a parameter; its fields have help and defaults of their own.
///
/// Conform to it if the fields are `@Parameter`s. A plain `Decodable` struct works as well.
public protocol ParameterGroup: Decodable, Sendable, ParameterPlaceholderProviding {
  /// Creates the group with its defaults.
  init()

  /// Rejects parameters whose values make no sense, alone or together.
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
