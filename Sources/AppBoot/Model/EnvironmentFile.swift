import AppBootBase

/// An environment file, with one `NAME=VALUE` on each line.
///
/// - Blank lines and lines that begin with `#` are ignored. `export` before a name is ignored, and so are blanks around
///   the name and the value.
/// - A value without quotes ends at the end of the line, or at a `#` after a blank. It has no escapes.
/// - A value in single quotes has no escapes and no variables. It may span several lines.
/// - A value in double quotes may span several lines. `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes. Any other
///   backslash is a part of the value.
/// - In the other values, `${NAME}` is the value of a variable of the environment, or else of an earlier line, and
///   `${NAME:-TEXT}` has a default (POSIX, 2.6.2). Any other `$` is a part of the value.
/// - If a name occurs twice, the last value counts.
package struct EnvironmentFile {
  /// A mistake in the file.
  package struct Problem: Error, Equatable {
    /// The line, from 1.
    package let line: Int
    /// The mistake, with its correction if there is a usual one.
    package let text: String
  }

  /// The values of the variables, by name.
  package private(set) var variables: [String: String] = [:]
  /// The mistakes, at most ``limit``.
  package private(set) var problems: [Problem] = []

  private static let limit = 16

  /// A function that returns the value of a variable of the environment.
  private let lookUp: @Sendable (String) -> String?
  private let bytes: [UInt8]
  /// The bytes that are not read yet.
  private var rest: ArraySlice<UInt8>

  /// Parses the bytes of a file. A problem never contains a value, because a value may be a secret.
  package init(
    parsing bytes: [UInt8], lookUp: @escaping @Sendable (String) -> String? = ProcessEnvironment.value(of:)
  ) {
    (self.bytes, self.lookUp) = (bytes, lookUp)
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
      let isAlone = name(in: bytes[start..<rest.startIndex].prefix { $0 != UInt8(ascii: "\r") }) != nil
      throw problem(
        at: first,
        "the line has no \"=\": write NAME=VALUE"
          + (isAlone ? ", or remove the line, because steps inherit the environment" : ""))
    }
    guard let name = name(in: bytes[start..<rest.startIndex]) else {
      throw problem(
        at: first, "a name has letters, digits, \"_\", \".\" and \"-\", and no digit first: write NAME=VALUE")
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
    // As most readers do, dots and dashes are taken, too. A shell does not see such a variable.
    let dots = [UInt8(ascii: "."), UInt8(ascii: "-")]
    guard words.count == 1, let start = words[0].first, !dots.contains(start),
      Self.isName(words[0].filter { !dots.contains($0) })
    else { return nil }
    return String(decoding: words[0], as: UTF8.self)
  }

  /// The rule of ``isName(_:)`` for messages.
  package static let nameRule = "a name has letters, digits and \"_\", and no digit first"

  /// Returns whether a shell accepts a name: letters, digits and `_`, with no digit first (POSIX, 3.216).
  package static func isName(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, !(0x30...0x39).contains(first) else { return false }
    return name.allSatisfy(\.isWord)
  }

  // MARK: - Values

  private mutating func readValue(from first: Int) throws(Problem) -> [UInt8] {
    let start = rest.startIndex
    skipBlanks()
    guard let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      return try readPlainValue(afterBlank: rest.startIndex > start)
    }
    rest.removeFirst()
    guard let value = try readQuotedValue(quote) else {
      throw problem(at: first, "the quote \(String(decoding: [quote], as: UTF8.self)) has no end: add it")
    }
    skipBlanks()
    guard isLineEnd || rest.first == UInt8(ascii: "#") else {
      let advice =
        quote == UInt8(ascii: "'") && value.last == UInt8(ascii: "\\")
        ? ": use double quotes if the value needs escapes" : ""
      throw problem(at: rest.startIndex, "only a comment may follow the closing quote\(advice)")
    }
    return value
  }

  private mutating func readPlainValue(afterBlank: Bool) throws(Problem) -> [UInt8] {
    var isAfterBlank = afterBlank
    var value: [UInt8] = []
    while let byte = rest.first, !isLineEnd, !(isAfterBlank && byte == UInt8(ascii: "#")) {
      if let variable = try readVariable() {
        value += variable
        isAfterBlank = false
        continue
      }
      guard byte != UInt8(ascii: "\r") else {
        throw problem(
          at: rest.startIndex,
          "a carriage return alone does not end a line: use LF or CR LF, or write \"\\r\" in double quotes"
        )
      }
      isAfterBlank = Self.isBlank(byte)
      value.append(byte)
      rest.removeFirst()
    }
    while let last = value.last, Self.isBlank(last) { value.removeLast() }
    return value
  }

  /// Reads a value up to its closing quote; returns `nil` if there is no closing quote.
  private mutating func readQuotedValue(_ quote: UInt8) throws(Problem) -> [UInt8]? {
    var value: [UInt8] = []
    while !rest.isEmpty {
      if quote == UInt8(ascii: "\""), let variable = try readVariable() {
        value += variable
        continue
      }
      let byte = rest.removeFirst()
      if byte == quote { return value }
      let hasEscapes = quote == UInt8(ascii: "\"") && byte == UInt8(ascii: "\\")
      let escaped = hasEscapes ? rest.first.flatMap(Self.escape) : nil
      if escaped != nil { rest.removeFirst() }
      value.append(escaped ?? byte)
    }
    return nil
  }

  /// Reads `${NAME}` or `${NAME:-TEXT}`; returns `nil` if the text does not begin with one.
  private mutating func readVariable() throws(Problem) -> [UInt8]? {
    guard rest.starts(with: "${".utf8) else { return nil }
    let body = rest.dropFirst(2).prefix { !"{}\"\n".utf8.contains($0) }
    let variable = VariablePlaceholder(String(decoding: body, as: UTF8.self))
    guard rest[body.endIndex...].first == UInt8(ascii: "}"), Self.isName(variable.name.utf8) else {
      // Shells and other readers of such files expand these.
      let name = body.prefix(while: \.isWord)
      let form = body[name.endIndex...].prefix(body[name.endIndex...].first == UInt8(ascii: ":") ? 2 : 1)
      if Self.isName(name), let sign = form.last, "-+?=".utf8.contains(sign) {
        let text = String(decoding: name + form, as: UTF8.self)
        throw problem(
          at: rest.startIndex,
          "${\(text)…} is neither ${NAME} nor ${NAME:-TEXT} with a plain TEXT: write one of these, or put "
            + "the text in single quotes to keep it as it is")
      }
      return nil
    }
    guard let value = variable.value(lookUp(variable.name) ?? variables[variable.name]) else {
      throw problem(
        at: rest.startIndex, "the variable \(variable.name) is not set: write ${\(variable.name):-DEFAULT}")
    }
    rest = rest[(body.endIndex + 1)...]
    return Array(value.utf8)
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

/// The variable of a placeholder: `{env.NAME}`, or `{env.NAME:-DEFAULT}`.
///
/// The default replaces a variable that is not set or empty, as in a shell (POSIX, 2.6.2).
package struct VariablePlaceholder: Sendable, Hashable {
  /// The name of the variable.
  package let name: String
  /// The default; `nil` for none.
  package let fallback: String?

  /// Creates the variable of a placeholder's text after `env.`, or of the text in `${…}`.
  package init(_ text: some StringProtocol) {
    let name = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    let rest = text.utf8[name.endIndex...]
    guard rest.starts(with: ":-".utf8) else {
      (self.name, fallback) = (String(text), nil)
      return
    }
    self.name = String(Substring(text)[..<name.endIndex])
    fallback = String(Substring(text)[rest.index(rest.startIndex, offsetBy: 2)...])
  }

  /// Returns the variable's value or the default; `nil` if there is neither.
  package func value(_ value: String?) -> String? {
    if let fallback, value?.isEmpty ?? true { return fallback }
    return value
  }
}

extension UInt8 {
  /// True for an ASCII letter, a digit or `_`.
  package var isWord: Bool {
    (0x30...0x39).contains(self) || self == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
