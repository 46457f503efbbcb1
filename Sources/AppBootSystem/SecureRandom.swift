import AppBootLibC

/// A generator of unpredictable bytes. It uses the system's generator.
package enum SecureRandom {
  /// Returns `count` random bytes (getrandom(2) on Linux, arc4random_buf(3) on Darwin).
  package static func bytes(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    let failure = bytes.withUnsafeMutableBytes(fill)
    if failure != 0 { throw SystemError(call: "read random bytes", code: failure) }
    return bytes
  }

  /// Returns `count` random bytes as hexadecimal text, with two lower-case digits for each byte.
  package static func hexadecimal(bytes count: Int) throws(SystemError) -> String {
    Hexadecimal.text(of: try bytes(count))
  }

  /// Fills a buffer with random bytes. Returns the `errno` value; 0 for success.
  private static func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    guard let start = buffer.baseAddress else { return 0 }
    #if canImport(Darwin)
    arc4random_buf(start, buffer.count)
    #else
    var filled = 0
    while filled < buffer.count {
      let count = retryingInterrupts { linuxRandom(start + filled, buffer.count - filled, 0) }
      if count <= 0 { return count < 0 ? errno : EIO }
      filled += count
    }
    #endif
    return 0
  }
}
