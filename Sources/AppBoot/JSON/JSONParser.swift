/// The parser of `JSONDocument`: one loop over the bytes, without recursion.
///
/// If the fast path finds something unexpected, it calls a function of `JSONParser+Mistakes.swift`. The function
/// reports the mistake. Then it either recovers from it, so that parsing continues, or stops the parser.
struct JSONParser {
  /// An error that ends parsing after a mistake. The mistake itself is in ``JSONParser/problems``.
  struct Stop: Error {}

  /// An array or an object that is not closed yet.
  struct Frame {
    var node: Int
    var count: UInt32
    var isObject: Bool
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
  /// The position of the last comma that was read.
  var comma = 0
  /// True if invalid UTF-8 was reported. It is reported once, because a file in another encoding has very much of it.
  var reportedEncoding = false
  /// True if a key without a value was reported directly before the position.
  var keyLacksValue = false
  /// The index of the last node that was recovered by a guess; -1 if there is none.
  ///
  /// A mistake directly after that node may be a result of the guess, and is not reported.
  var doubtfulNode = -1

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
    guard position < bytes.count else { throw nothingFound() }
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
    frames.append(Frame(node: nodes.count, count: 0, isObject: kind == .object))
    append(kind, from: position, to: position + 1)
    position += 1
    try skipSpace()
    if byte == UInt8(ascii: ",") { try recoverCommaFirst() }
    if byte == (kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      close()
      return false
    }
    if kind == .object { try readKey() }
    return true
  }

  /// Continues after a value: closes containers that end. Returns true if another value follows in an open container.
  @inline(__always)
  private mutating func advance() throws(Stop) -> Bool {
    while let frame = frames.last {
      frames[frames.count - 1].count &+= 1
      try skipSpace()
      if byte == UInt8(ascii: ",") {
        comma = position
        position += 1
        try skipSpace()
      } else if byte != (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
        try recoverMissingComma()
      } else {
        close()
        continue
      }
      let next = byte
      if next == UInt8(ascii: ",") || next == UInt8(ascii: "]") || next == UInt8(ascii: "}") {
        if try recoverCommaLast() {
          close()
          continue
        }
      }
      if frame.isObject { try readKey() }
      return true
    }
    return false
  }

  /// Closes the innermost container. The position is at its closing bracket.
  private mutating func close() {
    guard let frame = frames.popLast() else { return }
    position += 1
    nodes[frame.node].close(end: position, next: nodes.count, count: frame.count)
    if frame.isObject, frame.count > 1 { findDuplicates(in: frame.node, count: Int(frame.count)) }
  }

  /// Reads a key and its colon. Afterwards the position is at the value.
  @inline(__always)
  private mutating func readKey() throws(Stop) {
    if byte == UInt8(ascii: "\"") { try readString() } else { try recoverKey() }
    if byte == UInt8(ascii: ":") {
      position += 1
      try skipSpace()
    } else {
      try skipSpace()
      if byte == UInt8(ascii: ":") {
        position += 1
        try skipSpace()
      } else {
        try recoverColon()
      }
    }
  }

  // MARK: Tokens

  @inline(__always)
  mutating func append(_ kind: JSONNode.Kind, from start: Int, to end: Int, escapes: Bool = false) {
    nodes.append(JSONNode(kind, start: start, end: end, next: nodes.count + 1, escapes: escapes))
  }

  /// Moves the position to the next byte that is not white space (RFC 8259 section 2).
  @inline(__always)
  mutating func skipSpace() throws(Stop) {
    // Every byte above the space that is not odd ends the search at once.
    while position < bytes.count {
      let byte = bytes[position]
      if byte > 0x23, byte < 0x80, byte != UInt8(ascii: "/") { return }
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      case UInt8(ascii: "\""), UInt8(ascii: "!"): return
      default: if try !recoverSpace() { return }
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

  /// Reads the number at the position (RFC 8259 section 6).
  @inline(__always)
  private mutating func readNumber() throws(Stop) {
    var index = position
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    let whole = skipDigits(from: index)
    if whole == index || (bytes[index] == UInt8(ascii: "0") && whole > index + 1) {
      return try recoverValue()
    }
    index = whole
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      let fraction = skipDigits(from: index + 1)
      if fraction == index + 1 { return try recoverValue() }
      index = fraction
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
        index += 1
      }
      let exponent = skipDigits(from: index)
      if exponent == index { return try recoverValue() }
      index = exponent
    }
    if index < bytes.count, JSONParser.isWordByte(bytes[index]) { return try recoverValue() }
    append(.number, from: position, to: index)
    position = index
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
}
