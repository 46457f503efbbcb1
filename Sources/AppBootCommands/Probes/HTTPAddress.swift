/// An http or https URL, split into the parts that a request needs (RFC 9110, 4.2).
struct HTTPAddress: Sendable, Hashable {
  let isSecure: Bool
  let address: HostPort
  /// The value of the field `Host`.
  let authority: String
  /// The path and the query.
  let target: String
  /// The whole URL.
  let url: String

  /// Parses a URL; returns `nil` if it has another scheme, a user, or a character that URLs do not allow.
  init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    guard isPlain, let (scheme, rest) = URLParts.split(text), ["http", "https"].contains(scheme) else {
      return nil
    }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let isSecure = scheme == "https"
    guard let address = HostPort(String(authority), defaultPort: isSecure ? 443 : 80),
      !authority.contains("@")
    else { return nil }
    let target = rest.dropFirst(authority.count).prefix { $0 != "#" }
    (self.isSecure, self.address, self.authority) = (isSecure, address, String(authority))
    self.target = target.hasPrefix("/") ? String(target) : "/" + target
    url = text
  }

  /// The URL without its query, which may hold a secret.
  var shown: String {
    String(url.prefix { $0 != "?" && $0 != "#" })
  }
}
