/// A value with its place in a manifest.
struct Located<Value: Sendable>: Sendable {
  let value: Value
  let range: SourceRange
}

// The types of values in a manifest that are not parameters.

extension ParameterType {
  /// The type of values with their places.
  var located: ParameterType<Located<Value>> {
    ParameterType<Located<Value>>(
      schema: schema, placeholder: Located(value: placeholder(), range: SourceRange(0, 0))
    ) { json, reader in
      read(json, &reader).map { Located(value: $0, range: json.range) }
    }
  }

  /// The type of lists of at least one value.
  var nonEmptyList: ParameterType<[Value]> {
    let list = list
    return ParameterType<[Value]>(schema: { .nonEmpty(list.schema($0)) }, placeholder: []) { json, reader in
      guard let values = list.read(json, &reader) else { return nil }
      return values.isEmpty ? reader.reject("must have at least one value", json) : values
    }
  }

  /// Returns the type of objects with these keys.
  ///
  /// - Parameter new: The value before a key is read.
  static func object(
    _ keys: [ParameterKey<Value>], new: Value, unknown: ObjectKeys.Unknown? = nil
  ) -> ParameterType {
    ParameterType(.object(keys.map(\.field)), placeholder: new) { json, reader in
      reader.object(json, keys, into: new, unknown: unknown)
    }
  }
}

extension ParameterType where Value == String {
  /// Returns the type of strings for a system call, which would end at a zero byte.
  static func systemText(
    _ pattern: String = #"^(?![\s\S]*\x00)[\s\S]+"#, isEmptyAllowed: Bool = false
  ) -> ParameterType {
    ParameterType(.pattern(pattern, describedAs: "a string"), placeholder: "") { json, reader in
      guard let text = reader.text(json) else { return nil }
      if text.isEmpty, !isEmptyAllowed { return reader.reject("must not be empty", json) }
      return text.utf8.contains(0) ? reader.reject("must not contain a zero byte", json) : text
    }
  }

  /// The type of strings with at least one character.
  static var nonEmptyText: ParameterType {
    ParameterType(.nonEmpty(.string), placeholder: "") { json, reader in
      guard let text = reader.text(json) else { return nil }
      return text.isEmpty ? reader.reject("must not be empty", json) : text
    }
  }

  /// Returns the type of the strings of a list.
  static func text(among names: [String]) -> ParameterType {
    ParameterType(.enumeration(names), placeholder: "") { json, reader in
      reader.text(json).flatMap { names.contains($0) ? $0 : nil }
    }
  }
}

extension ParameterType where Value == Int {
  /// Returns the type of whole numbers in a range.
  static func integer(_ range: ClosedRange<Int>) -> ParameterType {
    ParameterType(
      .integer(minimum: Int64(range.lowerBound), maximum: UInt64(range.upperBound)),
      placeholder: range.lowerBound
    ) { json, _ in
      (try? json.integer(as: Int.self)).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ParameterType where Value == Duration {
  /// The type of durations greater than zero.
  static var timeout: ParameterType {
    ParameterType(.timeout, placeholder: .zero) { json, reader in
      guard let timeout = Duration.parameterType.read(json, &reader) else { return nil }
      return timeout > .zero
        ? timeout : reader.reject("must be greater than zero", json, help: "remove it for no timeout")
    }
  }
}

extension ParameterType where Value == JSONValue {
  /// Returns the type of JSON values of a kind that are read later.
  static func later(
    _ schema: ParameterSchema, _ kind: JSONValue.Kind, _ description: String, help: String? = nil
  ) -> ParameterType {
    ParameterType(schema, placeholder: JSONValue.parameterType.placeholder()) { json, reader in
      if json.kind == kind { return json }
      reader.unknownValues.append(json)
      return reader.reject("must be \(description), not \(json.kind)", json, help: help)
    }
  }
}
