extension JSONParser {
  /// Reads the string at the position, with its quotation marks (RFC 8259 section 7).
  @inline(__always)
  mutating func readString() throws(Stop) {
    let start = position
    let index = plainEnd(from: start + 1)
    if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      append(.string, from: start, to: index + 1)
      position = index + 1
      return
    }
    try readUnusualString(from: start, at: index)
  }

  /// The first byte that is not plain ASCII text, eight bytes at a time.
  @inline(__always)
  private func plainEnd(from start: Int) -> Int {
    var index = start
    if let base = UnsafeRawPointer(bytes.baseAddress) {
      while index + 8 <= bytes.count {
        let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let unusual = JSONParser.unusualBytes(word)
        if unusual != 0 { return index + unusual.trailingZeroBitCount / 8 }
        index += 8
      }
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      index += 1
    }
    return index
  }

  /// The high bit of each byte that is a quotation mark, a backslash, a control or not ASCII.
  ///
  /// A borrow can only set bits above the first true one, and only the first is used.
  @inline(__always)
  private static func unusualBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (word ^ (ones &* 0x22)) &- ones
    let backslashes = (word ^ (ones &* 0x5C)) &- ones
    let controls = word &- ones &* 0x20
    return (quotes | backslashes | controls | word) & (ones &* 0x80)
  }

  /// The rest of a string that holds escapes, characters beyond ASCII, or mistakes.
  @inline(never)
  private mutating func readUnusualString(from start: Int, at first: Int) throws(Stop) {
    var escapes = false
    position = first
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return append(.string, from: start, to: position, escapes: escapes)
      case UInt8(ascii: "\\"):
        escapes = true
        try readEscape(inStringAt: start)
      case 0..<0x20:
        try mendControl(byte, inStringAt: start)
      case 0x80...:
        let length = UTF8Scalar.length(at: position, in: bytes)
        if length == 0 { try mendEncoding() } else { position += length }
      default:
        position = plainEnd(from: position)
      }
    }
    throw unclosedString(from: start)
  }

  private mutating func readEscape(inStringAt start: Int) throws(Stop) {
    guard position + 1 < bytes.count else {
      position = bytes.count
      throw unclosedString(from: start)
    }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      try readUnicodeEscape()
    default:
      try mendEscape()
    }
  }

  private mutating func readUnicodeEscape() throws(Stop) {
    guard let unit = hexUnit(at: position + 2) else { return try mendHexEscape() }
    switch unit {
    case 0xD800..<0xDC00:
      let second = position + 6
      guard second + 1 < bytes.count, bytes[second] == UInt8(ascii: "\\"),
        bytes[second + 1] == UInt8(ascii: "u")
      else { return try mendSurrogate(isFirstHalf: true) }
      // A second half that is malformed is reported as that.
      guard let low = hexUnit(at: second + 2) else { return position = second }
      guard (0xDC00..<0xE000).contains(low) else { return try mendSurrogate(isFirstHalf: true) }
      position += 12
    case 0xDC00..<0xE000:
      try mendSurrogate(isFirstHalf: false)
    default:
      position += 6
    }
  }

  /// The number that four hexadecimal digits say.
  func hexUnit(at start: Int) -> UInt32? {
    JSONEscape.hexUnit(at: start, in: bytes)
  }
}

/// What escapes in a string stand for.
enum JSONEscape {
  /// The number that four hexadecimal digits say, or nil if there are no four.
  static func hexUnit(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
    guard start + 4 <= bytes.count else { return nil }
    var unit: UInt32 = 0
    for index in start..<start + 4 {
      guard let digit = hexDigit(bytes[index]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  /// The UTF-8 of a string's content, whose escapes are known to be right.
  static func unescape(_ content: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var index = content.lowerBound
    while index < content.upperBound {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < content.upperBound else {
        result.append(byte)
        index += 1
        continue
      }
      let letter = bytes[index + 1]
      if letter == UInt8(ascii: "u") {
        index += appendUnicode(at: index, in: bytes, to: &result)
      } else {
        result.append(plain(letter))
        index += 2
      }
    }
    return result
  }

  private static func plain(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  /// Appends what `\uXXXX` or a pair of them says; returns how many bytes that was.
  private static func appendUnicode(
    at index: Int, in bytes: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]
  ) -> Int {
    var value = hexUnit(at: index + 2, in: bytes) ?? 0xFFFD
    var length = 6
    if value & 0xFC00 == 0xD800, let low = hexUnit(at: index + 8, in: bytes), low & 0xFC00 == 0xDC00 {
      value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00)
      length = 12
    }
    result.append(contentsOf: Character(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
    return length
  }
}

/// Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Scalar {
  /// How many bytes the scalar at an index has; 0 when there is none that is valid.
  @inline(__always)
  static func length(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let first = bytes[index]
    if first < 0x80 { return 1 }
    let left = bytes.count - index
    guard left >= 2 else { return 0 }
    let second = bytes[index + 1]
    switch first {
    case 0xC2...0xDF:
      return isContinuation(second) ? 2 : 0
    case 0xE0...0xEF:
      guard left >= 3, isContinuation(second), isContinuation(bytes[index + 2]) else { return 0 }
      if first == 0xE0, second < 0xA0 { return 0 }
      if first == 0xED, second >= 0xA0 { return 0 }
      return 3
    case 0xF0...0xF4:
      guard left >= 4, isContinuation(second), isContinuation(bytes[index + 2]),
        isContinuation(bytes[index + 3])
      else { return 0 }
      if first == 0xF0, second < 0x90 { return 0 }
      if first == 0xF4, second >= 0x90 { return 0 }
      return 4
    default:
      return 0
    }
  }

  @inline(__always)
  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// The scalar at an index and its length, or nil when the bytes there are not UTF-8.
  static func decode(
    at index: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    let length = length(at: index, in: bytes)
    guard length > 0 else { return nil }
    var value = UInt32(bytes[index])
    if length > 1 { value &= 0x7F >> UInt32(length) }
    for offset in 1..<max(length, 1) {
      value = value << 6 | UInt32(bytes[index + offset] & 0x3F)
    }
    return Unicode.Scalar(value).map { ($0, length) }
  }
}
