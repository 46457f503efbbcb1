import AppBootBase

/// An environment file, with one `NAME=VALUE` on each line.
///
/// - Blank lines and lines that begin with `#` are ignored. `export` before a name is ignored, and so are blanks around
///   the name and the value.
/// - A value without quotes ends at the end of the line, or at a `#` after a blank. It has no escapes.
/// - A value in single quotes has no escapes. It may span several lines.
/// - A value in double quotes may span several lines. `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes. Any other
///   backslash is a part of the value.
/// - Variables in a value are not expanded. If a name occurs twice, the last value counts.
struct EnvironmentFile {
  /// A mistake in the file.
  struct Problem: Equatable {
    /// The line, from 1.
    let line: Int
    /// The mistake, with its correction if there is a usual one.
    let text: String
  }

  /// The values of the variables, by name.
  private(set) var variables: [String: String] = [:]
  /// The mistakes, at most ``limit``.
  private(set) var problems: [Problem] = []

  private static let limit = 16

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  /// Parses the bytes of a file. A problem never contains a value, because a value may be a secret.
  init(parsing bytes: [UInt8]) {
    self.bytes = bytes
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if bytes.starts(with: mark) { position = mark.count }
    while position < bytes.count, problems.count < Self.limit { readLine() }
  }

  // MARK: - Lines

  private mutating func readLine() {
    let first = line
    defer { skipLine() }
    skipBlanks()
    guard let byte = current, !isLineEnd, byte != UInt8(ascii: "#") else { return }
    let start = position
    while !isLineEnd, current != UInt8(ascii: "=") { position += 1 }
    guard current == UInt8(ascii: "=") else {
      return report(first, "the line has no \"=\": write NAME=VALUE")
    }
    guard let name = name(in: bytes[start..<position]) else {
      return report(first, "a name has letters, digits and \"_\", and no digit first: write NAME=VALUE")
    }
    position += 1
    guard let value = readValue(from: first) else { return }
    guard !value.contains(0) else { return report(first, "\(name) has a zero byte") }
    guard let text = String(validUTF8: value) else {
      return report(first, "\(name) is not UTF-8")
    }
    variables[name] = text
  }

  /// Returns the name before an equals sign, without `export`; `nil` if it is not a variable name.
  private func name(in text: ArraySlice<UInt8>) -> String? {
    var words = text.split(whereSeparator: Self.isBlank)
    if words.count == 2, words[0].elementsEqual("export".utf8) { words.removeFirst() }
    guard words.count == 1, Self.isName(words[0]) else { return nil }
    return String(decoding: words[0], as: UTF8.self)
  }

  /// Returns whether a shell accepts a name: letters, digits and `_`, with no digit first (POSIX, 3.216).
  static func isName(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, !(0x30...0x39).contains(first) else { return false }
    return name.allSatisfy(\.isWord)
  }

  // MARK: - Values

  private mutating func readValue(from first: Int) -> [UInt8]? {
    let start = position
    skipBlanks()
    guard let quote = current, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      return readPlainValue(afterBlank: position > start)
    }
    position += 1
    guard let value = readQuotedValue(quote) else {
      report(first, "the quote \(String(decoding: [quote], as: UTF8.self)) has no end: add it")
      return nil
    }
    skipBlanks()
    guard isLineEnd || current == UInt8(ascii: "#") else {
      report(line, "only a comment may follow the closing quote")
      return nil
    }
    return value
  }

  private mutating func readPlainValue(afterBlank: Bool) -> [UInt8] {
    var isAfterBlank = afterBlank
    var value: [UInt8] = []
    while let byte = current, !isLineEnd, !(isAfterBlank && byte == UInt8(ascii: "#")) {
      isAfterBlank = Self.isBlank(byte)
      value.append(byte)
      position += 1
    }
    while let last = value.last, Self.isBlank(last) { value.removeLast() }
    return value
  }

  /// Reads a value up to its closing quote; returns `nil` if there is no closing quote.
  private mutating func readQuotedValue(_ quote: UInt8) -> [UInt8]? {
    var value: [UInt8] = []
    while let byte = current {
      position += 1
      if byte == quote { return value }
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), let escaped = current.flatMap(Self.escape) {
        value.append(escaped)
        position += 1
      } else {
        value.append(byte)
      }
    }
    return nil
  }

  private static func escape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): byte
    default: nil
    }
  }

  // MARK: - Bytes

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// True if the position is at the end of the text, at a line feed, or at a carriage return before one of these.
  private var isLineEnd: Bool {
    guard let current else { return true }
    if current == UInt8(ascii: "\n") { return true }
    return current == UInt8(ascii: "\r")
      && (position + 1 == bytes.count || bytes[position + 1] == UInt8(ascii: "\n"))
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private mutating func skipBlanks() {
    while let byte = current, Self.isBlank(byte) { position += 1 }
  }

  /// Skips the rest of the line, including its line end.
  private mutating func skipLine() {
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\n") {
        line += 1
        return
      }
    }
  }

  private mutating func report(_ line: Int, _ text: String) {
    problems.append(Problem(line: line, text: text))
  }
}

extension UInt8 {
  /// True for an ASCII letter, a digit or `_`.
  package var isWord: Bool {
    (0x30...0x39).contains(self) || self == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
