import AppBootSystem

/// A character that is escaped as in a URL (RFC 3986), in JSON (RFC 8259), in a shell or in XML.
///
/// It begins with `%`, `\` or `&`.
struct SecretEscape {
  /// The result of reading an escape at an offset of a text.
  enum Reading {
    /// No escape begins there.
    case none
    /// The text ends inside what may be an escape.
    case incomplete
    case escape(SecretEscape)
  }

  /// The maximum length of an escape, in bytes: `&#x0010FFFF;`, or two of `\uD83D`.
  static let longest = 12

  /// The number of bytes in the text.
  let length: Int
  /// The number of bytes of the character, in UTF-8: 1 to 4.
  let count: Int
  /// The bytes of the character; the first one is the lowest.
  private let bytes: UInt32

  private init(_ byte: UInt8, length: Int) {
    (bytes, count, self.length) = (UInt32(byte), 1, length)
  }

  /// Returns `nil` if the value is not that of a character.
  private init?(scalar value: UInt32, length: Int) {
    guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { return nil }
    (bytes, count) = encoded.reduce(into: (0, 0)) { $0 = ($0.0 | UInt32($1) << (8 * $0.1), $0.1 + 1) }
    self.length = length
  }

  /// Returns one byte of the character.
  subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: bytes >> (8 * index)) }

  // MARK: - Finding

  private static let percent = UInt8(ascii: "%")
  private static let backslash = UInt8(ascii: "\\")
  private static let ampersand = UInt8(ascii: "&")

  /// Returns the bit for the byte with which an escape begins; 0 if none begins with the byte.
  @inline(__always)
  static func kind(of byte: UInt8) -> UInt8 {
    switch byte {
    case percent: 1
    case backslash: 2
    case ampersand: 4
    default: 0
    }
  }

  /// Marks the second bytes with which an escape of a byte of UTF-8 can go on, with the bits of ``kind(of:)``.
  ///
  /// - Parameter seconds: The bits of each of the 256 bytes.
  static func markSecondBytes(of byte: UInt8, in seconds: inout [UInt8]) {
    let (percents, backslashes, ampersands) = (kind(of: percent), kind(of: backslash), kind(of: ampersand))
    let digit = Hexadecimal.digit(byte >> 4)
    seconds[Int(digit)] |= percents
    if digit >= UInt8(ascii: "a") { seconds[Int(digit - 0x20)] |= percents }
    for second in [byte, UInt8(ascii: "u"), UInt8(ascii: "x")] { seconds[Int(second)] |= backslashes }
    for (letter, control) in controls where control == byte { seconds[Int(letter)] |= backslashes }
    seconds[Int(UInt8(ascii: "#"))] |= ampersands
    for (name, character) in entities where character == byte {
      seconds[Int(name.utf8Start[0])] |= ampersands
    }
  }

  /// Returns the first offset at or after `start` at which an escape can begin; `nil` without one.
  ///
  /// Most text has no escapes, so it tests eight bytes at a time.
  static func first(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var offset = start
    while offset + 8 <= text.count {
      let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      // Zero for each byte from "$" to "'", which include "%" and "&".
      let signs = (word & (ones &* 0xFC)) ^ (ones &* 0x24)
      let slashes = word ^ (ones &* 0x5C)
      let zeros = ((signs &- ones) & ~signs) | ((slashes &- ones) & ~slashes)
      if zeros & (ones &* 0x80) != 0 {
        for place in offset..<(offset + 8) where kind(of: text[place]) != 0 { return place }
      }
      offset += 8
    }
    while offset < text.count {
      if kind(of: text[offset]) != 0 { return offset }
      offset += 1
    }
    return nil
  }

  // MARK: - Reading

  /// Reads the escape that begins at an offset of a text.
  static func read(_ text: UnsafeRawBufferPointer, at offset: Int) -> Reading {
    switch text[offset] {
    case percent: readByte(text, at: offset, after: 1)
    case backslash: readBackslash(text, at: offset)
    case ampersand: readEntity(text, at: offset)
    default: .none
    }
  }

  /// Reads two hexadecimal digits after the first bytes of an escape.
  private static func readByte(_ text: UnsafeRawBufferPointer, at offset: Int, after count: Int) -> Reading {
    switch readDigits(text, at: offset + count, 2) {
    case .value(let value): .escape(SecretEscape(UInt8(value), length: count + 2))
    case .incomplete: .incomplete
    case .none: .none
    }
  }

  private static let controls: [(letter: UInt8, byte: UInt8)] = [
    (UInt8(ascii: "b"), 0x08), (UInt8(ascii: "f"), 0x0C), (UInt8(ascii: "n"), 0x0A),
    (UInt8(ascii: "r"), 0x0D),
    (UInt8(ascii: "t"), 0x09),
  ]

  private static func readBackslash(_ text: UnsafeRawBufferPointer, at offset: Int) -> Reading {
    guard offset + 1 < text.count else { return .incomplete }
    let byte = text[offset + 1]
    switch byte {
    case UInt8(ascii: "u"): return readUTF16(text, at: offset)
    case UInt8(ascii: "x"): return readByte(text, at: offset, after: 2)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0..<0x20, 0x7F...:
      let control = controls.first { $0.letter == byte }
      return control.map { .escape(SecretEscape($0.byte, length: 2)) } ?? .none
    // JSON escapes "\"", "\\" and "/"; shells and other languages escape all punctuation in this way.
    default: return .escape(SecretEscape(byte, length: 2))
    }
  }

  /// Reads a UTF-16 escape: `\u` and four digits, or two of them for a surrogate pair.
  private static func readUTF16(_ text: UnsafeRawBufferPointer, at offset: Int) -> Reading {
    switch readDigits(text, at: offset + 2, 4) {
    case .none: return .none
    case .incomplete: return .incomplete
    case .value(let high) where 0xD800..<0xDC00 ~= high:
      for (index, byte) in [(offset + 6, backslash), (offset + 7, UInt8(ascii: "u"))] {
        guard index < text.count else { return .incomplete }
        guard text[index] == byte else { return .none }
      }
      switch readDigits(text, at: offset + 8, 4) {
      case .value(let low) where 0xDC00..<0xE000 ~= low:
        return reading(of: 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), length: 12)
      case .incomplete: return .incomplete
      case .value, .none: return .none
      }
    case .value(let value): return reading(of: value, length: 6)
    }
  }

  private static let entities: [(name: StaticString, byte: UInt8)] = [
    ("amp;", UInt8(ascii: "&")), ("lt;", UInt8(ascii: "<")), ("gt;", UInt8(ascii: ">")),
    ("quot;", UInt8(ascii: "\"")), ("apos;", UInt8(ascii: "'")),
  ]

  private static func readEntity(_ text: UnsafeRawBufferPointer, at offset: Int) -> Reading {
    guard offset + 1 < text.count else { return .incomplete }
    if text[offset + 1] == UInt8(ascii: "#") { return readReference(text, at: offset) }
    for (name, byte) in entities {
      let count = min(name.utf8CodeUnitCount, text.count - offset - 1)
      let isEqual = (0..<count).allSatisfy { text[offset + 1 + $0] == name.utf8Start[$0] }
      guard isEqual else { continue }
      let isComplete = count == name.utf8CodeUnitCount
      return isComplete ? .escape(SecretEscape(byte, length: count + 1)) : .incomplete
    }
    return .none
  }

  /// Reads a character reference of XML: `&#38;` or `&#x26;`.
  private static func readReference(_ text: UnsafeRawBufferPointer, at offset: Int) -> Reading {
    var index = offset + 2
    var (base, value, digits): (UInt32, UInt32, Int) = (10, 0, 0)
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "x") { (base, index) = (16, index + 1) }
    while index < min(text.count, offset + longest) {
      if text[index] == UInt8(ascii: ";") {
        return digits > 0 ? reading(of: value, length: index + 1 - offset) : .none
      }
      guard let digit = Hexadecimal.value(of: text[index]), digit < base else { return .none }
      (value, digits, index) = (value &* base &+ UInt32(digit), digits + 1, index + 1)
    }
    return index < offset + longest ? .incomplete : .none
  }

  private static func reading(of value: UInt32, length: Int) -> Reading {
    SecretEscape(scalar: value, length: length).map { .escape($0) } ?? .none
  }

  private enum Digits {
    case none, incomplete
    case value(UInt32)
  }

  private static func readDigits(_ text: UnsafeRawBufferPointer, at offset: Int, _ count: Int) -> Digits {
    var value: UInt32 = 0
    for index in offset..<(offset + count) {
      guard index < text.count else { return .incomplete }
      guard let digit = Hexadecimal.value(of: text[index]) else { return .none }
      value = value << 4 | UInt32(digit)
    }
    return .value(value)
  }
}
