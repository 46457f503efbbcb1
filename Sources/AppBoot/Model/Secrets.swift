import AppBootBase

/// The secrets of a launch. Its output, records, reports and messages show `***` instead.
///
/// A secret is also recognized as common encoders write it (``SecretEscapes``), and in base64. Each line of a secret
/// with several lines is a secret too.
package final class Secrets: Sendable {
  /// The minimum length of a secret in bytes. Hiding a shorter value would also hide harmless text.
  package static let shortest = 4

  private struct State {
    var values: [String] = []
    var forms: Set<[UInt8]> = []
    /// The search for all forms of the secrets; `nil` after a change, until it is needed again.
    var search: SecretSearch?
    /// The number of changes; 0 if there is no secret.
    var changes = 0
  }

  private let state = Lock(State())

  package init() {}

  /// True if there is no secret.
  package var isEmpty: Bool { version == 0 }

  /// The version of the set of secrets. It changes with each new secret.
  package var version: Int { state.withLock(\.changes) }

  /// Adds a secret. Returns false if the value is too short to be hidden.
  @discardableResult
  package func add(_ value: String) -> Bool {
    if state.withLock({ $0.values.contains(value) }) { return true }
    let forms = SecretForms.all(of: value, shortest: Self.shortest)
    guard !forms.isEmpty else { return false }
    state.withLock { state in
      guard !state.values.contains(value) else { return }
      state.values.append(value)
      state.forms.formUnion(forms)
      state.search = nil
      state.changes += 1
    }
    return true
  }

  /// Returns whether a value is too short to be hidden, but not empty.
  static func isTooShort(_ value: String) -> Bool {
    let count = SecretForms.trimmed(Array(value.utf8)[...]).count
    return count > 0 && count < shortest
  }

  /// The values of the secrets, for another process that hides them.
  package var values: [String] { state.withLock(\.values) }

  /// The search for the secrets, and the version of the set for which it was made. The search is `nil` without secrets.
  package var search: (SecretSearch?, version: Int) {
    state.withLock { state in
      if state.search == nil, !state.forms.isEmpty { state.search = SecretSearch(state.forms) }
      return (state.search, state.changes)
    }
  }

  /// Returns a text with each secret replaced by `***`.
  package func masking(_ text: String) -> String {
    guard !isEmpty, let search = search.0 else { return text }
    var text = text
    return text.withUTF8 { bytes in
      String(
        decoding: search.replacing(in: UnsafeRawBufferPointer(bytes), to: bytes.count).bytes, as: UTF8.self)
    }
  }

  /// Returns a text with each secret replaced by `***`; `nil` for `nil`.
  package func masking(_ text: String?) -> String? { text.map { masking($0) } }

  /// Returns the bytes with each byte of a secret replaced by `*`. The offsets of all bytes stay the same.
  func maskingInPlace(_ bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty, let search = search.0 else { return bytes }
    var masked = bytes
    bytes.withUnsafeBytes { buffer in
      for match in search.matches(in: buffer) {
        for index in match { masked[index] = UInt8(ascii: "*") }
      }
    }
    return masked
  }
}

/// The forms of a secret that are searched: the value and its lines, each as it is, escaped and in base64.
enum SecretForms {
  /// The minimum length in bytes of a secret that is searched in base64. A shorter one determines too few base64
  /// digits.
  private static let shortestEncoded = 8

  /// Returns all forms of a value and of each of its lines; empty if the value is too short.
  ///
  /// White space at both ends of the value and of its lines is ignored.
  ///
  /// - Parameter shortest: The minimum length in bytes of a value or line.
  static func all(of value: String, shortest: Int) -> [[UInt8]] {
    let whole = trimmed(Array(value.utf8)[...])
    guard whole.count >= shortest else { return [] }
    let lines = whole.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map(trimmed)
    let values = lines.count > 1 ? [whole] + lines : [whole]
    return values.filter { $0.count >= shortest }.flatMap { value in
      let encoded = value.count >= shortestEncoded ? base64(value) : []
      let escaped = SecretEscapes.all(of: String(decoding: value, as: UTF8.self)).map { Array($0.utf8) }
      return [value] + (escaped + encoded).filter { $0 != value }
    }
  }

  /// Returns the bytes without white space at both ends.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }
    var rest = bytes.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return Array(rest)
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The last two digits of base64: in both alphabets, and as JSON and a URL escape them.
  private static let marks = [
    ("+", "/"), ("-", "_"), ("+", "\\/"), ("\\u002B", "/"),
    ("%2B", "%2F"), ("%2b", "%2f"), ("%2B", "/"), ("%2b", "/"),
  ]

  /// Returns the base64 digits that depend only on the value (RFC 4648), in both alphabets.
  ///
  /// They differ for the three offsets that the value can have in a group of three bytes.
  private static func base64(_ value: [UInt8]) -> Set<[UInt8]> {
    (0..<3).reduce(into: []) { forms, offset in
      // The first digit also has bits of the previous byte.
      let first = (6 - 8 * offset % 6) % 6
      let digits = stride(from: first, through: 8 * value.count - 6, by: 6).map { bit in
        let next = bit / 8 + 1 < value.count ? UInt16(value[bit / 8 + 1]) : 0
        return alphabet[Int((UInt16(value[bit / 8]) << 8 | next) >> (10 - bit % 8) & 63)]
      }
      forms.insert(digits)
      guard digits.contains(UInt8(ascii: "+")) || digits.contains(UInt8(ascii: "/")) else { return }
      for (plus, slash) in marks {
        forms.insert(
          digits.reduce(into: []) { form, digit in
            switch digit {
            case UInt8(ascii: "+"): form += plus.utf8
            case UInt8(ascii: "/"): form += slash.utf8
            default: form.append(digit)
            }
          })
      }
    }
  }
}

/// A search for the forms of all secrets in bytes.
package struct SecretSearch: Sendable {
  /// The forms by their first byte, longest first.
  package let forms: [[[UInt8]]]
  /// The length of the longest form in bytes.
  package let longest: Int

  init(_ forms: Set<[UInt8]>) {
    longest = forms.map(\.count).max() ?? 0
    var lists = [[[UInt8]]](repeating: [], count: 256)
    for form in forms.sorted(by: { $0.count > $1.count }) { lists[Int(form[0])].append(form) }
    self.forms = lists
  }

  /// Returns the places of the forms in the order of their beginnings; they may overlap. Of several forms at one
  /// offset, the longest counts.
  func matches(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    bytes.indices.compactMap { start in
      forms[Int(bytes[start])].first { bytes[start...].starts(with: $0) }.map { start..<(start + $0.count) }
    }
  }

  /// Returns the bytes between two offsets, with `***` for each secret that begins there. Secrets that overlap become
  /// one `***`.
  ///
  /// - Parameter start: The end of a secret that is already replaced. It may be after `end`.
  /// - Returns: The bytes, and the end of the last secret, which may be after `end`.
  package func replacing(
    in bytes: UnsafeRawBufferPointer, from start: Int = 0, to end: Int
  ) -> (bytes: [UInt8], secretEnd: Int) {
    var result: [UInt8] = []
    var secretEnd = start
    var done = min(start, end)
    for match in matches(in: bytes) where match.lowerBound < end {
      if match.lowerBound >= secretEnd {
        result += bytes[done..<match.lowerBound]
        result += "***".utf8
      }
      secretEnd = max(secretEnd, match.upperBound)
      done = min(secretEnd, end)
    }
    return (result + bytes[done..<end], secretEnd)
  }
}

/// The ways in which encoders write a text: in JSON, in a URL, in XML, in a shell, and in a web server's log.
enum SecretEscapes {
  /// Returns the texts that the encoders write for a value, without the value itself and without duplicates.
  ///
  /// Each encoder writes all characters in its own way. Text that mixes several ways is not covered.
  static func all(of value: String) -> Set<String> {
    // No encoder escapes letters and digits of ASCII.
    let scalars = Set(value.unicodeScalars).filter { !isWord($0) }
    guard !scalars.isEmpty else { return [] }
    // Most encoders escape the same characters of a value in the same way.
    let escapes = Set(
      encoders.map { encode in
        Dictionary(uniqueKeysWithValues: scalars.compactMap { scalar in encode(scalar).map { (scalar, $0) } })
      })
    var forms = Set(
      escapes.map { escapes in
        value.unicodeScalars.reduce(into: "") { text, scalar in
          if let escape = escapes[scalar] { text += escape } else { text.unicodeScalars.append(scalar) }
        }
      })
    forms.insert(value.unicodeScalars.reduce(into: "") { $0 += $1 == "'" ? #"'\''"# : "\($1)" })
    forms.remove(value)
    return forms
  }

  /// Returns the text for a character; `nil` if it is written as it is.
  private typealias Encoder = @Sendable (Unicode.Scalar) -> String?

  private static let encoders: [Encoder] =
    [
      // JSON by most encoders; by PHP; by Go; by Python; by PHP and by Ruby on Rails without characters beyond ASCII;
      // by AppBoot.
      json { _ in false }, json { $0 == "/" }, json { "<>&".unicodeScalars.contains($0) },
      json { !$0.isASCII },
      json { !$0.isASCII || $0 == "/" }, json { !$0.isASCII || "<>&".unicodeScalars.contains($0) },
      json { $0.isActedOn },
      // JSON for a page, by PHP and by .NET.
      json { !$0.isASCII || "<>&'".unicodeScalars.contains($0) },
      json(isUpper: true) { !$0.isASCII || "<>&'\"+`".unicodeScalars.contains($0) },
      // HTML and XML, by the entity of each kind of quotation mark.
      xml("&quot;", "&#39;"), xml("&#34;", "&#39;"), xml("&quot;", "&apos;"), xml("&quot;", "&#x27;"),
      xml(nil, nil), xml("&quot;", "&#39;", isASCII: true),
      // A shell's "%q", and the log of a web server.
      { isWord($0) || "-_./:=,@%+~".unicodeScalars.contains($0) || !$0.isASCII ? nil : "\\\($0)" },
      {
        $0.isASCII && $0.value >= 0x20 && !"\"\\\u{7F}".unicodeScalars.contains($0)
          ? nil : bytes("\\x", $0, true)
      },
    ] + [false, true].flatMap { urls(isUpper: $0) }

  /// RFC 3986; Python's `quote`; JavaScript's `encodeURIComponent` and `encodeURI`; and a form in HTML.
  private static func urls(isUpper: Bool) -> [Encoder] {
    ["-._~", "-._~/", "-._", "-._~!'()*", "-._~!'()*;/?:@&=+$,#", "-._*", "-._~*"].flatMap { kept in
      [url(kept, space: nil, isUpper: isUpper), url(kept, space: "+", isUpper: isUpper)]
    }
  }

  private static func url(_ kept: String, space: String?, isUpper: Bool) -> Encoder {
    { scalar in
      if scalar == " ", let space { return space }
      return isWord(scalar) || kept.unicodeScalars.contains(scalar) ? nil : bytes("%", scalar, isUpper)
    }
  }

  /// Returns an encoder of JSON strings (RFC 8259) that also escapes the characters of `others`.
  private static func json(
    isUpper: Bool = false, _ others: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) -> Encoder {
    { $0.jsonEscape(others($0), isUpper: isUpper) }
  }

  /// - Parameters:
  ///   - quote: The text for a quotation mark; `nil` if it is written as it is.
  ///   - apostrophe: The text for an apostrophe; `nil` if it is written as it is.
  ///   - isASCII: True if characters beyond ASCII are written as numbers.
  private static func xml(_ quote: String?, _ apostrophe: String?, isASCII: Bool = false) -> Encoder {
    { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": quote
      case "'": apostrophe
      default: isASCII && !scalar.isASCII ? "&#\(scalar.value);" : nil
      }
    }
  }

  /// Returns the bytes of a character in UTF-8, each as two digits after a prefix.
  private static func bytes(_ prefix: String, _ scalar: Unicode.Scalar, _ isUpper: Bool) -> String {
    String(scalar).utf8.map { byte in
      prefix + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: isUpper)
    }.joined()
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }
}
