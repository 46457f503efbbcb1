/// A type whose values a manifest can have, and so the type of a `@Parameter`.
///
/// A `CaseIterable` enum needs only the conformance, and a ``ParameterGroup`` only its parameters. Any other type needs
/// a conversion from text, or from another type (``ParameterType/map(_:placeholder:_:)``):
///
/// ```swift
/// enum Quality: String, CaseIterable, ParameterValue { case low, high }
///
/// extension Region: @retroactive ParameterValue {
///   public static var parameterType: ParameterType<Region> {
///     .text("a region like \"eu-central\"", placeholder: Region(name: "")) { Region(name: $0) }
///   }
/// }
/// ```
public protocol ParameterValue: Sendable {
  /// The representation of the type's values in a manifest.
  static var parameterType: ParameterType<Self> { get }
}

/// A description of how a manifest represents the values of a type: their schema, and the conversions from and to JSON.
public struct ParameterType<Value: Sendable>: Sendable {
  /// A function that returns the schema. `outer` lists the groups that contain the value.
  ///
  /// A group inside itself has the schema ``ParameterSchema/any``, because its exact schema would be infinite.
  package let schema: @Sendable (_ outer: [ObjectIdentifier]) -> ParameterSchema
  /// The value of a required parameter until it is set.
  let placeholder: @Sendable () -> Value
  /// A function that returns a value as JSON, for the defaults in help and schema; `nil` if JSON cannot represent it.
  let json: @Sendable (Value) -> String?
  /// A function that reads a value from JSON; it returns `nil` if the JSON is invalid.
  ///
  /// It may report the mistake itself. Otherwise the message comes from the schema.
  package let read: @Sendable (_ json: JSONValue, _ reader: inout ParameterReader) -> Value?
  /// A function that returns whether a value is, or contains, a group with a required parameter that has no value.
  package let isIncomplete: @Sendable (Value) -> Bool

  package init(
    schema: @escaping @Sendable (_ outer: [ObjectIdentifier]) -> ParameterSchema,
    placeholder: @escaping @Sendable @autoclosure () -> Value,
    json: @escaping @Sendable (Value) -> String? = { _ in nil },
    isIncomplete: @escaping @Sendable (Value) -> Bool = { _ in false },
    read: @escaping @Sendable (_ json: JSONValue, _ reader: inout ParameterReader) -> Value?
  ) {
    (self.schema, self.placeholder) = (schema, placeholder)
    (self.json, self.isIncomplete, self.read) = (json, isIncomplete, read)
  }

  /// Creates the description of a type that contains no groups.
  package init(
    _ schema: @escaping @Sendable @autoclosure () -> ParameterSchema,
    placeholder: @escaping @Sendable @autoclosure () -> Value,
    json: @escaping @Sendable (Value) -> String? = { _ in nil },
    read: @escaping @Sendable (_ json: JSONValue, _ reader: inout ParameterReader) -> Value?
  ) {
    self.init(schema: { _ in schema() }, placeholder: placeholder(), json: json, read: read)
  }

  /// Returns the description of a type whose values are written as strings, for example of a URL.
  ///
  /// A `Numeric` type can also be written as a number, and is made from its exact text.
  ///
  /// - Parameters:
  ///   - description: The words for a valid string in errors and help: `a URL such as "https://example.com"`.
  ///   - placeholder: The value of a required parameter until it is set.
  ///   - make: A function that makes a value from its text; it returns `nil` for an invalid string.
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

  /// Returns the description of a type whose values are made from values of this type, for example from a number.
  ///
  /// ```swift
  /// UInt16.parameterType.map("a port from 1 to 65535", placeholder: Port(80)) { Port($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - description: The words for a valid value in errors, for example `a port from 1 to 65535`.
  ///   - placeholder: The value of a required parameter until it is set.
  ///   - make: A function that makes a value; it returns `nil` for an invalid one.
  public func map<New: Sendable>(
    _ description: String, placeholder: @escaping @Sendable @autoclosure () -> New,
    _ make: @escaping @Sendable (Value) -> New?
  ) -> ParameterType<New> {
    ParameterType<New>(
      schema: schema, placeholder: placeholder(),
      isIncomplete: { ($0 as? any ParameterGroup).map(ParameterProperties.isIncomplete) ?? false }
    ) { json, reader in
      let before = reader.mistakeCount
      // A list or a group with a mistake has placeholders.
      guard let value = read(json, &reader), reader.mistakeCount == before else { return nil }
      return make(value) ?? reader.reject("must be \(description)", json)
    }
  }

  /// The type of arrays of these values.
  package var list: ParameterType<[Value]> {
    ParameterType<[Value]>(
      schema: { .array(schema($0)) }, placeholder: [], json: { $0.map(json).asJSON("[", "]") },
      isIncomplete: { $0.contains(where: isIncomplete) }
    ) { json, reader in
      guard json.kind == .array else { return nil }
      var elements: [Value] = []
      for (index, element) in json.elements.enumerated() {
        elements.append(reader.read(self, element, at: .index(index)) ?? placeholder())
      }
      return elements
    }
  }

  /// The type of one of these values, or of a list of at least one.
  package var oneOrMore: ParameterType<[Value]> {
    let list = nonEmptyList
    return ParameterType<[Value]>(
      schema: { .anyOf([schema($0), list.schema($0)]) }, placeholder: [], isIncomplete: list.isIncomplete
    ) { json, reader in
      json.kind == .array ? list.read(json, &reader) : read(json, &reader).map { [$0] }
    }
  }
}

extension ParameterValue where Self: CaseIterable {
  /// The cases of an enum, written by their names.
  public static var parameterType: ParameterType<Self> { cases(Array(allCases)) { "\($0)" } }
}

extension ParameterValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// The cases of an enum, written as their raw values.
  public static var parameterType: ParameterType<Self> { cases(Array(allCases)) { $0.rawValue } }
}

extension ParameterValue
where Self: CaseIterable & RawRepresentable, RawValue: FixedWidthInteger & ParameterValue {
  /// The cases of an enum, written as their raw values.
  public static var parameterType: ParameterType<Self> {
    let cases = Array(allCases)
    let numbers = cases.map { "\($0.rawValue)" }.joined(separator: ", ")
    let type = RawValue.parameterType
    return ParameterType(schema: type.schema, placeholder: cases[0], json: { type.json($0.rawValue) }) {
      json, reader in
      guard let number = type.read(json, &reader) else { return nil }
      return cases.first { $0.rawValue == number } ?? reader.reject("must be one of \(numbers)", json)
    }
  }
}

extension ParameterValue where Self: CaseIterable {
  fileprivate static func cases(
    _ cases: [Self], _ name: @escaping @Sendable (Self) -> String
  ) -> ParameterType<Self> {
    ParameterType(
      .enumeration(cases.map(name)), placeholder: cases[0], json: { name($0).asJSON },
      read: { json, _ in cases.first { json.isString(name($0)) } })
  }
}

// The types of the standard library and of AppBoot that a parameter can have.

extension String: ParameterValue {
  /// A string.
  public static var parameterType: ParameterType<String> {
    ParameterType(.string, placeholder: "", json: { $0.asJSON }, read: { $1.text($0) })
  }
}

extension Bool: ParameterValue {
  /// `true` or `false`.
  public static var parameterType: ParameterType<Bool> {
    ParameterType(.boolean, placeholder: false, json: { "\($0)" }, read: { json, _ in json.bool })
  }
}

extension Double: ParameterValue {
  /// A number.
  public static var parameterType: ParameterType<Double> {
    ParameterType(
      .number, placeholder: 0, json: { $0.isFinite ? "\($0)" : nil }, read: { json, _ in try? json.double() })
  }
}

extension Float: ParameterValue {
  /// A number in the range of `Float`.
  public static var parameterType: ParameterType<Float> {
    ParameterType(.number, placeholder: 0, json: { $0.isFinite ? "\($0)" : nil }) { json, reader in
      guard let number = try? json.double() else { return nil }
      return Float(number).isFinite ? Float(number) : reader.reject("is out of range", json)
    }
  }
}

extension Duration: ParameterValue {
  /// A string such as `250ms`.
  public static var parameterType: ParameterType<Duration> {
    ParameterType(.duration, placeholder: .zero, json: { DurationText.exact($0).asJSON }) {
      json, reader in reader.text(json).flatMap { try? DurationText.parse($0) }
    }
  }
}

extension ParameterValue where Self: FixedWidthInteger {
  /// A whole number in the range of the type, and from `Int64.min` to `UInt64.max`.
  public static var parameterType: ParameterType<Self> {
    ParameterType(
      .integer(minimum: Int64(clamping: min), maximum: UInt64(clamping: max)), placeholder: 0,
      json: { "\($0)" }
    ) { json, _ in try? json.integer() }
  }
}

extension Int: ParameterValue {}
extension Int8: ParameterValue {}
extension Int16: ParameterValue {}
extension Int32: ParameterValue {}
extension Int64: ParameterValue {}
extension UInt: ParameterValue {}
extension UInt8: ParameterValue {}
extension UInt16: ParameterValue {}
extension UInt32: ParameterValue {}
extension UInt64: ParameterValue {}

extension FailurePolicy: ParameterValue {}

extension LaunchReason: ParameterValue {}

extension Optional: ParameterValue where Wrapped: ParameterValue {
  /// A value, or `null`.
  public static var parameterType: ParameterType<Wrapped?> {
    let type = Wrapped.parameterType
    return ParameterType(
      schema: { .optional(type.schema($0)) }, placeholder: nil,
      json: { $0.flatMap(type.json) }, isIncomplete: { $0.map(type.isIncomplete) ?? false }
    ) { json, reader in
      if json.isNull { return .some(nil) }
      return type.read(json, &reader).map { .some($0) }
    }
  }
}

extension Array: ParameterValue where Element: ParameterValue {
  /// An array. A wrong element becomes the placeholder of its type, so that the others are checked.
  public static var parameterType: ParameterType<[Element]> { Element.parameterType.list }
}

extension Set: ParameterValue where Element: ParameterValue {
  /// An array.
  public static var parameterType: ParameterType<Set<Element>> {
    let type = [Element].parameterType
    return ParameterType(
      schema: type.schema, placeholder: [],
      // The order of a set differs between processes. Help and schema must not change.
      json: {
        let elements = $0.compactMap(Element.parameterType.json)
        return elements.count < $0.count ? nil : "[\(elements.sorted().joined(separator: ", "))]"
      },
      read: { json, reader in type.read(json, &reader).map(Set.init) })
  }
}

extension Dictionary: ParameterValue where Key == String, Value: ParameterValue {
  /// An object. A wrong value becomes the placeholder of its type, so that the others are checked.
  public static var parameterType: ParameterType<[String: Value]> {
    let type = Value.parameterType
    return ParameterType(
      schema: { .dictionary(type.schema($0)) }, placeholder: [:],
      json: { values in
        let members = values.keys.sorted().map { key in
          values[key].flatMap(type.json).map { "\(key.asJSON): \($0)" }
        }
        return members.asJSON("{", "}")
      },
      isIncomplete: { $0.values.contains(where: type.isIncomplete) }
    ) { json, reader in
      guard json.kind == .object else { return nil }
      var values: [String: Value] = [:]
      for (key, value) in json.members {
        values[key.string] = reader.read(type, value, at: .key(key.string)) ?? type.placeholder()
      }
      return values
    }
  }
}

extension [String?] {
  /// Returns JSON values between brackets; `nil` if JSON cannot represent one of them.
  func asJSON(_ opening: String, _ closing: String) -> String? {
    contains(nil) ? nil : opening + compactMap(\.self).joined(separator: ", ") + closing
  }
}

extension JSONValue: ParameterValue {
  /// Any JSON value. Placeholders in its strings are not replaced.
  package static var parameterType: ParameterType<JSONValue> {
    ParameterType(.any, placeholder: null, read: { json, _ in json })
  }
}
