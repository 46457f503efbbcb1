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

  mutating func stop(_ mistake: JSONMistake, _ range: Range<Int>) -> Stop {
    let (message, help) = mistake.texts
    problems.append(.error(message, at: SourceRange(range.lowerBound, range.upperBound), help: help))
    return Stop()
  }

  /// Reports a character that is not allowed at the position.
  ///
  /// - Parameter place: The end of the message, for example `instead of a key`.
  private mutating func unexpected(_ place: String, help: String) -> Stop {
    guard let (scalar, length) = UTF8Scalar.decode(at: position, in: bytes) else { return notUTF8() }
    let range = position..<position + length
    switch scalar {
    case "\0":
      return stop(.nulByte, range)
    case "\"":
      return stop(.unexpected("string", place, help: help), range)
    case "“", "”", "„", "«", "»", "‘", "’":
      return stop(.unexpected("\"\(scalar)\"", place, help: "write plain quotation marks: \""), range)
    default:
      return stop(.unexpected(found, place, help: help), range)
    }
  }

  /// The name of the character at the position, for messages.
  private var found: String {
    guard let (scalar, _) = UTF8Scalar.decode(at: position, in: bytes) else { return "byte" }
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator,
      .nonspacingMark, .enclosingMark:
      return "character \(JSONParser.codePoint(scalar.value))"
    default:
      return "\"\(scalar)\""
    }
  }

  private static func codePoint(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  mutating func notUTF8() -> Stop {
    stop(.notUTF8("byte 0x" + String(byte, radix: 16, uppercase: true)), position..<position + 1)
  }

  // MARK: Beginning, end and comments

  mutating func checkBeginning() throws(Stop) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      try report(.byteOrderMark, 0..<3)
    }
    if let (format, range) = OtherFormat.found(in: bytes, from: position) {
      throw stop(.otherFormat(format), range)
    }
  }

  mutating func noValue() -> Stop { stop(.noValue, endBeforeSpace..<endBeforeSpace) }

  /// Reports text after the root value.
  mutating func trailing() -> Stop {
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      return stop(.extraBracket(found), position..<position + 1)
    case UInt8(ascii: ","):
      return unexpected("after the end of the JSON value", help: "remove it")
    default:
      let help = "a JSON text is one value; several values go into an array"
      return unexpected("after the end of the JSON value", help: help)
    }
  }

  mutating func tooDeep() -> Stop { stop(.tooDeep, position..<position + 1) }

  /// Reports and skips a comment, or white space that JSON does not allow. Returns false if there is neither.
  mutating func recoverSpace() throws(Stop) -> Bool {
    let start = position
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    if byte == UInt8(ascii: "#") || (byte == UInt8(ascii: "/") && next == UInt8(ascii: "/")) {
      position = bytes[start...].firstIndex { $0 == .lineFeed || $0 == .carriageReturn } ?? bytes.count
      try report(.comment, start..<position)
    } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
      let end = stride(from: start + 2, to: bytes.count - 1, by: 1).first {
        bytes[$0] == UInt8(ascii: "*") && bytes[$0 + 1] == UInt8(ascii: "/")
      }
      guard let end else { throw stop(.openComment, start..<start + 2) }
      position = end + 2
      try report(.comment, start..<position)
    } else if let (space, length) = UTF8Scalar.decode(at: position, in: bytes), JSONMistake.isSpace(space) {
      let name = found
      repeat {
        position += length
      } while position < bytes.count && UTF8Scalar.decode(at: position, in: bytes)?.scalar == space
      try report(.space(name), start..<position)
    } else {
      return false
    }
    return true
  }

  // MARK: Brackets and commas

  /// Reports that the text ends inside an array or an object.
  private mutating func unclosed() -> Stop {
    let end = endBeforeSpace
    let stop = stop(.openBrackets(frames.map(\.isObject)), end..<end)
    noteBeginning()
    return stop
  }

  /// Reports the bracket at the position, which does not close the innermost array or object.
  private mutating func wrongBracket() -> Stop {
    let stop = stop(
      .wrongBracket(found, inObject: frames.last?.isObject == true), position..<position + 1)
    noteBeginning()
    return stop
  }

  /// Adds the place of the innermost opening bracket to the last mistake.
  private mutating func noteBeginning() {
    guard let frame = frames.last else { return }
    let start = Int(nodes[frame.node].start)
    problems[problems.count - 1].notes.append(
      .init("the \(frame.isObject ? "object" : "array") begins here", at: SourceRange(start, start + 1)))
  }

  /// Reports commas without a value before or after them, and skips the commas at the position.
  ///
  /// - Parameter start: The position of the first comma.
  mutating func recoverComma(from start: Int, in frame: Frame) throws(Stop) {
    let isExtra = byte == UInt8(ascii: ",")
    let isEmpty = nodes.count == frame.node + 1
    var end = start + 1
    while byte == UInt8(ascii: ",") {
      position += 1
      end = position
      try skipSpace()
    }
    if byte == frame.end, !isEmpty {
      try report(.lastComma(inObject: frame.isObject), start..<end)
    } else if isExtra {
      try report(.extraComma(inObject: frame.isObject), start..<end)
    }
  }

  /// Reports a missing comma or a wrong closing bracket after a value.
  mutating func recoverMissingComma(in frame: Frame) throws(Stop) {
    guard position < bytes.count else { throw unclosed() }
    let end = endBeforeSpace
    if frame.isObject ? keyFollows : valueFollows, !touchesString {
      return try report(.missingComma, end..<end)
    }
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      throw wrongBracket()
    case UInt8(ascii: ":") where !frame.isObject:
      throw unexpected("in an array", help: "an array has no keys; write values with keys in { }")
    default:
      let bracket = frame.isObject ? "}" : "]"
      let help =
        "write \",\" before the next value, or close the \(frame.isObject ? "object" : "array") with \"\(bracket)\""
      throw unexpected("instead of \",\" or \"\(bracket)\"", help: touchesString ? Self.quoteHelp : help)
    }
  }

  // MARK: Keys and values

  /// Reports a key that is not a string in quotation marks.
  mutating func recoverKey() throws(Stop) {
    guard position < bytes.count else { throw unclosed() }
    if byte == UInt8(ascii: "'") { return try recoverSingleQuotes() }
    if byte == UInt8(ascii: "]") { throw wrongBracket() }
    guard keyFollows else {
      throw unexpected("instead of a key", help: "a key is a string in quotation marks")
    }
    let range = position..<wordEnd
    try report(.unquotedKey(excerpt(range)), range)
    append(.string, from: range.lowerBound, to: range.upperBound)
    position = range.upperBound
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
    let end = endBeforeSpace
    try report(.missingColon, end..<end)
  }

  /// Reports text that is not a value.
  mutating func recoverValue() throws(Stop) {
    guard position < bytes.count else { throw unclosed() }
    switch byte {
    case UInt8(ascii: "'"):
      try recoverSingleQuotes()
    case UInt8(ascii: ",") where frames.last?.isObject == true,
      UInt8(ascii: "}") where frames.last?.isObject == true:
      let end = endBeforeSpace
      try report(.missingValue, end..<end)
      append(.null, from: position, to: position)
    case UInt8(ascii: "]") where !frames.isEmpty, UInt8(ascii: "}") where !frames.isEmpty:
      throw wrongBracket()
    case let byte where JSONParser.isWordByte(byte):
      let range = position..<wordEnd
      try report(.word(excerpt(range)), range)
      try append(.null, guessedFrom: range)
    default:
      let help = "a value is a string in quotation marks, a number, true, false, null, [ ] or { }"
      throw unexpected("instead of a value", help: help)
    }
  }

  /// Reports a string in single quotation marks, and reads it.
  private mutating func recoverSingleQuotes() throws(Stop) {
    let start = position
    let end = stringEnd
    guard end <= bytes.count, bytes[end - 1] == UInt8(ascii: "'") else {
      throw stop(.singleQuotes, start..<start + 1)
    }
    try report(.singleQuotes, start..<end)
    try append(.string, guessedFrom: start..<end)
  }

  /// Reads text as a value although it is not one. Stops if what follows shows that the guess was wrong.
  private mutating func append(_ kind: JSONNode.Kind, guessedFrom range: Range<Int>) throws(Stop) {
    append(kind, from: range.lowerBound, to: range.upperBound)
    position = range.upperBound
    let next = bytes[position...].first { !JSONParser.isSpace($0) }
    guard next.map({ ",:]}#/".utf8.contains($0) }) ?? true else { throw Stop() }
  }

  // MARK: Strings

  /// Reports a control character in a string.
  mutating func recoverControl(inStringAt start: Int) throws(Stop) {
    let control = byte
    if control == .lineFeed || control == .carriageReturn { throw stop(.lineBreak, start..<position) }
    let first = position
    while position < bytes.count, byte == control { position += 1 }
    let point = JSONParser.codePoint(UInt32(control))
    let mistake: JSONMistake =
      control == 0x09
      ? .control("tab", escape: "\\t")
      : .control("control character \(point)", escape: "\\u\(point.dropFirst(2).lowercased())")
    try report(mistake, first..<position)
  }

  /// Reports a backslash before a character that cannot be escaped.
  mutating func recoverEscape() throws(Stop) {
    let start = position
    position += 1
    // A line break or bytes that are not UTF-8 are reported as that.
    let length = UTF8Scalar.length(at: position, in: bytes)
    guard length > 0, byte != .lineFeed, byte != .carriageReturn else { return }
    let name =
      byte > 0x20 && byte < 0x7F ? "escape \"\\\(Character(Unicode.Scalar(byte)))\"" : "escape of \(found)"
    position += length
    try report(.escape(name), start..<position)
  }

  /// Reports `\u` without four hexadecimal digits after it.
  mutating func recoverHexEscape() throws(Stop) {
    let start = position
    position += 2
    while position < bytes.count, Hexadecimal.value(of: byte) != nil { position += 1 }
    try report(.hexEscape, start..<position)
  }

  /// Reports half of a surrogate pair. It is not a character, and cannot be encoded in UTF-8 (RFC 8259 section 8.2).
  mutating func recoverSurrogate() throws(Stop) {
    let range = position..<position + 6
    position += 6
    try report(.halfCharacter(excerpt(range)), range)
  }

  // MARK: Looking around

  /// The offset after the last byte before the position that is not white space.
  private var endBeforeSpace: Int {
    (bytes[..<position].lastIndex { !JSONParser.isSpace($0) } ?? -1) + 1
  }

  /// True if a string ends directly before the position.
  private var touchesString: Bool { position > 0 && bytes[position - 1] == UInt8(ascii: "\"") }

  private static let quoteHelp =
    "check the quotation marks before this: one may be missing, and one inside a string is written \\\""

  /// True if a value seems to begin at the position.
  private var valueFollows: Bool { "\"{[".utf8.contains(byte) || JSONParser.isWordByte(byte) }

  /// True if a string or a word with a colon after it begins at the position.
  private var keyFollows: Bool {
    let end = byte == UInt8(ascii: "\"") ? stringEnd : wordEnd
    guard end > position, end <= bytes.count else { return false }
    return bytes[end...].first { !JSONParser.isSpace($0) } == UInt8(ascii: ":")
  }

  /// The offset after the string that begins with a quotation mark of any kind at the position. It is larger than the
  /// text if the string does not end on its line.
  private var stringEnd: Int {
    var end = position + 1
    while end < bytes.count, bytes[end] >= 0x20 {
      if bytes[end] == byte { return end + 1 }
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count + 1
  }

  /// The offset after the letters, digits and signs from the position on.
  private var wordEnd: Int {
    bytes[position...].firstIndex { !JSONParser.isWordByte($0) } ?? bytes.count
  }

  /// Returns the text of a place for a message. A long text is shortened.
  private func excerpt(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.prefix(60)], as: UTF8.self) + (range.count > 60 ? "…" : "")
  }
}
