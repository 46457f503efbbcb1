/// A type whose values are written as text in a manifest. An app makes types of other modules parameters with it.
///
/// ```swift
/// extension URL: @retroactive ExpressibleByParameter {
///   public init?(parameter text: String) { self.init(string: text) }
///   public static var parameterDescription: String { "a URL such as \"https://example.com\"" }
/// }
/// ```
///
/// A text is first decoded by the type itself; the conformance is used if that fails. A numeric type also accepts a
/// JSON number, as its exact text. An enum with raw values of type `String` needs no conformance.
public protocol ExpressibleByParameter: Decodable {
  /// Creates a value from its text in a manifest; `nil` if the text is invalid.
  init?(parameter text: String)

  /// A description of a valid text for errors and help, for example `a URL such as "https://example.com"`.
  static var parameterDescription: String { get }
}

extension ExpressibleByParameter {
  /// Decodes the text of a value.
  ///
  /// - Throws: `DecodingError` if the text is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(parameter: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "must be \(Self.parameterDescription), not \"\(text.excerpt)\"")
    }
    self = value
  }

  static var parameterTextSchema: ParameterSchema {
    let text = ParameterSchema.pattern("^", describedAs: parameterDescription)
    return Self.self is any Numeric.Type ? .anyOf([text, .number]) : text
  }
}

extension ParameterDecoder {
  /// Returns the value of a type that is written as text; `nil` for other types and other values.
  ///
  /// These types are ``ExpressibleByParameter``, and enums without raw values, which are written as the name of a case.
  ///
  /// - Throws: `DecodingError` if the text is invalid.
  func expressedValue<Value>(_ type: Value.Type) throws -> Value? {
    guard let value, value.kind == .string || value.kind == .number else { return nil }
    if let type = type as? any ExpressibleByParameter.Type { return try expressed(type, value) as? Value }
    return value.string.flatMap { CaseNames.value($0, of: type) }
  }

  private func expressed<Value: ExpressibleByParameter>(
    _ type: Value.Type, _ json: JSONValue
  ) throws -> Value {
    if json.kind == .number, !(type is any Numeric.Type) {
      throw mismatch(expected: type.parameterDescription)
    }
    let text = json.string ?? json.text
    if let value = Value(parameter: text) { return value }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "must be \(type.parameterDescription), not \"\(text.excerpt)\""))
  }

  /// Returns whether a type is a number of the standard library.
  static func isNumber(_ type: any Any.Type) -> Bool {
    type == Int.self || type == Double.self || numbers.contains { $0 == type }
  }

  private static let numbers: [any Any.Type] = [
    Float.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self,
    UInt16.self,
    UInt32.self, UInt64.self, UInt128.self,
  ]
}

/// The names of the cases of an enum that is `CaseIterable` and has no raw values.
enum CaseNames {
  static func of(_ type: any Any.Type) -> [String]? {
    (type as? any CaseIterable.Type).flatMap { cases(of: $0)?.map(\.name) }
  }

  static func value<Value>(_ name: String, of type: Value.Type) -> Value? {
    guard let type = type as? any CaseIterable.Type else { return nil }
    return cases(of: type)?.first { $0.name == name }?.value as? Value
  }

  private static func cases<Cases: CaseIterable>(of type: Cases.Type) -> [(name: String, value: Any)]? {
    guard !(type is any RawRepresentable.Type) else { return nil }
    let cases = type.allCases.map { (name: "\($0)", value: $0 as Any) }
    guard let first = cases.first, Mirror(reflecting: first.value).displayStyle == .enum else { return nil }
    return cases
  }
}
