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
