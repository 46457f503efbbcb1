import AppBoot
import AppBootLifecycle

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
    segments = hierarchy.dropFirst(authority.count).split(separator: "/").map(Self.decoded)
    query = Self.items(of: withoutFragment.dropFirst(hierarchy.count + 1))
  }

  /// Returns the host and port of an authority, in lower case and without the user.
  static func host(of authority: Substring) -> String {
    decoded(authority.drop(through: "@")).lowercased()
  }

  /// Returns the scheme in lower case and the text after `://`; `nil` for a text without `scheme://`.
  static func split(_ text: String) -> (scheme: String, rest: Substring)? {
    guard let scheme = URLText.scheme(of: text) else { return nil }
    let rest = text.dropFirst(scheme.count)
    guard rest.hasPrefix("://") else { return nil }
    return (scheme, rest.dropFirst(3))
  }

  /// Returns the text with each `%XX` replaced by its byte. Invalid UTF-8 in the result is replaced by U+FFFD.
  static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.first {
      rest = rest.dropFirst()
      let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        bytes.append(UInt8(digits[0] << 4 | digits[1]))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func items(of query: Substring) -> [String: String] {
    var items: [String: String] = [:]
    for item in query.split(separator: "&") {
      let name = item.prefix { $0 != "=" }
      let value = decoded(item.dropFirst(name.count + 1))
      items[decoded(name)] = items[decoded(name)] ?? value
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
