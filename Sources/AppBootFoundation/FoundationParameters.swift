public import AppBoot
public import Foundation

extension URL: ParameterValue {
  /// A URL as text, without characters that must be encoded.
  public static var parameterType: ParameterType<URL> {
    .text(
      "a URL like \"https://example.com\", with spaces and non-ASCII characters percent-encoded",
      placeholder: URL(filePath: "/")
    ) { URL(string: $0, encodingInvalidCharacters: false) }
  }
}

extension Date: ParameterValue {
  /// A time in the format of RFC 3339, or a day, which means its start in UTC.
  ///
  /// A leap second is the start of the next minute.
  public static var parameterType: ParameterType<Date> {
    .text(
      "a time with its zone like \"2026-01-31T08:00:00Z\", or a day like \"2026-01-31\"",
      placeholder: .distantPast
    ) { text in
      let form =
        #/
        (.{10})
        (?:[Tt\ ]([01][0-9]|2[0-3]):([0-5][0-9]):((?:[0-5][0-9]|60)(?:\.[0-9]+)?)
        (?:[Zz]|([+\-])([01][0-9]|2[0-3]):([0-5][0-9])))?
        /#
      let style = Date.ISO8601FormatStyle().year().month().day()
      // Foundation also parses days that do not exist, and ignores text after the day.
      guard let match = text.wholeMatch(of: form), let day = try? style.parse(String(match.1)),
        style.format(day) == match.1
      else { return nil }
      let number = { (digits: Substring?) in digits.flatMap { Double($0) } ?? 0 }
      let offset = (60 * number(match.6) + number(match.7)) * (match.5 == "-" ? -60 : 60)
      let minute = 3600 * number(match.2) + 60 * number(match.3) - offset
      let seconds = number(match.4)
      // A leap second ends a day in UTC.
      guard seconds < 60 || (minute + 60).remainder(dividingBy: 86_400) == 0 else { return nil }
      return day + minute + seconds
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
  /// The exact text of a number. More digits than a `Decimal` can have are an error.
  public static var parameterType: ParameterType<Decimal> {
    .text("a decimal number like \"19.99\" with at most 38 digits", placeholder: 0) { text in
      func digits(_ number: String) -> String {
        number.prefix { !"eE".contains($0) }.filter(\.isNumber).trimmingCharacters(in: ["0"])
      }
      // Foundation ignores text after the number, and drops digits.
      guard text.allSatisfy("+-.0123456789eE".contains), Double(text) != nil,
        let value = Decimal(string: text), digits("\(value)") == digits(text)
      else { return nil }
      return value
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

extension StateStore {
  /// Returns a value from the JSON under a name; `nil` if nothing is stored.
  ///
  /// - Throws: `DecodingError`; an error if the bytes exist but cannot be read.
  public func value<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
    try read(name).map { try JSONDecoder().decode(type, from: Data($0)) }
  }

  /// Stores a value as JSON under a name. After an error, the previous bytes remain.
  ///
  /// - Throws: `EncodingError`; an error if the bytes cannot be stored.
  public func write(_ name: String, value: some Encodable) throws {
    try write(name, [UInt8](try JSONEncoder().encode(value)))
  }
}

extension LaunchOptions {
  /// The URL to open; `nil` without a URL, or for a text that Foundation does not accept.
  public var foundationURL: URL? { url.flatMap { URL(string: $0) } }

  /// Returns the payload, which is JSON, as a value; `nil` if there is no payload.
  ///
  /// - Throws: `DecodingError`.
  public func payload<Value: Decodable>(as type: Value.Type) throws -> Value? {
    try payload.map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
  }
}
