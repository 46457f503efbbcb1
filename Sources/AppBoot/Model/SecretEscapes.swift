import AppBootBase

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
