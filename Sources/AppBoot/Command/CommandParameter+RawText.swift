// A type that is `Decodable` as well has the initializers for decodable values, so these are not ambiguous.
extension CommandParameter where Value: RawRepresentable, Value.RawValue == String {
  /// Declares a parameter with a default. Its value is written as the raw value, for example of an enum.
  ///
  /// - Parameter key: The key in the manifest; `nil` for the property's name.
  @_disfavoredOverload
  public init(wrappedValue: Value, _ help: String, key: String? = nil) {
    self.init(raw: wrappedValue, ParameterDeclaration(help, key: key, isRequired: false))
  }

  /// Declares a required parameter. Its value is written as the raw value, for example of an enum.
  ///
  /// - Parameters:
  ///   - wrappedValue: The placeholder, which is the property's value until the parameter is set. It is not a default.
  ///   - key: The key in the manifest; `nil` for the property's name.
  @_disfavoredOverload
  public init(wrappedValue: Value, required help: String, key: String? = nil) {
    self.init(raw: wrappedValue, ParameterDeclaration(help, key: key, isRequired: true))
  }

  private init(raw preset: Value, _ declaration: ParameterDeclaration) {
    let given = ParameterPass.current?.declare(declaration, preset: RawText(value: preset))
    self.init(declaration, given: given?.value, preset: preset)
  }
}

extension CommandParameter {
  /// Declares an optional parameter. Its value is written as the raw value, and its default is `nil`.
  ///
  /// - Parameter key: The key in the manifest; `nil` for the property's name.
  @_disfavoredOverload
  public init<Wrapped>(_ help: String, key: String? = nil)
  where Value == Wrapped?, Wrapped: RawRepresentable, Wrapped.RawValue == String {
    let declaration = ParameterDeclaration(help, key: key, isRequired: false)
    let given = ParameterPass.current?.declare(declaration, preset: RawText<Wrapped>?.none)
    self.init(declaration, given: given.map { $0?.value }, preset: nil)
  }
}

/// A value that is decoded from its raw value.
struct RawText<Value: RawRepresentable & Sendable>: Decodable, Sendable, RawRepresentable,
  ParameterSchemaProviding
where Value.RawValue == String {
  let value: Value
  var rawValue: String { value.rawValue }

  init(value: Value) { self.value = value }

  init?(rawValue: String) {
    guard let value = Value(rawValue: rawValue) else { return nil }
    self.value = value
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Value(rawValue: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "cannot be \"\(text.excerpt)\"")
    }
    self.value = value
  }

  static var parameterSchema: ParameterSchema {
    StringCases.of(Value.self).map { .enumeration($0) } ?? .string
  }
}
