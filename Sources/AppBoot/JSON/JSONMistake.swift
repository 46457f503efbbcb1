/// A mistake that people make in JSON: its message and its correction, each one line.
struct JSONMistake {
  let message: String
  let help: String

  private init(_ message: String, _ help: String) {
    self.message = message
    self.help = help
  }

  // MARK: The text

  static func notUTF8(_ byte: UInt8) -> JSONMistake {
    JSONMistake(
      "byte 0x\(String(byte, radix: 16, uppercase: true)) is not valid UTF-8", "save the file as UTF-8")
  }

  static let nulByte = JSONMistake(
    "a NUL byte", "save the file as UTF-8; if it is, it is damaged, or is not text")

  static let byteOrderMark = JSONMistake(
    "the text begins with a byte-order mark", "save the file as UTF-8 without a byte-order mark")

  static func otherFormat(_ format: String) -> JSONMistake {
    JSONMistake(
      "this is \(format); AppBoot reads JSON",
      "write it as JSON, or convert it, for example with `yq -o json`")
  }

  static let noValue = JSONMistake(
    "the text contains no value", "write a value; the smallest object is {}")

  static let comment = JSONMistake(
    "JSON has no comments", "remove it, or write // in a file with the name NAME.jsonc")

  static let hashComment = JSONMistake("JSONC has no comments with #", "write // instead")

  static let openComment = JSONMistake("JSON has no comments, and this one has no end", "remove it")

  static let endlessComment = JSONMistake("this comment has no end", "end it with */")

  static func space(_ name: String) -> JSONMistake {
    JSONMistake(
      "\(name) is not white space in JSON", "write an ordinary space instead, or remove it if it is invisible"
    )
  }

  static func unexpected(_ found: String, _ place: String, help: String) -> JSONMistake {
    JSONMistake("unexpected \(found) \(place)", help)
  }

  // MARK: Arrays and objects

  static func lastComma(inObject: Bool) -> JSONMistake {
    JSONMistake("a comma after the last \(inObject ? "member" : "element")", "remove it")
  }

  static func extraComma(inObject: Bool) -> JSONMistake {
    JSONMistake(
      "a comma without \(inObject ? "a member" : "an element")", "remove it, or add the missing value")
  }

  static let missingComma = JSONMistake("a comma is missing", "write \",\" after this value")
  static let missingColon = JSONMistake("a colon is missing", "write \":\" after the key")
  static let missingValue = JSONMistake("a value is missing", "write \":\" and a value after the key")

  static func unquotedKey(_ key: String) -> JSONMistake {
    JSONMistake("a key without quotation marks", "write \"\(key)\"")
  }

  static func wrongBracket(_ bracket: String, inObject: Bool) -> JSONMistake {
    inObject
      ? JSONMistake("\(bracket) cannot close an object", "close the object with \"}\"")
      : JSONMistake("\(bracket) cannot close an array", "close the array with \"]\"")
  }

  static func extraBracket(_ bracket: String) -> JSONMistake {
    JSONMistake("\(bracket) closes nothing", "remove it, or add the bracket that it closes")
  }

  static func openBrackets(_ areObjects: [Bool]) -> JSONMistake {
    let brackets = areObjects.reversed().map { $0 ? "}" : "]" }.joined()
    return JSONMistake(
      "the text ends inside an \(areObjects.last == true ? "object" : "array")",
      areObjects.count > 16
        ? "close all \(areObjects.count) arrays and objects that are open"
        : "complete the text, and close the open brackets with \"\(brackets)\"")
  }

  static let tooDeep = JSONMistake(
    "arrays and objects are nested more than \(JSONDocument.depthLimit) deep", "nest them less")

  // MARK: Strings

  static let singleQuotes = JSONMistake("a string in single quotation marks", "write \" instead of '")
  static let openString = JSONMistake("this string has no closing quotation mark", "write \" at its end")
  static let lineBreak = JSONMistake(
    "this string does not end on its line",
    "write \" at its end; a line break inside a string is written \\n")

  static func control(_ byte: UInt8) -> JSONMistake {
    let point = Unicode.Scalar(byte).codePoint
    return byte == 0x09
      ? JSONMistake("a tab in a string", "write \\t instead")
      : JSONMistake(
        "a control character \(point) in a string", "write \\u\(point.dropFirst(2).lowercased()) instead")
  }

  static func escape(_ name: String) -> JSONMistake {
    JSONMistake(
      "unknown \(name)",
      """
      the escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t, and \\u with four hexadecimal digits; \
      a backslash itself is written \\\\
      """)
  }

  static let hexEscape = JSONMistake(
    "\"\\u\" needs four hexadecimal digits, and a character beyond \\uFFFF both halves",
    "write for example \\u00e9 or \\uD83D\\uDE00; a backslash itself is written \\\\")

  /// Returns whether a character is white space in a text, or is invisible.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace
      || ["\u{FEFF}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}"].contains(scalar)
  }

  // MARK: Words and numbers

  /// The words of other languages, and what they are in JSON.
  private static let words = [
    "true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false",
    "null": "null", "none": "null", "nil": "null", "undefined": "null", "nan": "null", "infinity": "null",
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

  /// A word that is neither a number nor `true`, `false` or `null`.
  static func word(_ word: String) -> JSONMistake {
    let asString = "\"\(word)\" for a string"
    if let value = words[word.lowercased()] {
      return JSONMistake("unknown word \"\(word)\"", "write \(value), or \(asString)")
    }
    let inQuotes = "write a string in quotation marks: \"\(word)\""
    guard let first = word.first, "+-.0123456789".contains(first) else {
      let help = ClosestName.to(word, among: ["true", "false", "null"]).map { "did you mean \($0)?" }
      return JSONMistake("unknown word \"\(word)\"", help ?? inQuotes)
    }
    let sign = first == "-" ? "-" : ""
    let unsigned = String(word.dropFirst(sign.count))
    for (message, correct) in numbers where !unsigned.isEmpty && JSONParser.isNumber(correct(unsigned)) {
      return JSONMistake(message, "write \(sign)\(correct(unsigned)), or \(asString)")
    }
    return JSONMistake("\"\(word)\" is not a number", inQuotes)
  }
}
