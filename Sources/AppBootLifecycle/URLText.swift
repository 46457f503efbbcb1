/// A check whether a text has the form of a URL. The app that opens the URL makes all further checks.
package enum URLText {
  /// Returns the scheme in lower case; `nil` if the text has no scheme (RFC 3986, 3.1).
  package static func scheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon]
    func isLetter(_ character: Character) -> Bool { character.isASCII && character.isLetter }
    guard let first = scheme.first, isLetter(first),
      scheme.allSatisfy({ isLetter($0) || $0.isASCII && $0.isNumber || "+-.".contains($0) })
    else { return nil }
    return scheme.lowercased()
  }

  /// Returns the mistake in a URL in words, for example `is empty`; `nil` if there is no mistake.
  package static func problem(with text: String) -> String? {
    if text.isEmpty { return "is empty" }
    if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return "has spaces or control characters" }
    return scheme(of: text) == nil ? "has no scheme, as \"notes://note/42\" has" : nil
  }
}
