import AppBootBase

/// The parser of `JSONDocument`: one loop over the values, without recursion.
///
/// If it finds something unexpected, it calls a function of `JSONParser+Mistakes.swift`. The function reports the
/// mistake. Then it either recovers from it, so that parsing continues, or stops the parser.
struct JSONParser {
  /// An error that ends parsing after a mistake. The mistake itself is in ``JSONParser/problems``.
  struct Stop: Error {}

  /// An array or an object that is not closed yet.
  struct Container {
    /// The offset of the opening bracket.
    let first: Int
    let isObject: Bool
    /// The keys of an object, each with a value at the same index.
    var keys: [JSONKey] = []
    var values: [JSONValue] = []
    /// The closing bracket.
    var end: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  /// The maximum number of mistakes that are reported.
  static let problemLimit = 100

  let bytes: [UInt8]
  private let origin: JSONOrigin
  /// True if the text may have the comments of JavaScript (JSONC).
  let allowsComments: Bool
  var position = 0
  /// The value of the whole text; `nil` until its end is read.
  private(set) var root: JSONValue?
  /// The arrays and objects around the position, the innermost last.
  var containers: [Container] = []
  var problems: [Diagnostic] = []
  private(set) var duplicates: [JSONDuplicateKey] = []

  init(_ source: SourceText, from start: Int) {
    bytes = source.bytes
    allowsComments = source.name.hasSuffix(".jsonc")
    origin = JSONOrigin(source: source, start: start)
  }

  /// The byte at the position; 0 at the end of the text. A NUL byte in the text is an error wherever the byte is used.
  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func readDocument() throws(Stop) {
    try checkFormat()
    try skipSpace()
    guard position < bytes.count else { throw stop(.noValue, endBeforeSpace..<endBeforeSpace) }
    repeat {
      try readValue()
      try readComma()
      while let container = containers.last, byte == container.end {
        close(container)
        try readComma()
      }
      if containers.last?.isObject == true { try readKey() }
    } while !containers.isEmpty
    guard position == bytes.count else { throw trailing() }
  }

  // MARK: Containers

  /// Reads a value that is not a container, or the opening bracket of a container.
  private mutating func readValue() throws(Stop) {
    let first = position
    switch byte {
    case UInt8(ascii: "\""):
      append(.string(try readString()), from: first)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard containers.count < JSONDocument.depthLimit else { throw stop(.tooDeep, first..<first + 1) }
      containers.append(Container(first: first, isObject: byte == UInt8(ascii: "{")))
      position += 1
    default:
      guard let content = content(ofWord: String(decoding: bytes[first..<wordEnd], as: UTF8.self)) else {
        return try recoverValue()
      }
      position = wordEnd
      append(content, from: first)
    }
  }

  private func content(ofWord word: String) -> JSONValue.Content? {
    switch word {
    case "true": .bool(true)
    case "false": .bool(false)
    case "null": .null
    default: JSONParser.isNumber(word) ? .number : nil
    }
  }

  /// Reads the comma after a value, and the white space around it. The closing bracket of a container needs no comma.
  private mutating func readComma() throws(Stop) {
    try skipSpace()
    guard let last = containers.indices.last else { return }
    let (isObject, closing) = (containers[last].isObject, containers[last].end)
    let isEmpty = containers[last].values.isEmpty
    let first = position
    var end = first
    var count = 0
    while byte == UInt8(ascii: ",") {
      count += 1
      position += 1
      end = position
      try skipSpace()
    }
    if count > 0, byte == closing, !isEmpty {
      try report(.lastComma(inObject: isObject), first..<end)
    } else if count > (isEmpty ? 0 : 1) {
      try report(.extraComma(inObject: isObject), first..<end)
    } else if count == 0, byte != closing, !isEmpty {
      try recoverMissingComma(in: containers[last])
    }
  }

  private mutating func close(_ container: Container) {
    containers.removeLast()
    position += 1
    if container.isObject {
      findDuplicates(among: container.keys)
      let members = zip(container.keys, container.values).map { (key: $0, value: $1) }
      append(.object(members), from: container.first)
    } else {
      append(.array(container.values), from: container.first)
    }
  }

  /// Collects the keys that an object has twice. Keys are compared code point by code point (RFC 8259 section 8.3).
  private mutating func findDuplicates(among keys: [JSONKey]) {
    if keys.count <= 8, !keys.indices.contains(where: { has(keys[$0], in: keys[..<$0]) }) { return }
    var firsts: [[UInt8]: SourceRange] = [:]
    for key in keys {
      let bytes = Array(key.string.utf8)
      if let first = firsts[bytes] {
        duplicates.append(JSONDuplicateKey(key: key.string, first: first, second: key.range))
      } else {
        firsts[bytes] = key.range
      }
    }
  }

  private func has(_ key: JSONKey, in keys: ArraySlice<JSONKey>) -> Bool {
    keys.contains { $0 == key.string }
  }

  /// Reads a key and its colon. Afterwards the position is at the value.
  private mutating func readKey() throws(Stop) {
    let first = position
    if byte == UInt8(ascii: "\"") { append(key: try readString(), from: first) } else { try recoverKey() }
    try skipSpace()
    guard byte == UInt8(ascii: ":") else { return try recoverColon() }
    position += 1
    try skipSpace()
  }

  /// Adds a value from an offset to the position.
  mutating func append(_ content: JSONValue.Content, from first: Int) {
    let value = JSONValue(content, at: range(first..<position), in: origin)
    if containers.isEmpty { root = value } else { containers[containers.count - 1].values.append(value) }
  }

  /// Adds a key from an offset to the position.
  mutating func append(key: String, from first: Int) {
    containers[containers.count - 1].keys.append(JSONKey(string: key, range: range(first..<position)))
  }

  func range(_ bytes: Range<Int>) -> SourceRange {
    SourceRange(bytes.lowerBound + origin.start, bytes.upperBound + origin.start)
  }

  // MARK: Words and white space

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

  /// The offset after the letters, digits and signs from the position on.
  var wordEnd: Int { bytes[position...].firstIndex { !JSONParser.isWordByte($0) } ?? bytes.count }

  /// Returns whether a byte can be part of a word or of a malformed number.
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "_$+-.".utf8.contains(byte)
    }
  }

  /// Returns whether a byte is white space (RFC 8259 section 2).
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  /// Returns whether a text is a number (RFC 8259 section 6). `Double` permits more than JSON.
  static func isNumber(_ text: String) -> Bool {
    let number = text.hasPrefix("-") ? text.utf8.dropFirst() : text.utf8[...]
    let isDigit: (UInt8?) -> Bool = { $0.map { (0x30...0x39).contains($0) } ?? false }
    guard Double(text) != nil, isDigit(number.first),
      number.allSatisfy({ "0123456789+-.eE".utf8.contains($0) })
    else { return false }
    let isPadded = number.first == UInt8(ascii: "0") && isDigit(number.dropFirst().first)
    let fraction = number.firstIndex(of: UInt8(ascii: ".")).map { number[$0...].dropFirst() }
    return !isPadded && fraction.map { isDigit($0.first) } ?? true
  }

  // MARK: Strings

  /// Reads the string at the position, with its quotation marks (RFC 8259 section 7).
  private mutating func readString() throws(Stop) -> String {
    let first = position
    var text = ""
    position += 1
    while position < bytes.count {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return text
      case UInt8(ascii: "\\"):
        text += try readEscape()
      case 0..<0x20:
        try recoverControl(inStringAt: first)
      default:
        let rest = bytes[position...]
        let end = rest.firstIndex { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        text += String(decoding: rest[..<(end ?? rest.endIndex)], as: UTF8.self)
        position = end ?? rest.endIndex
      }
    }
    throw stop(.openString, first..<position)
  }

  private static let escapes: [UInt8: String] = [
    UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
    UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
  ]

  /// Reads an escape, and returns its character; empty after a mistake.
  private mutating func readEscape() throws(Stop) -> String {
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    guard next == UInt8(ascii: "u") else {
      guard let character = JSONParser.escapes[next] else { return try recoverEscape() }
      position += 2
      return character
    }
    guard let unit = hexUnit(at: position + 2) else { return try recoverEscape() }
    let second = position + 6
    guard UTF16.isSurrogate(unit) else {
      position = second
      return String(decoding: [unit], as: UTF16.self)
    }
    guard UTF16.isLeadSurrogate(unit), bytes[second...].starts(with: "\\u".utf8),
      let low = hexUnit(at: second + 2), UTF16.isTrailSurrogate(low)
    else { return try recoverEscape() }
    position += 12
    return String(decoding: [unit, low], as: UTF16.self)
  }

  /// Returns the value of the four hexadecimal digits at an offset; `nil` if there are not four digits.
  private func hexUnit(at offset: Int) -> UInt16? {
    let digits = bytes[min(offset, bytes.count)...].prefix(4).compactMap(Hexadecimal.value)
    return digits.count == 4 ? digits.reduce(0) { $0 << 4 | UInt16($1) } : nil
  }
}
