/// A check whether a text has the form of a URL. The app that opens the URL makes all further checks.
package enum URLText {
  /// Returns the scheme in lower case; `nil` if the text has no scheme (RFC 3986, 3.1).
  package static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = text.utf8[..<colon]
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    let isValid = scheme.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: isLetter(byte)
      }
    }
    guard let first = scheme.first, isLetter(first), isValid else { return nil }
    return text[..<colon].lowercased()
  }

  /// Returns the mistake in a URL in words, for example `is empty`; `nil` if there is no mistake.
  package static func problem(with text: String) -> String? {
    if text.isEmpty { return "is empty" }
    if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return "has spaces or control characters" }
    return scheme(of: text) == nil ? "has no scheme, as \"notes://note/42\" has" : nil
  }
}
