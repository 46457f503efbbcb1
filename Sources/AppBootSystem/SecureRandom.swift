#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Bytes that nobody can guess, from the system's own generator.
package enum SecureRandom {
  /// So many random bytes (getrandom(2) on Linux, arc4random_buf(3) on Darwin).
  package static func bytes(_ count: Int) throws(SystemError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      #if canImport(Darwin)
      if let start = buffer.baseAddress { arc4random_buf(start, buffer.count) }
      filled = buffer.count
      #else
      while filled < buffer.count, let start = buffer.baseAddress {
        let got = retryingInterrupts { linuxRandom(start + filled, buffer.count - filled, 0) }
        if got < 0 { failure = errno }
        if got <= 0 { return }
        filled += got
      }
      #endif
    }
    if failure != 0 { throw SystemError(call: "read random bytes", code: failure) }
    return bytes
  }

  /// So many random bytes in lower-case hexadecimal digits, two for each.
  package static func hexadecimal(bytes count: Int) throws(SystemError) -> String {
    Hexadecimal.text(of: try bytes(count))
  }
}
