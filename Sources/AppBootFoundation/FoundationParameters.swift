public import AppBoot
public import Foundation

extension URL: ExpressibleByParameter, ParameterPlaceholderProviding {
  /// The value of a required parameter that has not been read.
  public static var parameterPlaceholder: URL { URL(filePath: "/") }

  /// Creates a URL from its text; `nil` for a text with characters that must be encoded.
  public init?(parameter text: String) { self.init(string: text, encodingInvalidCharacters: false) }

  /// The words for a URL in errors and help.
  public static var parameterDescription: String { "a URL like \"https://example.com\"" }
}

extension Date: ExpressibleByParameter, ParameterPlaceholderProviding {
  /// The value of a required parameter that has not been read.
  public static var parameterPlaceholder: Date { .distantPast }

  /// Creates a date from a time in the format of RFC 3339, or from a day.
  public init?(parameter text: String) {
    let formats: [Date.ISO8601FormatStyle] = [
      .iso8601, Date.ISO8601FormatStyle(includingFractionalSeconds: true), .iso8601.year().month().day(),
    ]
    for format in formats {
      guard let date = try? Date(text, strategy: format) else { continue }
      self = date
      return
    }
    return nil
  }

  /// The words for a date in errors and help.
  public static var parameterDescription: String {
    "a time like \"2026-01-31T08:00:00Z\" or a day like \"2026-01-31\""
  }
}

extension Data: ExpressibleByParameter, ParameterPlaceholderProviding {
  /// The value of a required parameter that has not been read.
  public static var parameterPlaceholder: Data { Data() }

  /// Creates data from its Base64 text.
  public init?(parameter text: String) { self.init(base64Encoded: text) }

  /// The words for data in errors and help.
  public static var parameterDescription: String { "Base64 like \"aGVsbG8=\"" }
}

extension Decimal: ExpressibleByParameter, ParameterPlaceholderProviding {
  /// The value of a required parameter that has not been read.
  public static var parameterPlaceholder: Decimal { 0 }

  /// Creates a number from its exact text.
  public init?(parameter text: String) { self.init(string: Double(text) == nil ? "" : text) }

  /// The words for a number in errors and help.
  public static var parameterDescription: String { "a decimal number like \"19.99\"" }
}

extension UUID: ExpressibleByParameter, ParameterPlaceholderProviding {
  /// The value of a required parameter that has not been read.
  public static var parameterPlaceholder: UUID { UUID() }

  /// Creates an identifier from its 36 characters.
  public init?(parameter text: String) { self.init(uuidString: text) }

  /// The words for an identifier in errors and help.
  public static var parameterDescription: String {
    "a UUID like \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
  }
}
