/// The value of a parameter that accepts any JSON value.
package struct JSONParameter: Sendable {
  /// The JSON value in the manifest.
  package let value: JSONValue
}

extension JSONParameter: Decodable {
  /// Takes the JSON value without conversion.
  ///
  /// - Throws: `DecodingError` if the decoder does not read a manifest.
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
