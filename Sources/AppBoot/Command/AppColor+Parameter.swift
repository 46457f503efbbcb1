extension AppColor: ParameterSchemaProviding {
  package static var parameterSchema: ParameterSchema {
    .pattern("^#[0-9A-Fa-f]{6}$", describedAs: "a colour such as \"#0A84FF\"")
  }
}

extension AppColor: Decodable {
  /// Decodes `#RRGGBB`.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let color = AppColor(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\"\(text)\" is not a colour: write # and six hexadecimal digits, as in \"#0A84FF\""
      )
    }
    self = color
  }
}
