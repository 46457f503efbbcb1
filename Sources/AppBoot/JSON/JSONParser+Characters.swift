import AppBootSystem

// Reports mistakes in single characters, words, numbers and strings.

extension JSONParser {
  // MARK: Characters

  /// The name of the character at the position, for messages.
  var found: String {
    guard position < bytes.count else { return "the end" }
    guard let (scalar, _) = UTF8Scalar.decode(at: position, in: bytes) else { return byteName(byte) }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .nonspacingMark, .enclosingMark:
      return "character \(JSONParser.codePoint(scalar.value))"
    default:
      return "\"\(scalar)\""
    }
  }

  /// The place of the character at the position.
  var foundRange: SourceRange {
    guard position < bytes.count else { return SourceRange(position, position) }
    return SourceRange(position, position + max(1, UTF8Scalar.length(at: position, in: bytes)))
  }

  private func byteName(_ byte: UInt8) -> String {
    "byte 0x" + String(byte, radix: 16, uppercase: true)
  }

  private static func codePoint(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  /// Reports a character that is not allowed at the position.
  ///
  /// - Parameter place: The end of the message, for example `instead of a key`.
  mutating func unexpected(_ place: String, help: String) -> Stop {
    if byte == 0 {
      return stop(.error("a NUL byte", at: foundRange, help: "the file is damaged, or is not text"))
    }
    if byte >= 0x80, UTF8Scalar.length(at: position, in: bytes) == 0 { return invalidEncoding() }
    if byte == UInt8(ascii: "\"") {
      return stop(.error("unexpected string \(place)", at: foundRange, help: help))
    }
    let isQuote = ["“", "”", "„", "«", "»", "‘", "’"].contains { found == "\"\($0)\"" }
    let advice = isQuote ? "write plain quotation marks: \"" : help
    return stop(.error("unexpected \(found) \(place)", at: foundRange, help: advice))
  }

  private mutating func invalidEncoding() -> Stop {
    guard !reportedEncoding else { return Stop() }
    return stop(
      .error("\(byteName(byte)) is not valid UTF-8", at: foundRange, help: "save the file as UTF-8"))
  }

  // MARK: Space and comments

  /// Reports and skips a comment, or white space that JSON does not allow. Returns false if there is neither.
  @inline(never)
  mutating func recoverSpace() throws(Stop) -> Bool {
    switch byte {
    case UInt8(ascii: "#"):
      try recoverLineComment()
    case UInt8(ascii: "/"):
      guard position + 1 < bytes.count else { return false }
      switch bytes[position + 1] {
      case UInt8(ascii: "/"): try recoverLineComment()
      case UInt8(ascii: "*"): try recoverBlockComment()
      default: return false
      }
    case 0x0B, 0x0C, 0x80...:
      return try recoverOddSpace()
    default:
      return false
    }
    return true
  }

  private static let commentHelp =
    "remove it, or put the text into a member, for example \"x-note\": \"…\""

  private mutating func recoverLineComment() throws(Stop) {
    let start = position
    while position < bytes.count, byte != .lineFeed, byte != .carriageReturn { position += 1 }
    let range = SourceRange(start, position)
    try report(.error("JSON has no comments", at: range, help: JSONParser.commentHelp))
  }

  private mutating func recoverBlockComment() throws(Stop) {
    let start = position
    position += 2
    while position + 1 < bytes.count {
      if byte == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
        position += 2
        let range = SourceRange(start, position)
        return try report(.error("JSON has no comments", at: range, help: JSONParser.commentHelp))
      }
      position += 1
    }
    position = bytes.count
    throw stop(
      .error(
        "JSON has no comments, and this one has no end", at: SourceRange(start, start + 2),
        help: JSONParser.commentHelp))
  }

  /// Reports and skips Unicode spaces, form feeds and invisible characters. Returns false if there are none.
  private mutating func recoverOddSpace() throws(Stop) -> Bool {
    guard let (scalar, length) = UTF8Scalar.decode(at: position, in: bytes) else { return false }
    let isInvisible = [0xFEFF, 0x200B, 0x200C, 0x200D, 0x2060].contains(scalar.value)
    guard isInvisible || scalar.properties.isWhitespace else { return false }
    let start = position
    repeat {
      position += length
    } while position < bytes.count && UTF8Scalar.decode(at: position, in: bytes)?.scalar == scalar
    let help = isInvisible ? "remove it" : "write an ordinary space instead"
    let message = "character \(JSONParser.codePoint(scalar.value)) is not white space in JSON"
    try report(.error(message, at: SourceRange(start, position), help: help))
    return true
  }

  // MARK: Words and numbers

  /// Reports an invalid word or number, and skips it.
  mutating func recoverWord() throws(Stop) {
    let range = wordRange
    let word = JSONWord(text: excerpt(range))
    try report(.error(word.message, at: range, help: word.help))
    doubtfulNode = nodes.count
    append(.null, from: Int(range.start), to: Int(range.end))
    position = Int(range.end)
  }

  // MARK: Strings

  mutating func unclosedString(from start: Int) -> Stop {
    stop(
      .error(
        "this string has no closing quotation mark", at: SourceRange(start, position),
        help: "write \" at its end"))
  }

  /// Reports a control character in a string.
  mutating func recoverControl(_ control: UInt8, inStringAt start: Int) throws(Stop) {
    if control == .lineFeed || control == .carriageReturn {
      let help = "write \" at its end; a line break inside a string is written \\n"
      throw stop(
        .error("this string does not end on its line", at: SourceRange(start, position), help: help))
    }
    let first = position
    while position < bytes.count, byte == control { position += 1 }
    let digits = String(control, radix: 16, uppercase: true)
    var name = "control character \(JSONParser.codePoint(UInt32(control)))"
    var escape = "\\u00" + (digits.utf8.count == 1 ? "0" : "") + digits
    switch control {
    case 0x00: name = "NUL byte"
    case 0x08: escape = "\\b"
    case 0x09: (name, escape) = ("tab", "\\t")
    case 0x0C: escape = "\\f"
    default: break
    }
    try report(
      .error("a \(name) in a string", at: SourceRange(first, position), help: "write \(escape) instead"))
  }

  /// Reports bytes in a string that are not UTF-8.
  mutating func recoverEncoding() throws(Stop) {
    if !reportedEncoding {
      let message = "\(byteName(byte)) is not valid UTF-8"
      try report(.error(message, at: foundRange, help: "save the file as UTF-8"))
      reportedEncoding = true
    }
    position += 1
    while position < bytes.count, byte & 0xC0 == 0x80 { position += 1 }
  }

  /// Reports a backslash before a character that cannot be escaped.
  mutating func recoverEscape() throws(Stop) {
    let start = position
    position += 1
    if byte == .lineFeed || byte == .carriageReturn { return }
    let length = UTF8Scalar.length(at: position, in: bytes)
    // Bytes that are not UTF-8 are reported as that.
    guard length > 0 else { return }
    let character = found
    let name = byte > 0x20 && byte < 0x7F ? "escape \"\\\(Unicode.Scalar(byte))\"" : "escape of \(character)"
    position += length
    let help = """
      the escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t, and \\u with four hexadecimal digits; \
      a backslash itself is written \\\\
      """
    try report(.error("unknown \(name)", at: SourceRange(start, position), help: help))
  }

  /// Reports `\u` without four hexadecimal digits after it.
  mutating func recoverHexEscape() throws(Stop) {
    let start = position
    position += 2
    while position < bytes.count, Hexadecimal.value(of: byte) != nil { position += 1 }
    let help = "write for example \\u00e9; a backslash itself is written \\\\"
    try report(
      .error("\"\\u\" needs four hexadecimal digits", at: SourceRange(start, position), help: help))
  }

  /// Reports half of a surrogate pair. It is not a character, and cannot be encoded in UTF-8 (RFC 8259 section 8.2).
  mutating func recoverSurrogate(isFirstHalf: Bool) throws(Stop) {
    let range = SourceRange(position, position + 6)
    position += 6
    // A first half that is malformed is reported as that already.
    if !isFirstHalf, problems.last?.range.end == range.start { return }
    let half = isFirstHalf ? "second" : "first"
    let help = "write both halves, for example \\uD83D\\uDE00, or the character itself"
    let message = "\"\(excerpt(range))\" is half of a character; its \(half) half is missing"
    try report(.error(message, at: range, help: help))
  }
}
