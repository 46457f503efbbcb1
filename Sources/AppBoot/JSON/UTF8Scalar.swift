/// A decoder of strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Scalar {
  /// Returns the number of bytes of the scalar at an index; 0 if the bytes are not valid.
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

  /// Returns the scalar at an index and its number of bytes; `nil` if the bytes are not UTF-8.
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
