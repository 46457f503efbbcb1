/// A type whose values a manifest can have, and so the type of a `@Parameter`.
///
/// A `CaseIterable` enum needs no code, and a ``ParameterGroup`` only its parameters. A type of another module needs a
/// way from text to a value:
///
/// ```swift
/// enum Quality: String, CaseIterable, ParameterValue { case low, high }
///
/// extension Region: @retroactive ParameterValue {
///   static var parameterType: ParameterType<Region> {
///     .text("a region like \"eu-central\"", placeholder: Region(name: "")) { Region(name: $0) }
///   }
/// }
/// ```
public protocol ParameterValue: Sendable {
  /// The form of the type's values in a manifest.
  static var parameterType: ParameterType<Self> { get }
}

/// The form of a type's values in a manifest: their schema, and the way from JSON to a value and back.
public struct ParameterType<Value: Sendable>: Sendable {
  /// Returns the schema. `outer` are the groups that contain the value: the schema of a group inside itself is
  /// ``ParameterSchema/any``, because the exact one would be infinite.
  package let schema: @Sendable (_ outer: [ObjectIdentifier]) -> ParameterSchema
  /// The value of a required parameter before it is read.
  let placeholder: @Sendable () -> Value
  /// Returns a default as JSON, for help and schema; `nil` if it has no JSON.
  let json: @Sendable (Value) -> String?
  /// Returns the value of JSON; `nil` for wrong JSON. It reports only what the schema cannot find.
  let read: @Sendable (_ json: JSONValue, _ reader: inout ParameterReader) -> Value?

  /// True if a parameter of the type may be missing.
  let isOptional: Bool

  init(
    schema: @escaping @Sendable (_ outer: [ObjectIdentifier]) -> ParameterSchema,
    placeholder: @escaping @Sendable @autoclosure () -> Value, isOptional: Bool = false,
    json: @escaping @Sendable (Value) -> String? = { _ in nil },
    read: @escaping @Sendable (_ json: JSONValue, _ reader: inout ParameterReader) -> Value?
  ) {
    (self.schema, self.placeholder, self.isOptional) = (schema, placeholder, isOptional)
    (self.json, self.read) = (json, read)
  }

  /// Creates the form of a type that contains no groups.
  package init(
    _ schema: ParameterSchema, placeholder: @escaping @Sendable @autoclosure () -> Value,
    json: @escaping @Sendable (Value) -> String? = { _ in nil },
    read: @escaping @Sendable (_ json: JSONValue, _ reader: inout ParameterReader) -> Value?
  ) {
    self.init(schema: { _ in schema }, placeholder: placeholder(), json: json, read: read)
  }

  /// Returns the form of a type whose values are written as text, for example of a URL.
  ///
  /// A `Numeric` type can also be written as a number, and is made from its exact text.
  ///
  /// - Parameters:
  ///   - description: The words for a valid text in errors and help, for example `a URL like "https://example.com"`.
  ///   - placeholder: The value of a required parameter that has not been read.
  ///   - make: A function that makes a value from its text; it returns `nil` for an invalid text.
  public static func text(
    _ description: String, placeholder: @escaping @Sendable @autoclosure () -> Value,
    _ make: @escaping @Sendable (String) -> Value?
  ) -> ParameterType {
    let text = ParameterSchema.pattern("^", describedAs: description)
    let isNumeric = Value.self is any Numeric.Type
    return ParameterType(isNumeric ? .anyOf([text, .number]) : text, placeholder: placeholder()) {
      json, reader in
      guard let text = isNumeric && json.kind == .number ? json.text : reader.text(json) else { return nil }
      if let value = make(text) { return value }
      return reader.reject("must be \(description), not \"\(text.excerpt)\"", json)
    }
  }

  /// Returns the form of a type with a schema of its own, whose values are written as text.
  ///
  /// - Parameter make: A function that makes a value from its text. The description of its error is the message.
  package static func text<Failure: Error>(
    _ schema: ParameterSchema, placeholder: @escaping @Sendable @autoclosure () -> Value,
    json: @escaping @Sendable (Value) -> String? = { _ in nil },
    parsing make: @escaping @Sendable (String) throws(Failure) -> Value
  ) -> ParameterType {
    ParameterType(schema, placeholder: placeholder(), json: json) { json, reader in
      guard let text = reader.text(json) else { return nil }
      do {
        return try make(text)
      } catch {
        return reader.reject("\(error)", json)
      }
    }
  }
}

extension ParameterValue {
  /// The schema of the type's values.
  package static var parameterSchema: ParameterSchema { parameterType.schema([]) }
}

extension ParameterValue where Self: CaseIterable {
  /// The cases of an enum, written by their names.
  public static var parameterType: ParameterType<Self> {
    cases(Array(allCases)) { "\($0)" }
  }
}

extension ParameterValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// The cases of an enum, written as their raw values.
  public static var parameterType: ParameterType<Self> {
    cases(Array(allCases)) { $0.rawValue }
  }
}

extension ParameterValue where Self: CaseIterable {
  fileprivate static func cases(
    _ cases: [Self], _ name: @escaping @Sendable (Self) -> String
  ) -> ParameterType<Self> {
    precondition(!cases.isEmpty, "\(Self.self) has no cases")
    return ParameterType(
      .enumeration(cases.map(name)), placeholder: cases[0], json: { JSONWriter.quoted(name($0)) },
      read: { json, _ in cases.first { json.isString(name($0)) } })
  }
}
