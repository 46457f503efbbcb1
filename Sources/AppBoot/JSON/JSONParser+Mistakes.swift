// Reports mistakes in the structure of a text, and recovers from them.
//
// `recover…` reports a mistake and leaves the parser where the correct text would have left it, or throws.
// Functions that return a `Stop` have reported the mistake that ends the parsing.

extension JSONParser {
  // MARK: Reporting

  mutating func report(_ problem: Diagnostic) throws(Stop) {
    guard problems.count + 1 < JSONParser.problemLimit else {
      var last = problem
      last.help.append("there may be more mistakes after this one; reading stopped here")
      throw stop(last)
    }
    problems.append(problem)
  }

  mutating func stop(_ problem: Diagnostic) -> Stop {
    problems.append(problem)
    return Stop()
  }

  // MARK: Beginning and end

  mutating func checkBeginning() throws(Stop) {
    guard bytes.count <= Int(UInt32.max) else {
      throw stop(.error("the text is larger than 4 GiB", at: SourceRange(0, 0), help: "split it"))
    }
    if looksLikeUTF16 {
      let help = "save the file as UTF-8 without a byte-order mark"
      throw stop(.error("the text is UTF-16 or UTF-32, not UTF-8", at: SourceRange(0, 0), help: help))
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      let help = "save the file as UTF-8 without a byte-order mark"
      try report(.error("the text begins with a byte-order mark", at: SourceRange(0, 3), help: help))
    }
    if let (format, help, range) = OtherFormat.found(in: bytes, from: position) {
      throw stop(.error("this is \(format); AppBoot reads JSON", at: range, help: help))
    }
  }

  private var looksLikeUTF16: Bool {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { return true }
    guard bytes.count >= 2, bytes.count % 2 == 0 else { return false }
    let pairs = stride(from: 0, to: min(bytes.count, 4), by: 2)
    return pairs.allSatisfy { bytes[$0] == 0 && bytes[$0 + 1] != 0 }
      || pairs.allSatisfy { bytes[$0] != 0 && bytes[$0 + 1] == 0 }
  }

  mutating func nothingFound() -> Stop {
    let message =
      if bytes.isEmpty {
        "the text is empty"
      } else if problems.isEmpty {
        "the text contains only white space"
      } else {
        "the text contains no value"
      }
    let place = problems.isEmpty ? 0 : position
    let help = "write a value; the smallest object is {}"
    return stop(.error(message, at: SourceRange(place, place), help: help))
  }

  /// Reports text after the root value.
  mutating func trailing() -> Stop {
    if doubtfulNode == nodes.count - 1 { return Stop() }
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      return stop(
        .error(
          "\(found) closes nothing", at: foundRange, help: "remove it, or add the bracket that it closes"))
    case UInt8(ascii: ","):
      return stop(.error("a comma after the end", at: foundRange, help: "remove this comma"))
    default:
      let help = "a JSON text is one value; several values go into an array"
      return unexpected("after the end of the JSON value", help: help)
    }
  }

  mutating func tooDeep() -> Stop {
    let limit = JSONDocument.depthLimit
    return stop(
      .error("arrays and objects are nested more than \(limit) deep", at: foundRange, help: "nest them less"))
  }

  /// Reports that the text ends inside an array or an object.
  private mutating func unclosed() -> Stop {
    let end = endBeforeSpace
    guard let frame = frames.last else {
      return stop(.error("the text ends, but a value is missing", at: SourceRange(end, end)))
    }
    let kind = frame.isObject ? "object" : "array"
    var help = "close all \(frames.count) arrays and objects that are open"
    if frames.count <= 16 {
      let brackets = frames.reversed().map { $0.isObject ? "}" : "]" }.joined()
      help = "complete the text, and close the open brackets with \"\(brackets)\""
    }
    return stop(
      .error("the text ends inside an \(kind)", at: SourceRange(end, end), help: help)
        .noting("the \(kind) begins here", at: openingBracket(of: frame)))
  }

  private func openingBracket(of frame: Frame) -> SourceRange {
    let start = Int(nodes[frame.node].start)
    return SourceRange(start, start + 1)
  }

  // MARK: Commas

  /// Reports and skips commas directly after an opening bracket.
  mutating func recoverCommaFirst() throws(Stop) {
    let start = position
    let last = try skipCommas()
    let element = frames.last?.isObject == true ? "member" : "element"
    try report(
      .error("a comma before the first \(element)", at: SourceRange(start, last + 1), help: "remove it"))
  }

  /// Reports commas without a value after them. Returns true if the closing bracket follows.
  mutating func recoverCommaLast() throws(Stop) -> Bool {
    guard let frame = frames.last else { return false }
    let isSeveral = byte == UInt8(ascii: ",")
    let range = SourceRange(comma, (isSeveral ? try skipCommas() : comma) + 1)
    let element = frame.isObject ? "member" : "element"
    if byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      let message = isSeveral ? "commas after the last \(element)" : "a comma after the last \(element)"
      try report(.error(message, at: range, help: "remove \(isSeveral ? "them" : "it")"))
      return true
    }
    if isSeveral {
      let help = "remove all but one of them, or add the missing value"
      try report(.error("no \(element) between commas", at: range, help: help))
    }
    return false
  }

  /// Skips commas and the white space after each. Returns the position of the last comma.
  private mutating func skipCommas() throws(Stop) -> Int {
    var last = position
    while byte == UInt8(ascii: ",") {
      last = position
      position += 1
      try skipSpace()
    }
    return last
  }

  /// Reports a missing comma or a wrong closing bracket after a value.
  mutating func recoverMissingComma() throws(Stop) {
    if doubtfulNode == nodes.count - 1 { throw Stop() }
    guard position < bytes.count else { throw unclosed() }
    guard let frame = frames.last else { return }
    let end = endBeforeSpace
    let canFollow = frame.isObject ? keyFollows : valueFollows
    let isQuoteInString =
      byte == UInt8(ascii: "\"") && end == position && end > 0 && bytes[end - 1] == UInt8(ascii: "\"")
    guard canFollow, !isQuoteInString else { throw notSeparated(in: frame, at: end) }
    try report(
      .error("a comma is missing", at: SourceRange(end, end), help: "write \",\" after this value"))
  }

  private mutating func notSeparated(in frame: Frame, at end: Int) -> Stop {
    let kind = frame.isObject ? "object" : "array"
    let bracket = frame.isObject ? "}" : "]"
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      return mismatch(in: frame)
    case UInt8(ascii: ":") where !frame.isObject:
      let help = "an array has no keys; write values with keys in { }"
      return stop(.error("unexpected \":\" in an array", at: foundRange, help: help))
    default:
      var help = "write \",\" before the next value, or close the \(kind) with \"\(bracket)\""
      if end == position, end > 0, bytes[end - 1] == UInt8(ascii: "\"") {
        help = "if this belongs to the string before it, write the quotation mark inside as \\\""
      }
      return unexpected("instead of \",\" or \"\(bracket)\"", help: help)
    }
  }

  private mutating func mismatch(in frame: Frame) -> Stop {
    let kind = frame.isObject ? "object" : "array"
    let bracket = frame.isObject ? "}" : "]"
    return stop(
      .error(
        "\(found) cannot close an \(kind)", at: foundRange, help: "close the \(kind) with \"\(bracket)\""
      )
      .noting("the \(kind) begins here", at: openingBracket(of: frame)))
  }

  // MARK: Keys

  /// Reports a key that is not a string in quotation marks.
  mutating func recoverKey() throws(Stop) {
    guard position < bytes.count else { throw unclosed() }
    if byte == UInt8(ascii: "'") { return try recoverSingleQuotes() }
    if let frame = frames.last, byte == UInt8(ascii: "]") { throw mismatch(in: frame) }
    if !keyFollows, doubtfulNode == nodes.count - 1 { throw Stop() }
    guard keyFollows else {
      throw unexpected("instead of a key", help: "a key is a string in quotation marks")
    }
    let range = wordRange
    try report(
      .error("a key without quotation marks", at: range, help: "write \"\(excerpt(range))\""))
    append(.string, from: Int(range.start), to: Int(range.end))
    position = Int(range.end)
  }

  /// Reports a missing colon after a key.
  mutating func recoverColon() throws(Stop) {
    guard position < bytes.count else { throw unclosed() }
    guard let key = nodes.last?.range else { return }
    if doubtfulNode == nodes.count - 1 { throw Stop() }
    if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
      keyLacksValue = true
      return try report(
        .error("a key without a value", at: key, help: "write \":\" and a value after the key"))
    }
    guard valueFollows, byte != UInt8(ascii: "\"") || !keyFollows else {
      throw unexpected("instead of \":\"", help: "write \":\" between a key and its value")
    }
    let end = endBeforeSpace
    try report(
      .error("a colon is missing", at: SourceRange(end, end), help: "write \":\" after the key"))
  }

  // MARK: Values

  /// Reports text that is not a value.
  mutating func recoverValue() throws(Stop) {
    if keyLacksValue {
      keyLacksValue = false
      doubtfulNode = nodes.count
      return append(.null, from: position, to: position)
    }
    guard position < bytes.count else { throw unclosed() }
    switch byte {
    case UInt8(ascii: "'"):
      try recoverSingleQuotes()
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
      try recoverNoValue()
    case let byte where JSONParser.isWordByte(byte):
      try recoverWord()
    default:
      let help = "a value is a string in quotation marks, a number, true, false, null, [ ] or { }"
      throw unexpected("instead of a value", help: help)
    }
  }

  /// Reports a comma or a closing bracket at the place of a value.
  private mutating func recoverNoValue() throws(Stop) {
    guard let frame = frames.last else {
      throw unexpected("instead of a value", help: "remove it")
    }
    guard frame.isObject, byte != UInt8(ascii: "]") else { throw mismatch(in: frame) }
    let end = endBeforeSpace
    try report(
      .error("a value is missing", at: SourceRange(end, end), help: "write a value after the colon"))
    append(.null, from: position, to: position)
  }

  /// Reports a string in single quotation marks, and reads it.
  private mutating func recoverSingleQuotes() throws(Stop) {
    let start = position
    var end = start + 1
    while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "'") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    let help = "write \" instead of '"
    guard end < bytes.count, bytes[end] == UInt8(ascii: "'") else {
      throw stop(.error("unexpected \"'\"", at: SourceRange(start, start + 1), help: help))
    }
    let range = SourceRange(start, end + 1)
    try report(.error("a string in single quotation marks", at: range, help: help))
    doubtfulNode = nodes.count
    append(.string, from: start, to: end + 1)
    position = end + 1
  }

  // MARK: Looking around

  /// The offset after the last byte before the position that is not white space.
  var endBeforeSpace: Int {
    var end = position
    while end > 0, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[end - 1]) { end -= 1 }
    return end
  }

  /// True if a valid value begins at the position.
  private var valueFollows: Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      JSONWord(text: excerpt(wordRange)).isNumber
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      ["true", "false", "null"].contains(excerpt(wordRange))
    default:
      false
    }
  }

  /// True if a string or a word with a colon after it begins at the position.
  private var keyFollows: Bool {
    var end = Int(wordRange.end)
    if byte == UInt8(ascii: "\"") {
      end = position + 1
      while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\"") {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      end += 1
    } else if end == position {
      return false
    }
    while end < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[end]) { end += 1 }
    return end < bytes.count && bytes[end] == UInt8(ascii: ":")
  }

  /// The place of the letters, digits and signs from the position on.
  var wordRange: SourceRange {
    var end = position
    while end < bytes.count, JSONParser.isWordByte(bytes[end]) { end += 1 }
    return SourceRange(position, end)
  }

  /// Returns the text of a place for a message. A long text is shortened.
  func excerpt(_ range: SourceRange) -> String {
    let limit = 60
    let slice = bytes[Int(range.start)..<min(Int(range.end), Int(range.start) + limit)]
    return String(decoding: slice, as: UTF8.self) + (Int(range.end - range.start) > limit ? "…" : "")
  }
}
