package import AppBoot

/// A list of values that a manifest writes as one value or as a list.
package struct OneOrMore<Element: Decodable & Sendable>: Decodable, Sendable {
  /// The values. A list from a manifest has at least one.
  package let values: [Element]

  /// Creates a list of values.
  package init(_ values: [Element]) { self.values = values }

  /// Decodes one value, or a list of values.
  ///
  /// - Throws: `DecodingError` for an invalid value or an empty list.
  package init(from decoder: any Decoder) throws {
    guard let list = try? [Element](from: decoder) else {
      values = [try Element(from: decoder)]
      return
    }
    values = list
    guard list.isEmpty else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "name at least one value"))
  }
}

extension OneOrMore: ParameterSchemaProviding {
  package static var parameterSchema: ParameterSchema {
    let element = ParameterSchema(describing: Element.self)
    return .anyOf([element, .nonEmpty(.array(element))])
  }
}
