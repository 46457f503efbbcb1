import AppBoot

/// An http or https URL, split into the parts that a request needs (RFC 9110, 4.2).
struct HTTPAddress: Sendable, Hashable {
  let isSecure: Bool
  let address: HostPort
  /// The host, and the port if the URL has one: the value of the header field `Host`.
  let authority: String
  /// The path and the query, as the first line of the request has them.
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

  /// Parses a URL.
  ///
  /// - Throws: ``HTTPAddressError`` if it has another scheme, a user, or a character that URLs do not allow.
  init(parsing text: String) throws(HTTPAddressError) {
    guard let address = HTTPAddress(text) else { throw HTTPAddressError(text: text) }
    self = address
  }

  /// The URL without its query, for messages. The query may contain a secret.
  var shown: String {
    String(url.prefix { $0 != "?" && $0 != "#" })
  }
}

extension HTTPAddress {
  /// The schema of a URL in a manifest. It also allows a text with a variable, which may contain any part of the URL.
  static var schema: ParameterSchema {
    .pattern(
      #"^([Hh][Tt][Tt][Pp][Ss]?://[!#-\[\]-~]+|[\s\S]*\{env\.[\s\S]*)$"#,
      describedAs: "an http or https URL such as \"http://127.0.0.1:8080/health\"")
  }

  /// Returns an error message for an invalid URL of a manifest; `nil` if it is valid or contains a variable.
  static func problem(with text: String) -> String? {
    if let problem = TextParameter.problem(with: text) { return problem }
    guard TextParameter.isFixed(text), HTTPAddress(text) == nil else { return nil }
    return HTTPAddressError(text: text).description
  }
}

/// An error that reports that a text is not an http or https URL.
struct HTTPAddressError: Error, Sendable, Hashable, CustomStringConvertible {
  let text: String

  /// The error message: the problem and its fix.
  var description: String {
    "\"\(text)\" is not an http or https URL: write one as in \"http://127.0.0.1:8080/health\", without a user"
  }
}
