package import AppBoot
import AppBootBase
import AppBootLifecycle

/// A pattern for URLs, such as `notes://note/{id}`.
///
/// The host and each path segment is either a text or a `{placeholder}`, which matches any text that is not empty. A
/// trailing `*` matches any further segments. Scheme and host are case-insensitive.
package struct URLPattern: Sendable, Hashable {
  enum Segment: Sendable, Hashable {
    case text(String)
    case placeholder(String)
  }

  /// The pattern as written in the manifest.
  package let text: String
  let scheme: String
  let host: Segment
  let path: [Segment]
  let isOpen: Bool

  /// Parses a pattern.
  ///
  /// - Throws: ``URLPatternError``.
  package init(_ text: String) throws(URLPatternError) {
    guard let (scheme, rest) = URLParts.split(text) else { throw .noScheme(text) }
    guard !rest.contains("?"), !rest.contains("#") else { throw .query(text) }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    var path = parts.dropFirst().filter { !$0.isEmpty }
    isOpen = path.last == "*"
    if isOpen { path.removeLast() }
    self.text = text
    self.scheme = scheme
    host = try Self.host(parts.first ?? "")
    var segments: [Segment] = []
    for part in path { segments.append(try Self.segment(part)) }
    self.path = segments
    if let twice = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
      throw .placeholderTwice(twice)
    }
  }

  /// The names of the pattern's placeholders, in order.
  var names: [String] { ([host] + path).compactMap(\.name) }

  /// Parses an authority, as ``URLParts`` reads the one of a URL: without its user, and in lower case.
  private static func host(_ authority: Substring) throws(URLPatternError) -> Segment {
    switch try segment(authority) {
    case .text: .text(URLParts.host(of: authority))
    case .placeholder(let name): .placeholder(name)
    }
  }

  private static func segment(_ text: Substring) throws(URLPatternError) -> Segment {
    if text.hasPrefix("{"), text.hasSuffix("}"), text.count > 2 {
      let name = text.dropFirst().dropLast()
      if !name.contains("{"), !name.contains("}") { return .placeholder(String(name)) }
    }
    guard !text.contains(where: { "{}*".contains($0) }) else { throw .segment(String(text)) }
    return .text(text.percentDecoded)
  }

  /// Matches a URL, and returns the values of the placeholders; `nil` if the URL does not match.
  ///
  /// The result also has the items of the URL's query, with the names `query.NAME`.
  func match(_ url: URLParts) -> [String: String]? {
    let fits = isOpen ? url.segments.count >= path.count : url.segments.count == path.count
    guard url.scheme == scheme, fits else { return nil }
    var values = Dictionary(uniqueKeysWithValues: url.query.map { ("query." + $0, $1) })
    for (segment, text) in zip([host] + path, [url.host] + url.segments) {
      switch segment {
      case .text(let expected): if text != expected { return nil }
      case .placeholder(let name):
        if text.isEmpty { return nil }
        values[name] = text
      }
    }
    return values
  }
}

extension URLPattern.Segment {
  fileprivate var name: String? {
    if case .placeholder(let name) = self { name } else { nil }
  }
}

/// An error in the text of a URL pattern.
package enum URLPatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The pattern does not begin with `scheme://`.
  case noScheme(String)
  /// The pattern has a query or a fragment.
  case query(String)
  /// A segment is neither a text nor one placeholder.
  case segment(String)
  /// Two segments have the same placeholder.
  case placeholderTwice(String)

  /// The error message: the problem and its fix.
  package var description: String {
    switch self {
    case .noScheme(let text):
      "\"\(text)\" is not a URL pattern: begin with a scheme, as in \"notes://note/{id}\""
    case .query(let text):
      "\"\(text)\" has a query or a fragment: leave it out; query items are the placeholders {query.NAME}"
    case .segment(let text):
      "\"\(text)\" is neither a text nor one {placeholder}; a \"*\" must be the last segment of the path"
    case .placeholderTwice(let name):
      "the placeholder {\(name)} occurs twice"
    }
  }
}

extension URLPattern: ParameterValue {
  /// A pattern as text.
  package static var parameterType: ParameterType<URLPattern> {
    .text(
      .pattern(
        "^[A-Za-z][A-Za-z0-9+.-]*://[^?#]*$", describedAs: "a URL pattern such as \"notes://note/{id}\""),
      placeholder: URLPattern()
    ) { text throws(URLPatternError) in try URLPattern(text) }
  }

  private init() { (text, scheme, host, path, isOpen) = ("", "", .text(""), [], false) }
}

/// The percent-decoded parts of a URL with an authority, `scheme://host/path?query#fragment` (RFC 3986, 3).
struct URLParts: Sendable, Hashable {
  /// The scheme, in lower case.
  let scheme: String
  /// The host with its port, in lower case; empty in `file:///path`.
  let host: String
  /// The segments of the path, without empty ones.
  let segments: [String]
  /// The first value of each query item, by name. A plus sign stays a plus sign.
  let query: [String: String]

  /// Creates the parts of an empty text.
  init() { (scheme, host, segments, query) = ("", "", [], [:]) }

  /// Parses a URL; returns `nil` for a text without `scheme://`.
  init?(_ text: String) {
    guard let (scheme, rest) = Self.split(text) else { return nil }
    let withoutFragment = rest.prefix { $0 != "#" }
    let hierarchy = withoutFragment.prefix { $0 != "?" }
    let authority = hierarchy.prefix { $0 != "/" }
    self.scheme = scheme
    host = Self.host(of: authority)
    segments = hierarchy.dropFirst(authority.count).split(separator: "/").map(\.percentDecoded)
    query = Self.items(of: withoutFragment.dropFirst(hierarchy.count + 1))
  }

  /// Returns the host and port of an authority, in lower case and without the user.
  static func host(of authority: Substring) -> String {
    authority.drop(through: "@").percentDecoded.lowercased()
  }

  /// Returns the scheme in lower case and the text after `://`; `nil` for a text without `scheme://`.
  static func split(_ text: String) -> (scheme: String, rest: Substring)? {
    guard let scheme = URLText.scheme(of: text) else { return nil }
    let rest = text.dropFirst(scheme.count)
    guard rest.hasPrefix("://") else { return nil }
    return (scheme, rest.dropFirst(3))
  }

  private static func items(of query: Substring) -> [String: String] {
    var items: [String: String] = [:]
    for item in query.split(separator: "&") {
      let name = item.prefix { $0 != "=" }
      let value = item.dropFirst(name.count + 1).percentDecoded
      items[name.percentDecoded] = items[name.percentDecoded] ?? value
    }
    return items
  }
}

extension Substring {
  /// Returns the text after the last occurrence of a character; the whole text if the character does not occur.
  fileprivate func drop(through character: Character) -> Substring {
    lastIndex(of: character).map { self[index(after: $0)...] } ?? self
  }
}

extension StringProtocol {
  /// The text with each `%XX` replaced by its byte. A `%` without two hexadecimal digits stays.
  ///
  /// Invalid UTF-8 in the result is replaced by U+FFFD.
  package var percentDecoded: String {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap(Hexadecimal.value(of:))
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        bytes.append(digits[0] << 4 | digits[1])
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
