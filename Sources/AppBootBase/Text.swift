import AppBootLibC

/// An extended regular expression (`regcomp`, POSIX), as for `grep -E`.
///
/// `@unchecked Sendable`: after `init` the compiled expression is only read, which `regexec` allows on all threads.
package final class RegularExpression: @unchecked Sendable {
  private let compiled: UnsafeMutablePointer<regex_t>

  /// An error that reports that a text is not an extended regular expression.
  package struct Invalid: Error, Equatable, CustomStringConvertible {
    /// The system's message, or the correction.
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// Compiles an expression.
  ///
  /// - Throws: ``Invalid``. It is also thrown for classes of other dialects, for example `\d`, which would match other
  ///   text.
  package init(_ text: String) throws(Invalid) {
    if let problem = Self.problem(withDialectOf: text) { throw Invalid(description: problem) }
    let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    compiled.initialize(to: regex_t())
    let code = regcomp(compiled, text, REG_EXTENDED | REG_NOSUB)
    guard code == 0 else {
      let message = Self.message(for: code, compiled)
      compiled.deallocate()
      throw Invalid(description: message)
    }
    // Only now: a throwing initializer with all properties set would run `deinit`.
    self.compiled = compiled
  }

  deinit {
    regfree(compiled)
    compiled.deallocate()
  }

  /// Returns whether a part of the text matches. The text ends at its first zero byte.
  ///
  /// Nothing can end the search, and its time can grow with the square of the text's length.
  package func matches(_ text: String) -> Bool { regexec(compiled, text, 0, nil, 0) == 0 }

  /// The classes of other dialects, and how to write them.
  private static let classes: [Character: String] = [
    "d": "write [0-9]", "D": "write [^0-9]", "s": "write [[:space:]]", "S": "write [^[:space:]]",
    "w": "write [[:alnum:]_]", "W": "write [^[:alnum:]_]", "b": "name the characters around the word",
    "B": "name the characters around the word",
  ]

  private static func problem(withDialectOf text: String) -> String? {
    var isEscaped = false
    for character in text {
      if isEscaped, let help = classes[character] { return "\"\\\(character)\" is not known: \(help)" }
      isEscaped = character == "\\" && !isEscaped
    }
    return text.utf8.contains(0) ? "it contains a zero byte" : nil
  }

  private static func message(for code: Int32, _ compiled: UnsafePointer<regex_t>) -> String {
    var text = [CChar](repeating: 0, count: 256)
    _ = regerror(code, compiled, &text, text.count)
    let message = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (message.first?.lowercased() ?? "") + message.dropFirst()
  }
}

extension String {
  /// Creates a string from bytes; `nil` if they are not UTF-8. `String(validating:as:)` needs iOS 18 or macOS 15.
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}

/// A converter between bytes and hexadecimal digits.
package enum Hexadecimal {
  /// Returns the value of a hexadecimal digit, from 0 to 15; `nil` for any other byte.
  package static func value(of digit: UInt8) -> UInt8? {
    Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
  }
}

/// The hash FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo), which is the same in each process.
package struct FNV1a: Sendable {
  /// The hash of the bytes so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// Adds bytes.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
