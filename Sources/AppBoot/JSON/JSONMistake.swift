/// The mistakes that people make in JSON, each with its message and its correction.
enum JSONMistake {
  case notUTF8(String), nulByte, byteOrderMark, otherFormat(String), noValue
  case comment, openComment, space(String)
  case lastComma(inObject: Bool), extraComma(inObject: Bool), missingComma
  case missingColon, missingValue, singleQuotes, unquotedKey(String)
  case openString, lineBreak, control(String, escape: String), escape(String), hexEscape
  case halfCharacter(String)
  case word(String)
  case wrongBracket(String, inObject: Bool), extraBracket(String), openBrackets([Bool]), tooDeep
  case unexpected(String, _ place: String, help: String)

  /// The message and the correction, each one line.
  var texts: (message: String, help: String) {
    switch self {
    case .notUTF8(let byte): ("\(byte) is not valid UTF-8", "save the file as UTF-8")
    case .nulByte: ("a NUL byte", "save the file as UTF-8; if it is, it is damaged, or is not text")
    case .byteOrderMark:
      ("the text begins with a byte-order mark", "save the file as UTF-8 without a byte-order mark")
    case .otherFormat(let format):
      (
        "this is \(format); AppBoot reads JSON",
        "write it as JSON, or convert it, for example with `yq -o json`"
      )
    case .noValue: ("the text contains no value", "write a value; the smallest object is {}")

    case .comment:
      ("JSON has no comments", "remove it, or put the text into a member, for example \"x-note\": \"…\"")
    case .openComment: ("JSON has no comments, and this one has no end", "remove it")
    case .space(let name):
      (
        "\(name) is not white space in JSON",
        "write an ordinary space instead, or remove it if it is invisible"
      )

    case .lastComma(let inObject): ("a comma after the last \(inObject ? "member" : "element")", "remove it")
    case .extraComma(let inObject):
      ("a comma without \(inObject ? "a member" : "an element")", "remove it, or add the missing value")
    case .missingComma: ("a comma is missing", "write \",\" after this value")

    case .missingColon: ("a colon is missing", "write \":\" after the key")
    case .missingValue: ("a value is missing", "write \":\" and a value after the key")
    case .singleQuotes: ("a string in single quotation marks", "write \" instead of '")
    case .unquotedKey(let key): ("a key without quotation marks", "write \"\(key)\"")

    case .openString: ("this string has no closing quotation mark", "write \" at its end")
    case .lineBreak:
      (
        "this string does not end on its line",
        "write \" at its end; a line break inside a string is written \\n"
      )
    case .control(let name, let escape): ("a \(name) in a string", "write \(escape) instead")
    case .escape(let name):
      (
        "unknown \(name)",
        """
        the escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t, and \\u with four hexadecimal digits; \
        a backslash itself is written \\\\
        """
      )
    case .hexEscape:
      (
        "\"\\u\" needs four hexadecimal digits",
        "write for example \\u00e9; a backslash itself is written \\\\"
      )
    case .halfCharacter(let escape):
      (
        "\"\(escape)\" is half of a character",
        "write both halves, for example \\uD83D\\uDE00, or the character itself"
      )

    case .word(let word): Self.texts(ofWord: word)

    case .wrongBracket(let bracket, let inObject):
      (
        "\(bracket) cannot close an \(inObject ? "object" : "array")",
        "close the \(inObject ? "object with \"}\"" : "array with \"]\"")"
      )
    case .extraBracket(let bracket):
      ("\(bracket) closes nothing", "remove it, or add the bracket that it closes")
    case .openBrackets(let areObjects):
      (
        "the text ends inside an \(areObjects.last == true ? "object" : "array")",
        areObjects.count > 16
          ? "close all \(areObjects.count) arrays and objects that are open"
          : "complete the text, and close the open brackets with "
            + "\"\(areObjects.reversed().map { $0 ? "}" : "]" }.joined())\""
      )
    case .tooDeep:
      ("arrays and objects are nested more than \(JSONDocument.depthLimit) deep", "nest them less")
    case .unexpected(let found, let place, let help): ("unexpected \(found) \(place)", help)
    }
  }

  /// Returns whether a character is white space in a text, or is invisible.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace
      || ["\u{FEFF}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}"].contains(scalar)
  }

  // MARK: Words and numbers

  /// The words of other languages, and what they are in JSON.
  private static let words = [
    "true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false",
    "null": "null",
    "none": "null", "nil": "null", "undefined": "null", "nan": "null", "infinity": "null",
    "-infinity": "null",
  ]

  /// The frequent mistakes in a number without its sign, each with a correction. A correction that does not result in a
  /// number is not meant.
  private static let numbers: [(message: String, correct: @Sendable (String) -> String)] = [
    ("a digit is missing before the decimal point", { "0\($0)" }),
    ("a number cannot begin with \"+\"", { $0.hasPrefix("+") ? String($0.dropFirst()) : $0 }),
    (
      "a number cannot begin with a leading zero",
      { number in
        let rest = number.drop { $0 == "0" }
        return rest.first?.isNumber == true ? String(rest) : "0\(rest)"
      }
    ),
    (
      "a digit is missing after the decimal point",
      { $0.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: ".0") }
    ),
    ("the exponent has no digits", { "\($0)0" }),
    ("a number cannot contain \"_\"", { $0.filter { $0 != "_" } }),
    (
      "JSON has no hexadecimal numbers",
      { $0.lowercased().hasPrefix("0x") ? Int64($0.dropFirst(2), radix: 16).map(String.init) ?? "" : "" }
    ),
  ]

  private static func texts(ofWord word: String) -> (message: String, help: String) {
    let asString = "\"\(word)\" for a string"
    if let value = words[word.lowercased()] {
      return ("unknown word \"\(word)\"", "write \(value), or \(asString)")
    }
    guard let first = word.first, "+-.0123456789".contains(first) else {
      let help = ClosestName.to(word, among: ["true", "false", "null"]).map { "did you mean \($0)?" }
      return ("unknown word \"\(word)\"", help ?? "write a string in quotation marks: \"\(word)\"")
    }
    let sign = first == "-" ? "-" : ""
    let unsigned = String(word.dropFirst(sign.count))
    for (message, correct) in numbers where !unsigned.isEmpty && JSONParser.isNumber(correct(unsigned)) {
      return (message, "write \(sign)\(correct(unsigned)), or \(asString)")
    }
    return ("\"\(word)\" is not a number", "write a string in quotation marks: \"\(word)\"")
  }
}
