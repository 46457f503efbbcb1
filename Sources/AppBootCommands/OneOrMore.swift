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
