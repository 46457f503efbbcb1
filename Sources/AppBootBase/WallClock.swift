import AppBootLibC

/// A clock that gives the time of day. It can jump, so measure durations with `MonotonicClock`.
package enum WallClock {
  /// Returns the nanoseconds since 1970-01-01T00:00:00Z, without leap seconds (`clock_gettime`, POSIX).
  package static func now() -> Int64 { timespec.now(CLOCK_REALTIME) }

  /// Returns the current time as RFC 3339 text in UTC with milliseconds.
  package static func timestamp() -> String { timestamp(nanoseconds: now()) }

  /// Returns a time as RFC 3339 text in UTC with milliseconds, rounded down, for example `2026-07-28T09:05:03.250Z`.
  ///
  /// - Parameter nanoseconds: The nanoseconds since 1970-01-01T00:00:00Z.
  package static func timestamp(nanoseconds: Int64) -> String {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 {
      seconds -= 1
      rest += 1_000_000_000
    }
    var time = time_t(seconds)
    var date = tm()
    gmtime_r(&time, &date)
    let text = String(unsafeUninitializedCapacity: 32) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        buffer.baseAddress.map { strftime($0, buffer.count, "%Y-%m-%dT%H:%M:%S", &date) } ?? 0
      }
    }
    return "\(text).\(String(1000 + rest / 1_000_000).dropFirst())Z"
  }
}
