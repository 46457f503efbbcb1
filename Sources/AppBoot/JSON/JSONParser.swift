/// The parser of `JSONDocument`: one loop over the bytes, without recursion.
///
/// If the fast path finds something unexpected, it calls a function of `JSONParser+Mistakes.swift`. The function
/// reports the mistake. Then it either recovers from it, so that parsing continues, or stops the parser.
struct JSONParser {
  /// An error that ends parsing after a mistake. The mistake itself is in ``JSONParser/problems``.
  struct Stop: Error {}

  /// An array or an object that is not closed yet.
  struct Frame {
    let node: Int
    let isObject: Bool
    /// The closing bracket.
    var end: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  struct Outcome {
    var nodes: [JSONNode]
    var problems: [Diagnostic]
    var duplicates: [JSONDuplicateKey]
  }

  /// The maximum number of mistakes that are reported.
  static let problemLimit = 100

  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  var nodes: [JSONNode] = []
  var frames: [Frame] = []
  var problems: [Diagnostic] = []
  var duplicates: [JSONDuplicateKey] = []

  static func parse(_ source: SourceText) -> Outcome {
    source.bytes.withUnsafeBufferPointer { bytes in
      var parser = JSONParser(bytes: bytes)
      // Room for a value in about six bytes; the tape grows beyond that.
      parser.nodes.reserveCapacity(min(bytes.count / 6 + 8, 1 << 24))
      try? parser.readDocument()
      return Outcome(
        nodes: parser.nodes, problems: parser.problems.sortedByPosition(), duplicates: parser.duplicates)
    }
  }

  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The byte at the position; 0 at the end of the text. A NUL byte in the text is an error wherever the byte is used.
  @inline(__always)
  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  // MARK: The loop

  private mutating func readDocument() throws(Stop) {
    try checkBeginning()
    try skipSpace()
    guard position < bytes.count else { throw noValue() }
    repeat {
      while try readValue() {}
    } while try advance()
    try skipSpace()
    guard position == bytes.count else { throw trailing() }
  }

  /// Reads a value that is not a container, or opens a container. Returns true if the container's first value follows.
  @inline(__always)
  private mutating func readValue() throws(Stop) -> Bool {
    switch byte {
    case UInt8(ascii: "\""): try readString()
    case UInt8(ascii: "{"): return try open(.object)
    case UInt8(ascii: "["): return try open(.array)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): try readNumber()
    case UInt8(ascii: "t"): try readWord("true", .true)
    case UInt8(ascii: "f"): try readWord("false", .false)
    case UInt8(ascii: "n"): try readWord("null", .null)
    default: try recoverValue()
    }
    return false
  }

  @inline(__always)
  private mutating func open(_ kind: JSONNode.Kind) throws(Stop) -> Bool {
    guard frames.count < JSONDocument.depthLimit else { throw tooDeep() }
    let frame = Frame(node: nodes.count, isObject: kind == .object)
    frames.append(frame)
    append(kind, from: position, to: position + 1)
    position += 1
    try skipSpace()
    if byte == UInt8(ascii: ",") { try recoverComma(from: position, in: frame) }
    return try !closes(frame)
  }

  /// Continues after a value: closes containers that end. Returns true if another value follows in an open container.
  @inline(__always)
  private mutating func advance() throws(Stop) -> Bool {
    while let frame = frames.last {
      try skipSpace()
      if byte == UInt8(ascii: ",") {
        let comma = position
        position += 1
        try skipSpace()
        if byte == UInt8(ascii: ",") || byte == frame.end { try recoverComma(from: comma, in: frame) }
      } else if byte != frame.end {
        try recoverMissingComma(in: frame)
      }
      if try !closes(frame) { return true }
    }
    return false
  }

  /// Closes the innermost container if its closing bracket is at the position. Otherwise, reads the key of the next
  /// value in an object.
  private mutating func closes(_ frame: Frame) throws(Stop) -> Bool {
    guard byte == frame.end else {
      if frame.isObject { try readKey() }
      return false
    }
    frames.removeLast()
    position += 1
    nodes[frame.node].end = UInt32(truncatingIfNeeded: position)
    nodes[frame.node].next = UInt32(truncatingIfNeeded: nodes.count)
    if frame.isObject { findDuplicates(in: frame.node) }
    return true
  }

  /// Collects the keys that an object has twice. Keys are compared code point by code point (RFC 8259 section 8.3).
  private mutating func findDuplicates(in object: Int) {
    var firsts: [[UInt8]: Int] = [:]
    var key = object + 1
    while key < nodes.count {
      let text = JSONEscape.unescape(nodes[key].content, in: bytes)
      if let first = firsts[text] {
        duplicates.append(
          JSONDuplicateKey(
            key: String(decoding: text, as: UTF8.self), first: nodes[first].range, second: nodes[key].range))
      } else {
        firsts[text] = key
      }
      key = Int(nodes[key + 1].next)
    }
  }

  /// Reads a key and its colon. Afterwards the position is at the value.
  private mutating func readKey() throws(Stop) {
    if byte == UInt8(ascii: "\"") { try readString() } else { try recoverKey() }
    try skipSpace()
    guard byte == UInt8(ascii: ":") else { return try recoverColon() }
    position += 1
    try skipSpace()
  }

  // MARK: Tokens

  @inline(__always)
  mutating func append(_ kind: JSONNode.Kind, from start: Int, to end: Int, escapes: Bool = false) {
    nodes.append(JSONNode(kind, start: start, end: end, next: nodes.count + 1, escapes: escapes))
  }

  /// Moves the position to the next byte that is not white space (RFC 8259 section 2).
  mutating func skipSpace() throws(Stop) {
    while position < bytes.count {
      if JSONParser.isSpace(byte) {
        position += 1
      } else {
        guard byte < 0x20 || byte >= 0x80 || "/#".utf8.contains(byte), try recoverSpace() else { return }
      }
    }
  }

  @inline(__always)
  private mutating func readWord(_ word: StaticString, _ kind: JSONNode.Kind) throws(Stop) {
    let length = word.utf8CodeUnitCount
    guard position + length <= bytes.count else { return try recoverValue() }
    for offset in 0..<length where bytes[position + offset] != word.utf8Start[offset] {
      return try recoverValue()
    }
    if position + length < bytes.count, JSONParser.isWordByte(bytes[position + length]) {
      return try recoverValue()
    }
    append(kind, from: position, to: position + length)
    position += length
  }

  private mutating func readNumber() throws(Stop) {
    guard let end = numberEnd, end == bytes.count || !JSONParser.isWordByte(bytes[end]) else {
      return try recoverValue()
    }
    append(.number, from: position, to: end)
    position = end
  }

  /// The offset after the number at the position (RFC 8259 section 6); `nil` if there is no number.
  private var numberEnd: Int? {
    var index = position
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    let whole = skipDigits(from: index)
    if whole == index || (bytes[index] == UInt8(ascii: "0") && whole > index + 1) { return nil }
    index = whole
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      let fraction = skipDigits(from: index + 1)
      if fraction == index + 1 { return nil }
      index = fraction
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
        index += 1
      }
      let exponent = skipDigits(from: index)
      if exponent == index { return nil }
      index = exponent
    }
    return index
  }

  /// Returns whether a text is a number.
  static func isNumber(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { JSONParser(bytes: $0).numberEnd == bytes.count }
  }

  @inline(__always)
  private func skipDigits(from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
    return index
  }

  /// Returns whether a byte can be part of a word or of a malformed number.
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Returns whether a byte is white space (RFC 8259 section 2).
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  // MARK: Strings

  /// Reads the string at the position, with its quotation marks (RFC 8259 section 7).
  private mutating func readString() throws(Stop) {
    let start = position
    var hasEscapes = false
    position += 1
    while position < bytes.count {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return append(.string, from: start, to: position, escapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try readEscape()
      case 0..<0x20:
        try recoverControl(inStringAt: start)
      case 0x80...:
        let length = UTF8Scalar.length(at: position, in: bytes)
        guard length > 0 else { throw notUTF8() }
        position += length
      default:
        position += 1
      }
    }
    throw stop(.openString, start..<position)
  }

  private mutating func readEscape() throws(Stop) {
    // The text ends after a backslash: the string is not closed.
    guard position + 1 < bytes.count else { return position += 1 }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      try readUnicodeEscape()
    default:
      try recoverEscape()
    }
  }

  private mutating func readUnicodeEscape() throws(Stop) {
    guard let unit = JSONEscape.hexUnit(at: position + 2, in: bytes) else { return try recoverHexEscape() }
    guard UTF16.isSurrogate(UInt16(truncatingIfNeeded: unit)) else { return position += 6 }
    let second = position + 6
    guard UTF16.isLeadSurrogate(UInt16(truncatingIfNeeded: unit)), bytes[second...].starts(with: "\\u".utf8),
      let low = JSONEscape.hexUnit(at: second + 2, in: bytes),
      UTF16.isTrailSurrogate(UInt16(truncatingIfNeeded: low))
    else { return try recoverSurrogate() }
    position += 12
  }
}
