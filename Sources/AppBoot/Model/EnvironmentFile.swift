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
package struct EnvironmentFile {
  /// A mistake in the file.
  package struct Problem: Error, Equatable {
    /// The line, from 1.
    let line: Int
    /// The mistake, with its correction if there is a usual one.
    let text: String
  }

  /// The values of the variables, by name.
  package private(set) var variables: [String: String] = [:]
  /// The mistakes, at most ``limit``.
  package private(set) var problems: [Problem] = []

  private static let limit = 16

  private let bytes: [UInt8]
  /// The bytes that are not read yet.
  private var rest: ArraySlice<UInt8>

  /// Parses the bytes of a file. A problem never contains a value, because a value may be a secret.
  package init(parsing bytes: [UInt8]) {
    self.bytes = bytes
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    rest = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    while !rest.isEmpty, problems.count < Self.limit {
      do throws(Problem) { try readLine() } catch { problems.append(error) }
      rest = rest.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
    }
  }

  // MARK: - Lines

  private mutating func readLine() throws(Problem) {
    let first = rest.startIndex
    skipBlanks()
    guard !isLineEnd, rest.first != UInt8(ascii: "#") else { return }
    let start = rest.startIndex
    rest = rest.drop { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "\n") }
    guard rest.first == UInt8(ascii: "=") else {
      throw problem(at: first, "the line has no \"=\": write NAME=VALUE")
    }
    guard let name = name(in: bytes[start..<rest.startIndex]) else {
      throw problem(
        at: first, "a name has letters, digits and \"_\", and no digit first: write NAME=VALUE")
    }
    rest.removeFirst()
    let value = try readValue(from: first)
    guard !value.contains(0) else { throw problem(at: first, "\(name) has a zero byte") }
    guard let text = String(validUTF8: value) else { throw problem(at: first, "\(name) is not UTF-8") }
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

  private mutating func readValue(from first: Int) throws(Problem) -> [UInt8] {
    let start = rest.startIndex
    skipBlanks()
    guard let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      return readPlainValue(afterBlank: rest.startIndex > start)
    }
    rest.removeFirst()
    guard let value = readQuotedValue(quote) else {
      throw problem(at: first, "the quote \(String(decoding: [quote], as: UTF8.self)) has no end: add it")
    }
    skipBlanks()
    guard isLineEnd || rest.first == UInt8(ascii: "#") else {
      throw problem(at: rest.startIndex, "only a comment may follow the closing quote")
    }
    return value
  }

  private mutating func readPlainValue(afterBlank: Bool) -> [UInt8] {
    var isAfterBlank = afterBlank
    var value: [UInt8] = []
    while let byte = rest.first, !isLineEnd, !(isAfterBlank && byte == UInt8(ascii: "#")) {
      isAfterBlank = Self.isBlank(byte)
      value.append(byte)
      rest.removeFirst()
    }
    while let last = value.last, Self.isBlank(last) { value.removeLast() }
    return value
  }

  /// Reads a value up to its closing quote; returns `nil` if there is no closing quote.
  private mutating func readQuotedValue(_ quote: UInt8) -> [UInt8]? {
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return value }
      let hasEscapes = quote == UInt8(ascii: "\"") && byte == UInt8(ascii: "\\")
      let escaped = hasEscapes ? rest.first.flatMap(Self.escape) : nil
      if escaped != nil { rest.removeFirst() }
      value.append(escaped ?? byte)
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

  /// True at the end of the text, at a line feed, or at a carriage return before one of these.
  private var isLineEnd: Bool {
    let next = rest.first == UInt8(ascii: "\r") ? rest.dropFirst().first : rest.first
    return next == nil || next == UInt8(ascii: "\n")
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private mutating func skipBlanks() { rest = rest.drop(while: Self.isBlank) }

  private func problem(at index: Int, _ text: String) -> Problem {
    Problem(line: bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1, text: text)
  }
}

extension UInt8 {
  /// True for an ASCII letter, a digit or `_`.
  package var isWord: Bool {
    (0x30...0x39).contains(self) || self == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
