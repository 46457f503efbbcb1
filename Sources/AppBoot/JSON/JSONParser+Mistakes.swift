import AppBootBase

// Reports mistakes, and recovers from the frequent ones.
//
// `recover…` reports a mistake and leaves the parser where the correct text would have left it, or throws.
// Functions that return a `Stop` have reported the mistake that ends the parsing.

extension JSONParser {
  // MARK: Reporting

  mutating func report(_ mistake: JSONMistake, _ range: Range<Int>) throws(Stop) {
    let stop = stop(mistake, range)
    guard problems.count == JSONParser.problemLimit else { return }
    problems[problems.count - 1].help.append(
      "there may be more mistakes after this one; reading stopped here")
    throw stop
  }

  mutating func stop(_ mistake: JSONMistake, _ bytes: Range<Int>) -> Stop {
    problems.append(.error(mistake.message, at: range(bytes), help: mistake.help))
    return Stop()
  }

  /// Reports a mistake with a note at the opening bracket of the innermost array or object.
  private mutating func stopInside(_ mistake: JSONMistake, _ range: Range<Int>) -> Stop {
    let stop = stop(mistake, range)
    if let container = containers.last {
      problems[problems.count - 1].notes.append(
        .init(
          "the \(container.isObject ? "object" : "array") begins here",
          at: self.range(container.first..<container.first + 1)))
    }
    return stop
  }

  /// Reports a character that is not allowed at the position.
  ///
  /// - Parameter place: The end of the message, for example `instead of a key`.
  private mutating func unexpected(_ place: String, help: String) -> Stop {
    let range = position..<position + UTF8.width(scalar)
    switch scalar {
    case "\0": return stop(.nulByte, range)
    case "\"": return stop(.unexpected("string", place, help: help), range)
    case "“", "”", "„", "«", "»", "‘", "’":
      return stop(.unexpected(found, place, help: "write plain quotation marks: \""), range)
    default: return stop(.unexpected(found, place, help: help), range)
    }
  }

  /// The character at the position. There must be one, and the text must be UTF-8.
  private var scalar: Unicode.Scalar {
    String(decoding: bytes[position...].prefix(4), as: UTF8.self).unicodeScalars.first ?? "\0"
  }

  /// The name of the character at the position, for messages.
  private var found: String {
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator,
      .nonspacingMark, .enclosingMark:
      "character \(scalar.codePoint)"
    default: "\"\(scalar)\""
    }
  }

  // MARK: Beginning, end and comments

  /// Reports a text that is not in UTF-8, or is in another format.
  mutating func checkFormat() throws(Stop) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      try report(.byteOrderMark, 0..<3)
    }
    if let (format, range) = OtherFormat.found(in: bytes, from: position) {
      throw stop(.otherFormat(format), range)
    }
    if let invalid = offsetOfInvalidByte {
      throw stop(.notUTF8(bytes[invalid]), invalid..<invalid + 1)
    }
  }

  /// The offset of the first byte that is not UTF-8 (RFC 3629); `nil` if there is none.
  private var offsetOfInvalidByte: Int? {
    var rest = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): offset += scalar.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }

  /// Reports text after the root value.
  mutating func trailing() -> Stop {
    let place = "after the end of the JSON value"
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "}"): return stop(.extraBracket(found), position..<position + 1)
    case UInt8(ascii: ","): return unexpected(place, help: "remove it")
    default:
      return unexpected(place, help: "a JSON text is one value; several values go into an array")
    }
  }

  /// Skips a comment, or white space that JSON does not allow, and reports it. Returns false if there is neither.
  ///
  /// Does not report the comments of a JSONC text.
  mutating func recoverSpace() throws(Stop) -> Bool {
    let rest = bytes[position...]
    let first = position
    if byte == UInt8(ascii: "#") || rest.starts(with: "//".utf8) {
      position = rest.firstIndex { $0 == .lineFeed || $0 == .carriageReturn } ?? bytes.count
      if !allowsComments {
        try report(.comment, first..<position)
      } else if bytes[first] == UInt8(ascii: "#") {
        try report(.hashComment, first..<position)
      }
    } else if rest.starts(with: "/*".utf8) {
      let end = rest.indices.dropFirst(2).first { rest[$0...].starts(with: "*/".utf8) }
      guard let end else { throw stop(allowsComments ? .endlessComment : .openComment, first..<first + 2) }
      position = end + 2
      if !allowsComments { try report(.comment, first..<position) }
    } else if JSONMistake.isSpace(scalar) {
      let space = scalar
      let name = found
      repeat { position += UTF8.width(space) } while position < bytes.count && scalar == space
      try report(.space(name), first..<position)
    } else {
      return false
    }
    return true
  }

  // MARK: Brackets and commas

  /// Reports that the text ends inside an array or an object.
  private mutating func unclosed() -> Stop {
    stopInside(.openBrackets(containers.map(\.isObject)), endBeforeSpace..<endBeforeSpace)
  }

  /// Reports the bracket at the position, which does not close the innermost array or object.
  private mutating func wrongBracket() -> Stop {
    stopInside(
      .wrongBracket(found, inObject: containers.last?.isObject == true), position..<position + 1)
  }

  /// Reports a missing comma or a wrong closing bracket after a value.
  mutating func recoverMissingComma(in container: Container) throws(Stop) {
    guard position < bytes.count else { throw unclosed() }
    if container.isObject ? keyFollows : valueFollows, !touchesString {
      return try report(.missingComma, endBeforeSpace..<endBeforeSpace)
    }
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      throw wrongBracket()
    case UInt8(ascii: ":") where !container.isObject:
      throw unexpected("in an array", help: "an array has no keys; write values with keys in { }")
    default:
      let name = container.isObject ? "object" : "array"
      let bracket = container.isObject ? "}" : "]"
      let help = "write \",\" before the next value, or close the \(name) with \"\(bracket)\""
      throw unexpected("instead of \",\" or \"\(bracket)\"", help: touchesString ? Self.quoteHelp : help)
    }
  }

  // MARK: Keys and values

  /// Reports a key that is not a string in quotation marks.
  mutating func recoverKey() throws(Stop) {
    guard position < bytes.count else { throw unclosed() }
    if byte == UInt8(ascii: "'") {
      let first = position
      try recoverSingleQuotes()
      return append(key: "", from: first)
    }
    if byte == UInt8(ascii: "]") { throw wrongBracket() }
    guard keyFollows else {
      throw unexpected("instead of a key", help: "a key is a string in quotation marks")
    }
    let range = position..<wordEnd
    try report(.unquotedKey(excerpt(range)), range)
    position = range.upperBound
    append(key: excerpt(range), from: range.lowerBound)
  }

  /// Reports a missing colon after a key. A missing value is reported by ``recoverValue()``.
  mutating func recoverColon() throws(Stop) {
    guard position < bytes.count else { throw unclosed() }
    if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") { return }
    let isWord = JSONParser.isWordByte(byte)
    guard valueFollows, !isWord || !touchesString, byte != UInt8(ascii: "\"") || !keyFollows else {
      let help = isWord ? Self.quoteHelp : "write \":\" between a key and its value"
      throw unexpected("instead of \":\"", help: help)
    }
    try report(.missingColon, endBeforeSpace..<endBeforeSpace)
  }

  /// Reports text that is not a value.
  mutating func recoverValue() throws(Stop) {
    guard position < bytes.count else { throw unclosed() }
    switch byte {
    case UInt8(ascii: "'"):
      let first = position
      try recoverSingleQuotes()
      append(.string(""), from: first)
    case UInt8(ascii: ",") where containers.last?.isObject == true,
      UInt8(ascii: "}") where containers.last?.isObject == true:
      try report(.missingValue, endBeforeSpace..<endBeforeSpace)
      append(.null, from: position)
    case UInt8(ascii: "]") where !containers.isEmpty, UInt8(ascii: "}") where !containers.isEmpty:
      throw wrongBracket()
    case let byte where JSONParser.isWordByte(byte):
      let range = position..<wordEnd
      try report(.word(excerpt(range)), range)
      try guess(to: range.upperBound)
      append(.null, from: range.lowerBound)
    default:
      let help = "a value is a string in quotation marks, a number, true, false, null, [ ] or { }"
      throw unexpected("instead of a value", help: help)
    }
  }

  /// Reports a string in single quotation marks, and moves the position to its end.
  private mutating func recoverSingleQuotes() throws(Stop) {
    guard let end = stringEnd else { throw stop(.singleQuotes, position..<position + 1) }
    try report(.singleQuotes, position..<end)
    try guess(to: end)
  }

  /// Moves the position to the end of text that is read as a value although it is not one. Stops if what follows shows
  /// that the guess was wrong.
  private mutating func guess(to end: Int) throws(Stop) {
    position = end
    let next = bytes[position...].first { !JSONParser.isSpace($0) }
    guard next.map({ ",:]}#/".utf8.contains($0) }) ?? true else { throw Stop() }
  }

  // MARK: Strings

  /// Reports a control character in a string.
  mutating func recoverControl(inStringAt start: Int) throws(Stop) {
    let control = byte
    if control == .lineFeed || control == .carriageReturn { throw stop(.lineBreak, start..<position) }
    let first = position
    position = bytes[first...].firstIndex { $0 != control } ?? bytes.count
    try report(.control(control), first..<position)
  }

  /// Reports a backslash before a character that cannot be escaped, or before `u` without the digits of a character.
  mutating func recoverEscape() throws(Stop) -> String {
    let first = position
    position += 1
    // The end of the line or of the text is reported as that.
    guard position < bytes.count, byte != .lineFeed, byte != .carriageReturn else { return "" }
    let name = byte > 0x20 && byte < 0x7F ? "escape \"\\\(scalar)\"" : "escape of \(found)"
    let isHexadecimal = byte == UInt8(ascii: "u")
    position += UTF8.width(scalar)
    if isHexadecimal {
      position += bytes[position...].prefix(4).prefix { Hexadecimal.value(of: $0) != nil }.count
    }
    try report(isHexadecimal ? .hexEscape : .escape(name), first..<position)
    return ""
  }

  // MARK: Looking around

  /// The offset after the last byte before the position that is not white space.
  var endBeforeSpace: Int { (bytes[..<position].lastIndex { !JSONParser.isSpace($0) } ?? -1) + 1 }

  /// True if a string ends directly before the position.
  private var touchesString: Bool { position > 0 && bytes[position - 1] == UInt8(ascii: "\"") }

  private static let quoteHelp =
    "check the quotation marks before this: one may be missing, and one inside a string is written \\\""

  /// True if a value seems to begin at the position.
  private var valueFollows: Bool { "\"{[".utf8.contains(byte) || JSONParser.isWordByte(byte) }

  /// True if a string or a word with a colon after it begins at the position.
  private var keyFollows: Bool {
    guard let end = byte == UInt8(ascii: "\"") ? stringEnd : wordEnd, end > position else { return false }
    return bytes[end...].first { !JSONParser.isSpace($0) } == UInt8(ascii: ":")
  }

  /// The offset after the string that begins with a quotation mark of any kind at the position; `nil` if the string
  /// does not end on its line.
  private var stringEnd: Int? {
    var end = position + 1
    while end < bytes.count, bytes[end] >= 0x20 {
      if bytes[end] == byte { return end + 1 }
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// Returns the text of a place for a message. A long text is shortened.
  private func excerpt(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.prefix(60)], as: UTF8.self) + (range.count > 60 ? "…" : "")
  }
}
