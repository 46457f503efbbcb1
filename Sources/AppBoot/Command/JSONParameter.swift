/// A parameter that takes any JSON value.
package struct JSONParameter: Sendable {
  /// The value in the manifest.
  package let value: JSONValue
}

extension JSONParameter: Decodable {
  /// Decodes the value without conversion.
  ///
  /// - Throws: `DecodingError` for a decoder that does not read a manifest.
  package init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? ParameterDecoder else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "only a manifest has it"))
    }
    value = try decoder.required()
    decoder.readAll()
  }
}

extension JSONParameter: ParameterSchemaProviding {
  package static var parameterSchema: ParameterSchema { .any }
}
