import AppBootLibC

/// A clock that never goes backward (`clock_gettime`, POSIX).
package enum MonotonicClock {
  /// Returns the nanoseconds since an arbitrary start. On Linux this needs no system call (vdso(7)).
  package static func now() -> Int64 { timespec.now(CLOCK_MONOTONIC) }

  /// Returns the time that is `nanoseconds` after now; `Int64.max` if that overflows.
  package static func deadline(after nanoseconds: Int64) -> Int64 {
    let (time, isTooLate) = now().addingReportingOverflow(nanoseconds)
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
