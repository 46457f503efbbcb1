public import AppBoot
public import Foundation

extension URL: ParameterValue {
  /// A URL as text, without characters that must be encoded.
  public static var parameterType: ParameterType<URL> {
    .text("a URL like \"https://example.com\"", placeholder: URL(filePath: "/")) {
      URL(string: $0, encodingInvalidCharacters: false)
    }
  }
}

extension Date: ParameterValue {
  /// A time in the format of RFC 3339, or a day.
  public static var parameterType: ParameterType<Date> {
    .text(
      "a time like \"2026-01-31T08:00:00Z\" or a day like \"2026-01-31\"", placeholder: .distantPast
    ) { text in
      let formats: [Date.ISO8601FormatStyle] = [
        .iso8601, Date.ISO8601FormatStyle(includingFractionalSeconds: true), .iso8601.year().month().day(),
      ]
      return formats.lazy.compactMap { try? Date(text, strategy: $0) }.first
    }
  }
}

extension Data: ParameterValue {
  /// Base64.
  public static var parameterType: ParameterType<Data> {
    .text("Base64 like \"aGVsbG8=\"", placeholder: Data()) { Data(base64Encoded: $0) }
  }
}

extension Decimal: ParameterValue {
  /// The exact text of a number.
  public static var parameterType: ParameterType<Decimal> {
    .text("a decimal number like \"19.99\"", placeholder: 0) {
      Decimal(string: Double($0) == nil ? "" : $0)
    }
  }
}

extension UUID: ParameterValue {
  /// The 36 characters of an identifier.
  public static var parameterType: ParameterType<UUID> {
    .text("a UUID like \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"", placeholder: UUID()) {
      UUID(uuidString: $0)
    }
  }
}
