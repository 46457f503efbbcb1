package import AppBoot

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
    return .text(URLParts.decoded(text))
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
