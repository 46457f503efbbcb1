package import AppBoot

/// The http or https URL of a provider, which is the server that registers device tokens.
package struct ProviderURL: Sendable, Hashable {
  /// The URL as written in the manifest.
  package let text: String
  let parts: URLParts

  /// Parses a URL; returns `nil` if it has another scheme, no host, or a character that URLs do not allow.
  package init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    guard isPlain, let parts = URLParts(text), ["http", "https"].contains(parts.scheme), !parts.host.isEmpty
    else { return nil }
    self.text = text
    self.parts = parts
  }

  /// The scheme and the host, for messages. The user, the path and the query may contain a secret.
  package var origin: String { "\(parts.scheme)://\(parts.host)" }
}

extension ProviderURL: ParameterValue {
  /// The URL as text.
  package static var parameterType: ParameterType<ProviderURL> {
    let schema = ParameterSchema.pattern(
      #"^[Hh][Tt][Tt][Pp][Ss]?://[!#-\[\]-~]+$"#,
      describedAs: "an http or https URL such as \"https://push.example.com/devices\"")
    return ParameterType(schema, placeholder: ProviderURL()) { json, reader in
      guard let text = reader.text(json) else { return nil }
      return ProviderURL(text)
        ?? reader.reject(
          "a provider is an http or https URL, as in \"https://push.example.com/devices\"", json)
    }
  }

  private init() { (text, parts) = ("", URLParts()) }
}
