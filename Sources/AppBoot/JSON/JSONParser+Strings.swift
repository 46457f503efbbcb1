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

  /// Returns the offset of the first byte that is not plain ASCII text. It tests eight bytes at a time.
  @inline(__always)
  private func plainEnd(from start: Int) -> Int {
    var index = start
    if let base = UnsafeRawPointer(bytes.baseAddress) {
      while index + 8 <= bytes.count {
        let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let unusual = PlainBytes.unusualBytes(word)
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

  /// Reads the rest of a string that has escapes, non-ASCII characters or mistakes.
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
        try recoverControl(byte, inStringAt: start)
      case 0x80...:
        let length = UTF8Scalar.length(at: position, in: bytes)
        if length == 0 { try recoverEncoding() } else { position += length }
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
      try recoverEscape()
    }
  }

  private mutating func readUnicodeEscape() throws(Stop) {
    guard let unit = hexUnit(at: position + 2) else { return try recoverHexEscape() }
    switch unit {
    case 0xD800..<0xDC00:
      let second = position + 6
      guard second + 1 < bytes.count, bytes[second] == UInt8(ascii: "\\"),
        bytes[second + 1] == UInt8(ascii: "u")
      else { return try recoverSurrogate(isFirstHalf: true) }
      // A second half that is malformed is reported as that.
      guard let low = hexUnit(at: second + 2) else { return position = second }
      guard (0xDC00..<0xE000).contains(low) else { return try recoverSurrogate(isFirstHalf: true) }
      position += 12
    case 0xDC00..<0xE000:
      try recoverSurrogate(isFirstHalf: false)
    default:
      position += 6
    }
  }

  /// Returns the value of the four hexadecimal digits at an offset; `nil` if there are fewer than four.
  func hexUnit(at start: Int) -> UInt32? {
    JSONEscape.hexUnit(at: start, in: bytes)
  }
}
