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
    ParameterType(
      .anyOf([Element.parameterSchema, .nonEmpty(.array(Element.parameterSchema))]),
      placeholder: OneOrMore([])
    ) { json, reader in
      guard json.kind == .array else {
        return reader.value(json, as: Element.self).map { OneOrMore([$0]) }
      }
      guard let list = reader.value(json, as: [Element].self) else { return nil }
      return list.isEmpty ? reader.reject("name at least one value", json) : OneOrMore(list)
    }
  }
}
