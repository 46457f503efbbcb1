extension ByteSize: ParameterSchemaProviding {
  package static var parameterSchema: ParameterSchema {
    .pattern(#"^[0-9]+(\.[0-9]+)?([kK]?B|[MGT]B|[KMGT]iB)$"#, describedAs: "a size such as \"10GiB\"")
  }
}

extension ByteSize: Decodable {
  /// Decodes a number with a unit.
  ///
  /// - Throws: `DecodingError` for any other text.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(ByteSizeError) {
      self = try ByteSize(parsing: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }
}

extension ByteSize: ParameterPlaceholderProviding {
  /// The size 0.
  package static var parameterPlaceholder: ByteSize { ByteSize(bytes: 0) }
}
