package import AppBoot

/// A list of values that a manifest writes as one value or as a list.
package struct OneOrMore<Element: ParameterValue>: Sendable {
  /// The values. A list from a manifest has at least one.
  package let values: [Element]

  /// Creates a list of values.
  package init(_ values: [Element]) { self.values = values }
}

extension OneOrMore: Equatable where Element: Equatable {}
extension OneOrMore: Hashable where Element: Hashable {}

extension OneOrMore: ParameterValue {
  /// A value, or a list of values.
  package static var parameterType: ParameterType<OneOrMore> {
    let list = Element.parameterType.oneOrMore
    return ParameterType(list.schema([]), placeholder: OneOrMore([])) { json, reader in
      list.read(json, &reader).map { OneOrMore($0) }
    }
  }
}

extension ParameterGroup {
  /// Returns the type of an object with the group's parameters, or of the value of one parameter in its place.
  ///
  /// - Parameter name: The parameter. Its values that are objects have no short form.
  package static func parameterType(orOnly name: String) -> ParameterType<Self> {
    let object = objectType
    let short: @Sendable ([ObjectIdentifier]) -> ParameterSchema? = { outer in
      ParameterProperties.fields(of: Self(), inside: outer).first { $0.name == name }?.schema.withoutObjects
    }
    return ParameterType(
      schema: { outer in
        short(outer).map { .anyOf([$0, object.schema(outer)]) } ?? object.schema(outer)
      }, placeholder: Self(), isIncomplete: object.isIncomplete
    ) { json, reader in
      if json.kind == .object { return reader.group(json) }
      guard short([])?.accepts(json.kind) == true else { return nil }
      return reader.group(json.wrapped(in: name))
    }
  }
}

extension ParameterSchema {
  /// The schema without `null`, and without the alternatives that are objects.
  fileprivate var withoutObjects: ParameterSchema {
    switch self {
    case .optional(let wrapped): return wrapped.withoutObjects
    case .anyOf(let shapes):
      let others = shapes.filter { !$0.accepts(.object) }
      return others.count == 1 ? others[0] : .anyOf(others)
    default: return self
    }
  }
}

extension ParameterType {
  /// Returns the description of a type with a schema of its own, whose values are written as strings.
  ///
  /// - Parameter make: A function that makes a value from its text. The description of its error is the message.
  package static func text<Failure: Error>(
    _ schema: ParameterSchema, placeholder: @escaping @Sendable @autoclosure () -> Value,
    parsing make: @escaping @Sendable (String) throws(Failure) -> Value
  ) -> ParameterType {
    ParameterType(schema, placeholder: placeholder()) { json, reader in
      guard let text = reader.text(json) else { return nil }
      do {
        return try make(text)
      } catch {
        return reader.reject("\(error)", json)
      }
    }
  }
}
