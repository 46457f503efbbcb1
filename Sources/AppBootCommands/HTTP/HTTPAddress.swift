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
      #"^([Hh][Tt][Tt][Pp][Ss]?://[!#-\[\]-~]+|[\s\S]*\{(env\.|service\.|port)[\s\S]*)$"#,
      describedAs: "an http or https URL such as \"http://127.0.0.1:8080/health\"")
  }

  /// Returns an error message for an invalid URL of a manifest; `nil` if it is valid or contains a variable.
  static func problem(with text: String, hasPorts: Bool = false) -> String? {
    if let problem = TextParameter.problem(with: text, hasPorts: hasPorts) { return problem }
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

/// A TCP address in a manifest, for example `localhost:80` or `[::1]:80`.
struct HostPort: Sendable, Hashable, CustomStringConvertible {
  /// The host name or the IP address, without brackets.
  let host: String
  let port: UInt16

  /// Parses an address; returns `nil` for invalid text.
  ///
  /// - Parameter defaultPort: The port for a text without a port; `nil` if the text must have a port.
  init?(_ text: String, defaultPort: UInt16? = nil) {
    let isBracketed = text.hasPrefix("[")
    let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex
    guard let end else { return nil }
    let host = text[..<end].dropFirst(isBracketed ? 1 : 0)
    let rest = text[end...].dropFirst(isBracketed ? 1 : 0)
    let isPlain = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    guard !host.isEmpty, isPlain, let port = Self.port(rest, defaultPort) else { return nil }
    (self.host, self.port) = (String(host), port)
  }

  private static func port(_ text: Substring, _ defaultPort: UInt16?) -> UInt16? {
    guard !text.isEmpty else { return defaultPort }
    return text.hasPrefix(":") ? port(text.dropFirst()) : nil
  }

  /// Returns the port that a text of digits represents, from 1 to 65535; `nil` for any other text.
  static func port(_ digits: some StringProtocol) -> UInt16? {
    guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return UInt16(digits).flatMap { $0 == 0 ? nil : $0 }
  }

  /// True if the host is this machine by a fixed name or address (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
  var isLocal: Bool {
    let name = host.lowercased()
    let isNumeric = name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || ($0 >= 0x30 && $0 <= 0x39) }
    return ["localhost", "::1", "0.0.0.0"].contains(name) || name.hasSuffix(".localhost")
      || (isNumeric && name.hasPrefix("127."))
  }

  /// The address as it is written in a manifest, with brackets around an IPv6 address.
  var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// A namespace for the header fields of HTTP requests in a manifest (RFC 9110, 5).
enum HTTPHeader {
  /// The schema of a header field's name.
  static var nameSchema: ParameterSchema {
    .pattern(#"^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$"#, describedAs: "a header's name")
  }

  /// The schema of a header field's value.
  static var valueSchema: ParameterSchema {
    .pattern(#"^(?![\s\S]*[\x00-\x08\x0A-\x1F\x7F])"#, describedAs: "a string")
  }

  /// The header fields that follow from the body and from the connection, in lower case.
  static let ofMessage = ["connection", "content-length", "transfer-encoding"]

  /// Returns an error message for an invalid header field in a manifest; `nil` if it is valid.
  ///
  /// - Parameter template: The field's value, which may hold placeholders.
  static func problem(with name: String, _ template: String) -> String? {
    if !isValid(name, template) { return HeaderError(name: name).description }
    return template.isEmpty ? nil : TextParameter.problem(with: template)
  }

  /// Returns the header fields with their placeholders `{env.NAME}` replaced by the variables' values.
  ///
  /// - Throws: `PlaceholderError` for a variable that is not set; `HeaderError` for a value that HTTP does not allow.
  static func fields(
    _ headers: [String: String], in context: LaunchContext
  ) throws -> [(name: String, value: String)] {
    try headers.sorted { $0.key < $1.key }.map { name, template in
      let value = try TextParameter.value(of: template, in: context)
      guard isValid(name, value) else { throw HeaderError(name: name) }
      return (name: name, value: value)
    }
  }

  /// Returns true if the name is a token (RFC 9110, 5.1) and the value has no control characters (5.5).
  static func isValid(_ name: String, _ value: String) -> Bool {
    let isToken = name.allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
    }
    return !name.isEmpty && isToken && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }
}

extension ParameterValidation {
  /// Rejects header fields of a parameter that are invalid in HTTP. Each error is reported at its field.
  mutating func checkHeaders(_ headers: [String: String], at place: Place) {
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      if let problem = HTTPHeader.problem(with: name, value) { reject(problem, at: place, .key(name)) }
    }
  }

  /// Rejects header fields of a request that are invalid in HTTP, or that follow from its body and its connection.
  mutating func checkRequestHeaders(_ headers: [String: String], at place: Place) {
    checkHeaders(headers, at: place)
    for name in headers.keys.sorted() where HTTPHeader.ofMessage.contains(name.lowercased()) {
      reject("this header follows from the body and the connection: remove it", at: place, .key(name))
    }
  }
}

/// An error for a header field whose name or value HTTP does not allow. It does not show the value.
struct HeaderError: Error, Sendable, Hashable, CustomStringConvertible {
  let name: String

  var description: String {
    "the header \"\(name)\" is not allowed in HTTP: a name is letters, digits and any of !#$%&'*+-.^_`|~, "
      + "and a value is one line without control characters"
  }
}
