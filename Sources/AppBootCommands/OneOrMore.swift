package import AppBoot

/// Values in a manifest, written as one value or a list.
package struct OneOrMore<Element: Decodable & Sendable>: Decodable, Sendable {
  /// The values; at least one from a manifest.
  package let values: [Element]

  /// Creates a list of values.
  package init(_ values: [Element]) { self.values = values }

  /// Decodes one value or a list.
  ///
  /// - Throws: `DecodingError`, also for an empty list.
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
