import AppBootLibC

/// A clock that never goes backward (`clock_gettime`, POSIX).
package enum MonotonicClock {
  /// Returns the nanoseconds since an arbitrary start. On Linux this needs no system call (vdso(7)).
  package static func now() -> Int64 { timespec.now(CLOCK_MONOTONIC) }

  /// Returns the time that is `nanoseconds` after now; `Int64.max` if that overflows.
  package static func deadline(after nanoseconds: Int64) -> Int64 {
    deadline(after: nanoseconds, from: now())
  }

  /// Returns the time that is `nanoseconds` after another one; `Int64.max` if that overflows.
  package static func deadline(after nanoseconds: Int64, from start: Int64) -> Int64 {
    let (time, isTooLate) = start.addingReportingOverflow(nanoseconds)
    return isTooLate ? .max : time
  }
}

/// The CPU time of the calling thread (`CLOCK_THREAD_CPUTIME_ID`, POSIX).
package enum ThreadClock {
  /// Returns the nanoseconds of user and system time. It makes a system call, which takes about a microsecond on Linux.
  package static func now() -> Int64 { timespec.now(CLOCK_THREAD_CPUTIME_ID) }
}

extension timespec {
  /// Creates a time from nanoseconds.
  package init(nanoseconds: Int64) {
    self.init()
    tv_sec = numericCast(nanoseconds / 1_000_000_000)
    tv_nsec = numericCast(nanoseconds % 1_000_000_000)
  }

  /// Returns the nanoseconds of a clock (`clock_gettime`, POSIX).
  static func now(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

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
