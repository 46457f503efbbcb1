// Code that uses processes, sockets and terminals also uses locks, clocks and files.
@_exported public import AppBootBase
import AppBootLibC

extension Hexadecimal {
  /// Returns bytes as text, with two lower-case digits for each byte.
  package static func text(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Returns the bytes of a text.
  ///
  /// Returns `nil` if the text is empty, has an odd length, or has a character that is not a hexadecimal digit.
  package static func bytes(of text: String) -> [UInt8]? {
    let digits = text.utf8.map(value(of:))
    guard digits.count.isMultiple(of: 2), !digits.isEmpty else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

/// A generator of unpredictable bytes. It uses the system's generator.
package enum SecureRandom {
  /// Returns `count` random bytes as hexadecimal text, with two lower-case digits for each byte.
  package static func hexadecimal(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return Hexadecimal.text(of: (0..<count).map { _ in generator.next() })
  }
}

extension WallClock {
  /// Returns the nanoseconds since 1970-01-01T00:00:00Z of a time as ``timestamp()`` writes it; `nil` for other text.
  package static func nanoseconds(of timestamp: String) -> Int64? {
    let parts = timestamp.split { "-T:.Z".contains($0) }.map { Int32($0) ?? -1 }
    let most: [Int32] = [2200, 12, 31, 23, 59, 60, 999]
    guard timestamp.utf8.count == 24, parts.count == most.count, parts[0] >= 1970,
      zip(parts, most).allSatisfy({ (0...$1).contains($0) })
    else { return nil }
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (parts[0] - 1900, parts[1] - 1, parts[2])
    (date.tm_hour, date.tm_min, date.tm_sec) = (parts[3], parts[4], parts[5])
    return Int64(timegm(&date)) * 1_000_000_000 + Int64(parts[6]) * 1_000_000
  }
}

extension WallClock {
  /// Returns a time in microseconds as ``timestamp(nanoseconds:)`` does. A time after 2262 is shown as the last one.
  package static func timestamp(microseconds: Int64) -> String {
    let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
    return timestamp(nanoseconds: overflow ? (microseconds < 0 ? .min : .max) : product)
  }
}

extension Thread {
  /// Runs `body` on a new detached thread. If the system cannot start one, runs it on the calling thread.
  package static func detach(name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(SystemError) {
      try start(name: name, body)
    } catch {
      body()
    }
  }
}
